import { nullable, optional, since, struct } from '../wire/fields.ts';
import { layout, type RequestOf, type ResponseOf } from '../wire/layout.ts';
import { array, int16, int32, string, uuid } from '../wire/primitives.ts';

const topicPartitions = array(struct({ topicId: uuid, partitions: array(int32) }));

/** ConsumerGroupHeartbeat (key 68, KIP-848). */
export const consumerGroupHeartbeat = layout({
  name: 'ConsumerGroupHeartbeat',
  key: 68,
  min: 0,
  max: 1,
  flexibleFrom: 0,
  request: {
    groupId: string,
    memberId: string,
    memberEpoch: int32,
    instanceId: nullable(string),
    rackId: nullable(string),
    rebalanceTimeoutMs: int32,
    subscribedTopicNames: nullable(array(string)),
    subscribedTopicRegex: since(1, nullable(string)),
    serverAssignor: nullable(string),
    topicPartitions: nullable(topicPartitions),
  },
  response: {
    throttleTimeMs: optional(int32),
    errorCode: int16,
    errorMessage: nullable(string),
    memberId: nullable(string),
    memberEpoch: int32,
    heartbeatIntervalMs: optional(int32),
    assignment: nullable(struct({ topicPartitions })),
  },
});

/** A decoded ConsumerGroupHeartbeat request. */
export type ConsumerGroupHeartbeatRequest = RequestOf<typeof consumerGroupHeartbeat>;
/** A ConsumerGroupHeartbeat response. */
export type ConsumerGroupHeartbeatResponse = ResponseOf<typeof consumerGroupHeartbeat>;
