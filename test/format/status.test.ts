import { expect, it } from 'vitest';
import { statusText } from '../../src/format/status.ts';

it('a status is the code and the reason, or OK', () => {
  expect(statusText({ code: 'X', number: null, message: 'why', retryable: false, exit_code: 1 })).toBe('X: why');
  expect(statusText(null)).toBe('OK');
  expect(statusText(null, '-')).toBe('-');
});
