import { api } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, int16, int32, string } from '../primitives.ts';

/** ListPartitionReassignments (key 46) (KIP-455). */
export const listPartitionReassignments = api({
  name: 'ListPartitionReassignments',
  key: 46,
  versions: [0, 0],
  flexibleFrom: 0,
  target: 'controller',
  repeatable: true,
  request: {
    timeoutMs: int32,
    topics: nullable(
      array(
        struct({
          name: string,
          partitionIndexes: array(int32),
        }),
      ),
    ),
  },
  response: {
    throttleTimeMs: optional(int32),
    errorCode: int16,
    errorMessage: nullable(string),
    topics: array(
      struct({
        name: string,
        partitions: array(
          struct({
            partitionIndex: int32,
            replicas: array(int32),
            addingReplicas: array(int32),
            removingReplicas: array(int32),
          }),
        ),
      }),
    ),
  },
});
