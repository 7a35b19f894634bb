import { expect, test } from 'vitest';
import { describeToken, readClaims } from '../../src/net/jwt.ts';

const tokenOf = (claims: unknown) => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
const none = {
  issuer: undefined,
  subject: undefined,
  audience: [],
  scope: undefined,
  expiresAt: undefined,
  notBefore: undefined,
  clientId: undefined,
};

test.each<[string, object | undefined]>([
  [tokenOf({ exp: 7, aud: 'a', azp: 'c' }), { ...none, expiresAt: 7_000, audience: ['a'], clientId: 'c' }],
  [tokenOf({ aud: ['a', 5, 'b'] }), { ...none, audience: ['a', 'b'] }],
  [
    tokenOf({ iss: 'i', sub: 's', nbf: 3, scope: 'x y' }),
    { ...none, issuer: 'i', subject: 's', notBefore: 3_000, scope: 'x y' },
  ],
  [tokenOf({ exp: '7', azp: 5 }), none],
  [tokenOf({ exp: 1e18 }), { ...none, expiresAt: 1e21 }],
  [tokenOf({}), none],
  [tokenOf(null), undefined],
  ['a.e30', undefined],
  ['a.e30.', none],
  ['a.x.s', undefined],
  ['opaque', undefined],
])('the claims of %s are read', (token, expected) => {
  expect(readClaims(token)).toEqual(expected);
});

test.each([
  [
    { iss: 'https://i.example', sub: 'ana', aud: ['a', 'b'], scope: 'x', exp: 120 },
    'the token was issued by https://i.example for the audience a, b to ana with the scope x until 1970-01-01T00:02:00Z',
    [],
  ],
  [{}, 'the token was issued by (none) for the audience (none) to (none) without an expiry', []],
  [{ exp: 1e18 }, 'the token was issued by (none) for the audience (none) to (none) until the end of time', []],
  [
    { exp: 40, nbf: 90 },
    'the token was issued by (none) for the audience (none) to (none) until 1970-01-01T00:00:40Z',
    ['it expired 20s ago', 'it is not valid for another 30s: compare the clocks of this machine and of the issuer'],
  ],
])('the claims %j are described', (claims, text, faults) => {
  expect(describeToken(tokenOf(claims), 60_000)).toEqual({ claims: text, faults });
});

test('an opaque token has nothing to describe', () => {
  expect(describeToken('opaque', 0).claims).toBe('the token is opaque: only its issuer can tell whom it is for');
});
