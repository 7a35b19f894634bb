import { type Api, adapted } from './api.ts';
import type { Reader } from './codec.ts';

/** The groups to describe, all with the same coordinator. */
export interface ConsumerGroupDescribeRequest {
  readonly groups: readonly string[];
}

/** Partitions of one topic, with its id and name. */
export interface NamedTopicPartitions {
  readonly topicId: string;
  readonly topic: string;
  readonly partitions: readonly number[];
}

/** A member of a group of the consumer protocol. */
export interface ConsumerGroupMember {
  readonly memberId: string;
  readonly instanceId: string | undefined;
  readonly rack: string | undefined;
  readonly memberEpoch: number;
  readonly clientId: string;
  readonly clientHost: string;
  readonly topics: readonly string[];
  readonly topicRegex: string | undefined;
  readonly assignment: readonly NamedTopicPartitions[];
  readonly targetAssignment: readonly NamedTopicPartitions[];
  /** -1 unknown, 0 classic, 1 consumer; -1 before version 1. */
  readonly memberType: number;
}

/**
 * A group of the consumer protocol; `errorCode` is GROUP_ID_NOT_FOUND (69) for a missing group and for a classic one.
 */
export interface DescribedConsumerGroup {
  readonly group: string;
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  /** `Empty`, `Assigning`, `Reconciling`, `Stable` or `Dead`. */
  readonly state: string;
  readonly groupEpoch: number;
  readonly assignmentEpoch: number;
  readonly assignor: string;
  readonly members: readonly ConsumerGroupMember[];
}

/** The groups in the order of the request. */
export interface ConsumerGroupDescribeResponse {
  readonly groups: readonly DescribedConsumerGroup[];
}

/** ConsumerGroupDescribe (key 69, KIP-848). */
export const consumerGroupDescribe: Api<ConsumerGroupDescribeRequest, ConsumerGroupDescribeResponse> = adapted({
  name: 'ConsumerGroupDescribe',
  key: 69,
  min: 0,
  max: 1,
  flexibleFrom: 0,
  target: 'coordinator',
  repeatable: true,
  encode(writer, request) {
    writer.array(request.groups, (group) => writer.string(group));
    writer.boolean(false); // include_authorized_operations
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = reader.int32();
    const groups = reader.array(() => readGroup(reader, version));
    reader.tags();
    return { throttleMs, groups };
  },
});

function readGroup(reader: Reader, version: number): DescribedConsumerGroup {
  const errorCode = reader.int16();
  const errorMessage = reader.nullableString();
  const group = {
    group: reader.string(),
    state: reader.string(),
    groupEpoch: reader.int32(),
    assignmentEpoch: reader.int32(),
    assignor: reader.string(),
    members: reader.array(() => readMember(reader, version)),
  };
  reader.int32(); // authorized_operations
  reader.tags();
  return { errorCode, errorMessage, ...group };
}

function readMember(reader: Reader, version: number): ConsumerGroupMember {
  const member = {
    memberId: reader.string(),
    instanceId: reader.nullableString(),
    rack: reader.nullableString(),
    memberEpoch: reader.int32(),
    clientId: reader.string(),
    clientHost: reader.string(),
    topics: reader.array(() => reader.string()),
    topicRegex: reader.nullableString(),
    assignment: readAssignment(reader),
    targetAssignment: readAssignment(reader),
    memberType: version >= 1 ? reader.int8() : -1,
  };
  reader.tags();
  return member;
}

function readAssignment(reader: Reader): readonly NamedTopicPartitions[] {
  const items = reader.array(() => {
    const item = {
      topicId: reader.uuid(),
      topic: reader.string(),
      partitions: reader.int32s(),
    };
    reader.tags();
    return item;
  });
  reader.tags();
  return items;
}
