import { api } from '../api.ts';
import { nullable, optional, since, struct } from '../fields.ts';
import { array, int16, int32, string, uuid } from '../primitives.ts';

const topicPartitions = array(struct({ topicId: uuid, partitions: array(int32) }));

/** ConsumerGroupHeartbeat (key 68, KIP-848): the state of a member, and the partitions that it should have. */
export const consumerGroupHeartbeat = api({
  name: 'ConsumerGroupHeartbeat',
  key: 68,
  versions: [0, 1],
  flexibleFrom: 0,
  target: ({ groupId }) => ({ group: groupId }),
  repeatable: true,
  request: {
    groupId: string,
    memberId: string,
    // 0 to join, -1 to leave, -2 to leave for a while as a static member.
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
