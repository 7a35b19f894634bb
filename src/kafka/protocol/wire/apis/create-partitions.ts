import { api } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, boolean, int16, int32, string } from '../primitives.ts';

/** CreatePartitions (key 37). */
export const createPartitions = api({
  name: 'CreatePartitions',
  key: 37,
  versions: [0, 3],
  client: [1, 3],
  flexibleFrom: 2,
  target: 'controller',
  // After a lost answer the partitions may already exist, and a repeated request would fail.
  repeatable: false,
  changes: true,
  request: {
    topics: array(
      struct({ name: string, count: int32, assignments: nullable(array(struct({ brokerIds: array(int32) }))) }),
    ),
    timeoutMs: int32,
    validateOnly: boolean,
  },
  response: {
    throttleTimeMs: optional(int32),
    results: array(struct({ name: string, errorCode: int16, errorMessage: nullable(string) })),
  },
});
