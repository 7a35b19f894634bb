import { api } from '../api.ts';
import { nullable, optional, since, struct } from '../fields.ts';
import { array, boolean, int8, int16, int32, string, uuid } from '../primitives.ts';
import { noOperations } from './describe-groups.ts';

const assignment = struct({
  topicPartitions: array(struct({ topicId: uuid, topicName: string, partitions: array(int32) })),
});

/** ConsumerGroupDescribe (key 69): groups of the consumer protocol. */
export const consumerGroupDescribe = api({
  name: 'ConsumerGroupDescribe',
  key: 69,
  versions: [0, 1],
  flexibleFrom: 0,
  target: 'coordinator',
  repeatable: true,
  request: { groupIds: array(string), includeAuthorizedOperations: optional(boolean) },
  response: {
    throttleTimeMs: optional(int32),
    groups: array(
      struct({
        errorCode: int16,
        errorMessage: nullable(string),
        groupId: string,
        groupState: string,
        groupEpoch: int32,
        assignmentEpoch: int32,
        assignorName: string,
        members: array(
          struct({
            memberId: string,
            instanceId: nullable(string),
            rackId: nullable(string),
            memberEpoch: int32,
            clientId: string,
            clientHost: string,
            subscribedTopicNames: array(string),
            subscribedTopicRegex: nullable(string),
            assignment,
            targetAssignment: assignment,
            memberType: since(1, int8, -1),
          }),
        ),
        authorizedOperations: optional(int32, noOperations),
      }),
    ),
  },
});
