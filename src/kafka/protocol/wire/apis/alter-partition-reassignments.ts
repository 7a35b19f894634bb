import { api } from '../api.ts';
import { nullable, optional, since, struct } from '../fields.ts';
import { array, boolean, int16, int32, string } from '../primitives.ts';

/** AlterPartitionReassignments (key 45) (KIP-455). The number of replicas may change in both versions. */
export const alterPartitionReassignments = api({
  name: 'AlterPartitionReassignments',
  key: 45,
  versions: [0, 1],
  flexibleFrom: 0,
  target: 'controller',
  repeatable: true,
  changes: true,
  request: {
    timeoutMs: int32,
    allowReplicationFactorChange: since(1, boolean, true),
    topics: array(
      struct({
        name: string,
        partitions: array(
          struct({
            partitionIndex: int32,
            replicas: nullable(array(int32)),
          }),
        ),
      }),
    ),
  },
  response: {
    throttleTimeMs: optional(int32),
    allowReplicationFactorChange: since(1, boolean, true),
    errorCode: int16,
    errorMessage: nullable(string),
    responses: array(
      struct({
        name: string,
        partitions: array(
          struct({
            partitionIndex: int32,
            errorCode: int16,
            errorMessage: nullable(string),
          }),
        ),
      }),
    ),
  },
});
