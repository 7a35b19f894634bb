import { type Api, adapted } from './api.ts';
import type { Reader, Writer } from './codec.ts';

/** Partitions of a topic, which is named by its id. */
export interface TopicIdPartitions {
  readonly topicId: string;
  readonly partitions: readonly number[];
}

/** The full state of a member. It is sent whole every time, so that the coordinator always returns the assignment. */
export interface ConsumerGroupHeartbeatRequest {
  readonly group: string;
  /** A UUID that the member generated. */
  readonly memberId: string;
  /** 0 to join, -1 to leave, -2 to leave for a while as a static member. */
  readonly memberEpoch: number;
  readonly instanceId: string | undefined;
  readonly rack: string | undefined;
  /** How long the member may take to release partitions, in milliseconds. */
  readonly rebalanceTimeoutMs: number;
  readonly topics: readonly string[];
  /** The server-side assignor; undefined for the coordinator's default. */
  readonly assignor: string | undefined;
  /** The partitions that the member has now. */
  readonly owned: readonly TopicIdPartitions[];
}

/** The coordinator's answer to a member. */
export interface ConsumerGroupHeartbeatResponse {
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly memberEpoch: number;
  readonly heartbeatIntervalMs: number;
  /** The partitions that the member should have; undefined for no change. */
  readonly assignment: readonly TopicIdPartitions[] | undefined;
}

/** ConsumerGroupHeartbeat (key 68, KIP-848; since Kafka 3.7, generally available since 4.0). */
export const consumerGroupHeartbeat: Api<ConsumerGroupHeartbeatRequest, ConsumerGroupHeartbeatResponse> = adapted({
  name: 'ConsumerGroupHeartbeat',
  key: 68,
  min: 0,
  max: 1,
  flexibleFrom: 0,
  target: ({ group }) => ({ group }),
  repeatable: true,
  errorCode: (response) => response.errorCode,
  encode(writer, request, version) {
    writer.string(request.group);
    writer.string(request.memberId);
    writer.int32(request.memberEpoch);
    writer.nullableString(request.instanceId);
    writer.nullableString(request.rack);
    writer.int32(request.rebalanceTimeoutMs);
    writer.array(request.topics, (topic) => writer.string(topic));
    if (version >= 1) writer.nullableString(undefined); // subscribed_topic_regex: weir matches names itself
    writer.nullableString(request.assignor);
    writePartitions(writer, request.owned);
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const errorCode = reader.int16();
    const errorMessage = reader.nullableString();
    reader.nullableString(); // member_id: ours
    const memberEpoch = reader.int32();
    const heartbeatIntervalMs = reader.int32();
    const assignment = reader.int8() < 0 ? undefined : readAssignment(reader);
    reader.tags();
    return { throttleMs, errorCode, errorMessage, memberEpoch, heartbeatIntervalMs, assignment };
  },
});

function writePartitions(writer: Writer, items: readonly TopicIdPartitions[]): void {
  writer.array(items, ({ topicId, partitions }) => {
    writer.uuid(topicId);
    writer.array(partitions, (partition) => writer.int32(partition));
    writer.tags();
  });
}

function readAssignment(reader: Reader): readonly TopicIdPartitions[] {
  const items = reader.array(() => {
    const item = { topicId: reader.uuid(), partitions: reader.int32s() };
    reader.tags();
    return item;
  });
  reader.tags();
  return items;
}
