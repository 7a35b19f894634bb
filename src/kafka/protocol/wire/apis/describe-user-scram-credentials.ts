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
    // Null or empty for all users with a SCRAM credential. Kafka 4.1 does not answer a request with null at all if the
    // principal is not authorized; the fake cluster of franz-go describes nobody if it is empty.
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
