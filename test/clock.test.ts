import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import { createPace, realClock, sleepBy } from '../src/clock.ts';

/** A sleep whose timer fires when it is told to. */
function sleeping(signal: AbortSignal) {
  let fire = (): void => undefined;
  let isCanceled = false;
  const after = (_: number, call: () => void) => {
    fire = call;
    return () => {
      isCanceled = true;
    };
  };
  const done = sleepBy(after, 1_000, signal);
  return { done, fire: () => fire(), isCanceled: () => isCanceled };
}

test('a sleep that has ended leaves no listener on its signal', async () => {
  const { signal } = new AbortController();
  const { done, fire } = sleeping(signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  fire();
  await done;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('an aborted signal ends a sleep with its reason and cancels the timer', async () => {
  const controller = new AbortController();
  const { done, isCanceled } = sleeping(controller.signal);
  const reason = new Error('stop');
  controller.abort(reason);
  await expect(done).rejects.toBe(reason);
  expect(isCanceled()).toBe(true);
});

test('a timer longer than Node.js allows waits as long as it can, instead of firing at once', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const fired = vi.fn();
    realClock.after(1e13, fired);
    vi.advanceTimersByTime(2_147_483_646);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fired).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

test('a pace says how much is due, and how long to wait for more', () => {
  let time = 7;
  const pace = createPace(4, () => time);
  expect([pace.due(), pace.waitMs(0), pace.waitMs(1)]).toEqual([1, 0, 250]);
  time += 1_100;
  expect([pace.due(), pace.waitMs(4), pace.waitMs(5)]).toEqual([5, -100, 150]);
});

test('a time that has passed fires at once, without the warning of Node.js', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    await realClock.sleep(-1);
    expect(warned).not.toHaveBeenCalled();
  } finally {
    warned.mockRestore();
  }
});
