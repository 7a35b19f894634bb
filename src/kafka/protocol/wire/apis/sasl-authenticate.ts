import { api } from '../api.ts';
import { nullable, since } from '../fields.ts';
import { bytes, int16, int64, string } from '../primitives.ts';

/** SaslAuthenticate (key 36) (KIP-152). */
export const saslAuthenticate = api({
  name: 'SaslAuthenticate',
  key: 36,
  versions: [0, 2],
  flexibleFrom: 2,
  target: 'broker',
  // A message is valid only at one place in one exchange.
  repeatable: false,
  request: {
    authBytes: bytes,
  },
  response: {
    errorCode: int16,
    errorMessage: nullable(string),
    authBytes: bytes,
    sessionLifetimeMs: since(1, int64),
  },
});
