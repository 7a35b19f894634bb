import { type Api, adapted } from './api.ts';
import { noUuid, type Reader } from './codec.ts';

/** Topics to delete, by name. */
export interface DeleteTopicsRequest {
  readonly topics: readonly string[];
  /** How long the controller waits for the deletion, in milliseconds. */
  readonly timeoutMs: number;
}

/** The result for one topic. */
export interface DeletedTopic {
  readonly name: string;
  readonly id: string;
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
}

/** One entry per topic, in the broker's order. */
export interface DeleteTopicsResponse {
  readonly topics: readonly DeletedTopic[];
}

/** DeleteTopics v1–6 (with the broker's error text from v5). */
export const deleteTopics: Api<DeleteTopicsRequest, DeleteTopicsResponse> = adapted({
  name: 'DeleteTopics',
  key: 20,
  min: 1,
  max: 6,
  flexibleFrom: 4,
  target: 'controller',
  // After a lost answer the topics may already be deleted, and a repeated request would fail.
  repeatable: false,
  changes: true,
  encode(writer, request, version) {
    writer.array(request.topics, (name) => {
      if (version < 6) return writer.string(name);
      writer.nullableString(name);
      writer.uuid(noUuid);
      writer.tags();
    });
    writer.int32(request.timeoutMs);
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = reader.int32();
    const topics = reader.array(() => readTopic(reader, version));
    reader.tags();
    return { throttleMs, topics };
  },
  timeoutMs: (request) => request.timeoutMs,
});

function readTopic(reader: Reader, version: number): DeletedTopic {
  const topic = {
    name: (version >= 6 ? reader.nullableString() : reader.string()) ?? '',
    id: version >= 6 ? reader.uuid() : noUuid,
    errorCode: reader.int16(),
    errorMessage: version >= 5 ? reader.nullableString() : undefined,
  };
  reader.tags();
  return topic;
}
