import { expect, test } from 'vitest';
import { configError, invalidValue, joinErrors } from '../../src/config/layer.ts';

const lines = (count: number) =>
  joinErrors(Array.from({ length: count }, (_, index) => configError(`wrong ${index}`))).message.split('\n');

test('up to fifty errors are reported, and how many more there are', () => {
  expect(lines(1)).toEqual(['wrong 0']);
  expect(lines(50)).toHaveLength(50);
  expect(lines(50).at(-1)).toBe('wrong 49');
  expect(lines(52).slice(-2)).toEqual(['wrong 49', 'and 2 more errors']);
});

test('an invalid value that may hold a secret is not repeated', () => {
  const { message } = invalidValue('oauth.extensions', new Error('not KEY=VALUE'), 'WEIR_OAUTH_EXTENSIONS', 'CANARY');
  expect(message).toBe('invalid SASL extensions for oauth.extensions in WEIR_OAUTH_EXTENSIONS: not KEY=VALUE');
});
