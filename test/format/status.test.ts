import { expect, it } from 'vitest';
import { statusText } from '../../src/format/status.ts';

it('a status is the code, once, and the reason, or OK', () => {
  const error = { code: 'X', number: 7, message: 'why', retryable: false, exit_code: 1 } as const;
  expect(statusText(error)).toBe('X: why');
  expect(statusText({ ...error, message: 'cannot do it: X (7): why' })).toBe('cannot do it: X (7): why');
  expect(statusText(null)).toBe('OK');
  expect(statusText(null, '-')).toBe('-');
});
