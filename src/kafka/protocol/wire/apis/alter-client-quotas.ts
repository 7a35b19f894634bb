import { api } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, boolean, float64, int16, int32, string } from '../primitives.ts';

/** AlterClientQuotas (key 49) (KIP-546). */
export const alterClientQuotas = api({
  name: 'AlterClientQuotas',
  key: 49,
  versions: [0, 1],
  flexibleFrom: 1,
  target: 'controller',
  // Setting the same value and removing a removed value change nothing.
  repeatable: true,
  changes: true,
  request: {
    entries: array(
      struct({
        entity: array(
          struct({
            entityType: string,
            entityName: nullable(string),
          }),
        ),
        ops: array(
          struct({
            key: string,
            value: float64,
            remove: boolean,
          }),
        ),
      }),
    ),
    validateOnly: boolean,
  },
  response: {
    throttleTimeMs: optional(int32),
    entries: array(
      struct({
        errorCode: int16,
        errorMessage: nullable(string),
        entity: array(
          struct({
            entityType: string,
            entityName: nullable(string),
          }),
        ),
      }),
    ),
  },
});
