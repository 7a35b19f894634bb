import { expect, test } from 'vitest';
import { createHeartbeats } from '../../../../src/kafka/streams/groups/heartbeats.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';
import { cut } from './coordinator.ts';

test('failed heartbeats are repeated with pauses that grow up to the interval, and reset after an answer', async () => {
  const clock = createVirtualClock();
  const told: string[] = [];
  const pauses: number[] = [];
  let isCut = true;
  const heartbeats = createHeartbeats({
    ...{ clock, intervalMs: () => 1_000, sessionMs: 45_000, patienceMs: 60_000 },
    beat: async () => {
      if (isCut) throw cut();
    },
    retried(_error, { what, afterMs }) {
      told.push(what);
      pauses.push(afterMs);
    },
    failed: (error) => told.push(String(error)),
  });
  heartbeats.start(0);
  await clock.runFor(2_500);
  expect(told.slice(0, 4)).toEqual([2, 3, 4, 5].map((next) => `attempt ${next} of Heartbeat`));
  // 250 ms, doubled each time, give or take a fifth.
  expect(pauses[1]).toBeGreaterThan(pauses[0] ?? 0);
  expect(pauses.slice(3).every((pause) => pause === 1_000)).toBe(true);
  isCut = false;
  await clock.runFor(2_000);
  isCut = true;
  const before = told.length;
  await clock.runFor(1_100);
  expect(told[before]).toBe('attempt 2 of Heartbeat');
  heartbeats.stop();
  expect(clock.pending).toBe(0);
});

test.each([
  ['this process stood still', 11_000, 0],
  ['the machine slept, so that only the wall clock went on', 1_000, 11_000],
])('a session that may be over because %s is confirmed by a new heartbeat first', async (_what, ms, asleepMs) => {
  const time = createVirtualClock();
  let sleptMs = 0;
  const clock = { ...time, wallTime: () => time.wallTime() + sleptMs };
  const sent: PromiseWithResolvers<void>[] = [];
  const heartbeats = createHeartbeats({
    ...{ clock, intervalMs: () => 1_000, sessionMs: 10_000, patienceMs: 60_000 },
    beat() {
      const answer = Promise.withResolvers<void>();
      sent.push(answer);
      return answer.promise;
    },
    retried: () => undefined,
    failed: () => undefined,
  });
  heartbeats.start(0);
  await time.runFor(500);
  expect(heartbeats.confirmed()).toBeUndefined();
  await time.runFor(ms);
  sleptMs = asleepMs;
  let isConfirmed = false;
  const confirming = heartbeats.confirmed()?.then(() => {
    isConfirmed = true;
  });
  await time.runFor(100);
  expect(sent.length).toBe(2);
  // The coordinator sent it before the standstill.
  sent[0]?.resolve();
  await time.runFor(100);
  expect(isConfirmed).toBe(false);
  sent[1]?.resolve();
  await confirming;
  expect([isConfirmed, heartbeats.confirmed()]).toEqual([true, undefined]);
  heartbeats.stop();
});
