import { expect, test } from 'vitest';
import { topLevelError } from '../../../src/kafka/consume/fetch-request.ts';

const requestOf = (isFull: boolean) => ({ isFull }) as Parameters<typeof topLevelError>[1];

test.each([70, 71, 106])('error %i of a whole answer ends the session, not the read', (code) => {
  expect(topLevelError(1, requestOf(false), code)).toBe('session');
  // Without a session there is nothing to end: the broker cannot be read from.
  expect(topLevelError(1, requestOf(true), code)).toMatchObject({
    message: expect.stringMatching(/^unable to read from broker 1: /),
    target: '1',
  });
});

test.each([
  [0, undefined],
  [6, { retryable: true }],
  [29, { retryable: false }],
])('error %i of a whole answer is %j', (code, error) => {
  const judged = topLevelError(1, requestOf(false), code);
  if (error === undefined) expect(judged).toBeUndefined();
  else expect(judged).toMatchObject(error);
});
