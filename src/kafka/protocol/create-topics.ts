import { type Api, adapted } from './api.ts';
import { noUuid, type Reader, type Writer } from './codec.ts';

/** One topic to create. */
export interface NewTopic {
  readonly name: string;
  /** -1: the cluster's default. */
  readonly partitions: number;
  /** -1: the cluster's default. */
  readonly replicas: number;
  readonly configs: readonly (readonly [key: string, value: string | undefined])[];
}

/** Topics to create, or only to check. */
export interface CreateTopicsRequest {
  readonly topics: readonly NewTopic[];
  /** How long the controller waits until the topics exist, in milliseconds. */
  readonly timeoutMs: number;
  readonly validateOnly: boolean;
}

/** The result for one topic; the numbers are -1 if the broker does not report them. */
export interface CreatedTopic {
  readonly name: string;
  readonly id: string;
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly partitions: number;
  readonly replicas: number;
}

/** One entry per topic, in the broker's order. */
export interface CreateTopicsResponse {
  readonly topics: readonly CreatedTopic[];
}

/** CreateTopics v2–7. */
export const createTopics: Api<CreateTopicsRequest, CreateTopicsResponse> = adapted({
  name: 'CreateTopics',
  key: 19,
  min: 2,
  max: 7,
  flexibleFrom: 5,
  target: 'controller',
  // After a lost answer the topics may already exist, and a repeated request would fail.
  repeatable: false,
  changes: true,
  encode(writer, request) {
    writer.array(request.topics, (topic) => writeTopic(writer, topic));
    writer.int32(request.timeoutMs);
    writer.boolean(request.validateOnly);
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

function writeTopic(writer: Writer, topic: NewTopic): void {
  writer.string(topic.name);
  writer.int32(topic.partitions);
  writer.int16(topic.replicas);
  writer.array([], () => undefined); // assignments: the controller's choice
  writer.array(topic.configs, ([key, value]) => {
    writer.string(key);
    writer.nullableString(value);
    writer.tags();
  });
  writer.tags();
}

function readTopic(reader: Reader, version: number): CreatedTopic {
  const name = reader.string();
  const id = version >= 7 ? reader.uuid() : noUuid;
  const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
  if (version < 5) return { name, id, ...error, partitions: -1, replicas: -1 };
  const size = { partitions: reader.int32(), replicas: reader.int16() };
  reader.nullableArray(() => skipConfig(reader));
  reader.tags();
  return { name, id, ...error, ...size };
}

function skipConfig(reader: Reader): void {
  reader.string(); // name
  reader.nullableString(); // value
  reader.boolean(); // read_only
  reader.int8(); // config_source
  reader.boolean(); // is_sensitive
  reader.tags();
}
