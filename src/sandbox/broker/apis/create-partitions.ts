import { nullable, optional, struct } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { array, boolean, int16, int32, string } from '../wire/primitives.ts';

/** CreatePartitions (key 37). */
export const createPartitions = layout({
  name: 'CreatePartitions',
  key: 37,
  min: 0,
  max: 3,
  flexibleFrom: 2,
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
