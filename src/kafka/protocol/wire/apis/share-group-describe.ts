import { api } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, boolean, int16, int32, string, uuid } from '../primitives.ts';

/** ShareGroupDescribe (key 77, KIP-932). Version 0 was an early access version of Kafka 4.0. */
export const shareGroupDescribe = api({
  name: 'ShareGroupDescribe',
  key: 77,
  versions: [1, 1],
  flexibleFrom: 1,
  target: 'coordinator',
  repeatable: true,
  request: {
    groupIds: array(string),
    includeAuthorizedOperations: optional(boolean),
  },
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
            rackId: nullable(string),
            memberEpoch: int32,
            clientId: string,
            clientHost: string,
            subscribedTopicNames: array(string),
            assignment: struct({
              topicPartitions: array(
                struct({
                  topicId: uuid,
                  topicName: string,
                  partitions: array(int32),
                }),
              ),
            }),
          }),
        ),
        authorizedOperations: int32,
      }),
    ),
  },
});
