import { expect, onTestFinished, test, vi } from 'vitest';
import type { StoredLogin } from '../../../src/sign-in/control-plane/login-files.ts';
import { isFresh } from '../../../src/sign-in/control-plane/token-source.ts';

const tokenOf = (claims: unknown) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;

const login: Pick<StoredLogin, 'audience' | 'clientId'> = { audience: 'a', clientId: 'c' };
const hour = 3_600_000;

const now = Date.now();

/** A token with an hour's life, of which so much is left at `now`, in milliseconds. */
function lasting(left: number, text = 'opaque', life = hour) {
  const expiresAt = now + left;
  return { text, issuedAt: expiresAt - life, expiresAt };
}

test.each([
  ['with half its life', lasting(hour / 2), true],
  ['with a little more than a minute', lasting(65_000), true],
  ['with less than a minute', lasting(55_000), false],
  ['of ten seconds, with two', lasting(2_000, 'opaque', 10_000), true],
  ['of ten seconds, with half a second', lasting(500, 'opaque', 10_000), false],
  ['that has expired', lasting(-1), false],
  ['for this audience', lasting(hour, tokenOf({ aud: ['x', 'a'] })), true],
  ['for another audience', lasting(hour, tokenOf({ aud: 'x' })), false],
  ['without an audience', lasting(hour, tokenOf({})), true],
  ['of this client', lasting(hour, tokenOf({ azp: 'c' })), true],
  ['of another client', lasting(hour, tokenOf({ azp: 'x' })), false],
])('a token %s is fresh: %s', (_, token, expected) => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  expect(isFresh(token, login)).toBe(expected);
});

test('no token is not fresh', () => {
  expect(isFresh(undefined, login)).toBe(false);
});
