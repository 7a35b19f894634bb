import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ExactQueue } from '../../../src/kafka/transport/queue.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A queue with the ids it sent, in order, and how each request ended. */
function started() {
  const queue = new ExactQueue({ clientId: 'c', broker: 'b', isConnected: () => true });
  const sent: number[] = [];
  const ended: string[] = [];
  const push = (correlationId: number): void =>
    queue.push({
      entry: {
        apiKey: 3,
        apiName: 'Metadata',
        apiVersion: 9,
        correlationId,
        resolve: () => ended.push(`${correlationId} answered`),
        reject: ({ message }) => ended.push(`${correlationId} ${message}`),
      },
      expectResponse: true,
      requestTimeout: null,
      sendRequest: () => sent.push(correlationId),
    });
  return { queue, sent, ended, push };
}

const payload = Buffer.alloc(0);

describe('the request queue', () => {
  test('sends at once, as many as there are, and arms no timer', () => {
    const { queue, sent, ended, push } = started();
    queue.scheduleRequestTimeoutCheck();
    for (const id of [0, 1, 2]) push(id);
    for (const correlationId of [0, 1, 2]) queue.fulfillRequest({ correlationId, size: 0, payload });
    expect(sent).toEqual([0, 1, 2]);
    expect(ended).toEqual(['0 answered', '1 answered', '2 answered']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('takes back one request; its late answer changes nothing', () => {
    const { queue, ended, push } = started();
    push(0);
    push(1);
    expect(queue.expire(0, new Error('timed out'))).toBe(true);
    expect(queue.expire(0, new Error('again'))).toBe(false);
    queue.fulfillRequest({ correlationId: 0, size: 0, payload });
    queue.fulfillRequest({ correlationId: 1, size: 0, payload });
    expect(ended).toEqual(['0 timed out', '1 answered']);
  });

  test('holds requests back while the broker throttles, in order, with one timer', () => {
    const { queue, sent, push } = started();
    queue.maybeThrottle(500);
    queue.maybeThrottle(200);
    push(0);
    push(1);
    vi.advanceTimersByTime(499);
    expect(sent).toEqual([]);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual([0, 1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does not believe a throttle of days', () => {
    const { queue, sent, push } = started();
    queue.maybeThrottle(2_147_483_647);
    push(0);
    vi.advanceTimersByTime(60_000);
    expect(sent).toEqual([0]);
  });

  test('rejects what is in flight and what waits alike, and stops its timer', () => {
    const { queue, ended, push } = started();
    push(0);
    queue.maybeThrottle(500);
    push(1);
    queue.rejectAll(new Error('closed'));
    queue.destroy();
    expect(ended).toEqual(['0 closed', '1 closed']);
    expect(vi.getTimerCount()).toBe(0);
  });
});
