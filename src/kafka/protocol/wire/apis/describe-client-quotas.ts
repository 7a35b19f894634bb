import { api } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, boolean, float64, int8, int16, int32, string } from '../primitives.ts';

/** DescribeClientQuotas (key 48) (KIP-546). */
export const describeClientQuotas = api({
  name: 'DescribeClientQuotas',
  key: 48,
  versions: [0, 1],
  flexibleFrom: 1,
  target: 'any',
  repeatable: true,
  request: {
    components: array(
      struct({
        entityType: string,
        matchType: int8,
        match: nullable(string),
      }),
    ),
    strict: boolean,
  },
  response: {
    throttleTimeMs: optional(int32),
    errorCode: int16,
    errorMessage: nullable(string),
    entries: nullable(
      array(
        struct({
          entity: array(
            struct({
              entityType: string,
              entityName: nullable(string),
            }),
          ),
          values: array(
            struct({
              key: string,
              value: float64,
            }),
          ),
        }),
      ),
    ),
  },
});
