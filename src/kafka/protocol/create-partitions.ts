import { type Api, adapted } from './api.ts';

/** Topics to add partitions to. */
export interface CreatePartitionsRequest {
  /** `count` is the new total. */
  readonly topics: readonly { readonly name: string; readonly count: number }[];
  readonly timeoutMs: number;
  readonly validateOnly: boolean;
}

/** The result for one topic. */
export interface GrownTopic {
  readonly name: string;
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
}

/** One entry per topic, in the broker's order. */
export interface CreatePartitionsResponse {
  readonly topics: readonly GrownTopic[];
}

/** CreatePartitions v1–3. */
export const createPartitions: Api<CreatePartitionsRequest, CreatePartitionsResponse> = adapted({
  name: 'CreatePartitions',
  key: 37,
  min: 1,
  max: 3,
  flexibleFrom: 2,
  target: 'controller',
  // After a lost answer the partitions may already exist, and a repeated request would fail.
  repeatable: false,
  changes: true,
  encode(writer, request) {
    writer.array(request.topics, (topic) => {
      writer.string(topic.name);
      writer.int32(topic.count);
      writer.nullableArray(undefined, () => undefined); // assignments: the controller's choice
      writer.tags();
    });
    writer.int32(request.timeoutMs);
    writer.boolean(request.validateOnly);
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const topics = reader.array(() => {
      const topic = { name: reader.string(), errorCode: reader.int16(), errorMessage: reader.nullableString() };
      reader.tags();
      return topic;
    });
    reader.tags();
    return { throttleMs, topics };
  },
  timeoutMs: (request) => request.timeoutMs,
});
