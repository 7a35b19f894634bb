import { api } from '../api.ts';
import { array, int16, string } from '../primitives.ts';

/** SaslHandshake (key 17) (KIP-43, KIP-152): SaslAuthenticate requests follow. It never became flexible. */
export const saslHandshake = api({
  name: 'SaslHandshake',
  key: 17,
  versions: [1, 1],
  target: 'broker',
  repeatable: true,
  request: {
    mechanism: string,
  },
  response: {
    errorCode: int16,
    mechanisms: array(string),
  },
});
