import { expect, test } from 'vitest';
import { answerWithout } from '../../src/net/json-api/error.ts';
import { secretsOfHeader, withoutSent } from '../../src/net/secret.ts';

const secret = 'p"a/s s+wörd';
const basic = `Basic ${Buffer.from(`alice:${secret}`).toString('base64')}`;

test.each([
  ['as it is', secret],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in base64 without padding', Buffer.from(secret).toString('base64').replace(/=+$/, '')],
  ['in base64 for URLs', Buffer.from(secret).toString('base64url')],
  ['percent-encoded', encodeURIComponent(secret)],
  ['form-encoded', new URLSearchParams({ '': secret }).toString().slice(1)],
  ['in JSON', JSON.stringify(secret).slice(1, -1)],
])('a secret is hidden %s', (_, form) => {
  expect(withoutSent(`wrong: ${form}, ${form}!`, [secret])).toBe('wrong: ***, ***!');
});

test('a secret that is a part of another leaves nothing of it, and a short one stays', () => {
  expect(withoutSent('abcdefgh abcd abc', ['abcd', 'abcdefgh', 'abc'])).toBe('*** *** abc');
});

test('a secret at the end of a long text is hidden before the text is cut', () => {
  expect(withoutSent(`12345${secret}`, [secret], 8)).toBe('12345***');
  expect(withoutSent(`123456${secret}`, [secret], 8)).toBe('123456*…');
});

test('the secrets of basic authentication are the pair and the password, and that of another scheme is all of it', () => {
  expect(secretsOfHeader(basic)).toEqual([`alice:${secret}`, secret]);
  expect(secretsOfHeader('Bearer tok-en')).toEqual(['tok-en']);
  expect(secretsOfHeader(undefined)).toEqual(['']);
});

test.each([
  ['JSON', JSON.stringify({ [secret]: [`is ${secret}`], error_code: 4040 }), '{"***":["is ***"],"error_code":4040}'],
  [
    'JSON with other escapes',
    `{"a":"is ${[...secret].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`,
    '{"a":"is ***"}',
  ],
  ['JSON that repeats JSON', JSON.stringify({ a: JSON.stringify({ b: secret }) }), '{"a":"{\\"b\\":\\"***\\"}"}'],
  ['a text', `${basic} is wrong`, 'Basic *** is wrong'],
])('an answer in %s loses what it repeats, and nothing else', (_, text, expected) => {
  const answer = { status: 401, headers: { location: `/?${secret}` }, body: Buffer.from(text) };
  const hidden = answerWithout(answer, [...secretsOfHeader(basic), '4040']);
  expect([hidden.headers.location, hidden.body.toString()]).toEqual(['/?***', expected]);
});
