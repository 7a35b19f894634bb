import { api } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, int8, int16, int32, string } from '../primitives.ts';

/** ElectLeaders (key 43) (KIP-460). Version 0 has no unclean elections. */
export const electLeaders = api({
  name: 'ElectLeaders',
  key: 43,
  versions: [1, 2],
  flexibleFrom: 2,
  target: 'controller',
  // That a partition needs no election, or has no eligible replica, is an answer and no reason to ask again.
  repeatable: false,
  changes: true,
  request: {
    electionType: int8,
    topicPartitions: nullable(
      array(
        struct({
          topic: string,
          partitions: array(int32),
        }),
      ),
    ),
    timeoutMs: int32,
  },
  response: {
    throttleTimeMs: optional(int32),
    errorCode: int16,
    replicaElectionResults: array(
      struct({
        topic: string,
        partitionResult: array(
          struct({
            partitionId: int32,
            errorCode: int16,
            errorMessage: nullable(string),
          }),
        ),
      }),
    ),
  },
});
