import { api } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, int8, int16, int32, string } from '../primitives.ts';

/** DescribeUserScramCredentials (key 50) (KIP-554). */
export const describeUserScramCredentials = api({
  name: 'DescribeUserScramCredentials',
  key: 50,
  versions: [0, 0],
  flexibleFrom: 0,
  target: 'any',
  repeatable: true,
  request: {
    users: nullable(
      array(
        struct({
          name: string,
        }),
      ),
    ),
  },
  response: {
    throttleTimeMs: optional(int32),
    errorCode: int16,
    errorMessage: nullable(string),
    results: array(
      struct({
        user: string,
        errorCode: int16,
        errorMessage: nullable(string),
        credentialInfos: array(
          struct({
            mechanism: int8,
            iterations: int32,
          }),
        ),
      }),
    ),
  },
});
