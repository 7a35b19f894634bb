import { api } from '../api.ts';
import { nullable, optional, struct } from '../fields.ts';
import { array, bytes, int8, int16, int32, string } from '../primitives.ts';

/** AlterUserScramCredentials (key 51) (KIP-554). */
export const alterUserScramCredentials = api({
  name: 'AlterUserScramCredentials',
  key: 51,
  versions: [0, 0],
  flexibleFrom: 0,
  target: 'controller',
  // A repeated deletion fails, because the credential no longer exists.
  repeatable: false,
  changes: true,
  request: {
    deletions: array(
      struct({
        name: string,
        mechanism: int8,
      }),
    ),
    upsertions: array(
      struct({
        name: string,
        mechanism: int8,
        iterations: int32,
        salt: bytes,
        saltedPassword: bytes,
      }),
    ),
  },
  response: {
    throttleTimeMs: optional(int32),
    results: array(
      struct({
        user: string,
        errorCode: int16,
        errorMessage: nullable(string),
      }),
    ),
  },
});
