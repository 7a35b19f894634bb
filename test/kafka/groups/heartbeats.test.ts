import { expect, test } from 'vitest';
import { createHeartbeats } from '../../../src/kafka/groups/heartbeats.ts';
import { createVirtualClock } from '../../simulation/virtual-clock.ts';
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

test('a session that may be over is confirmed by a heartbeat before anything else is done', async () => {
  const clock = createVirtualClock();
  let answer = Promise.withResolvers<void>();
  const heartbeats = createHeartbeats({
    ...{ clock, intervalMs: () => 1_000, sessionMs: 10_000, patienceMs: 60_000 },
    beat: () => answer.promise,
    retried: () => undefined,
    failed: () => undefined,
  });
  heartbeats.start(0);
  await clock.runFor(9_000);
  expect(heartbeats.confirmed()).toBeUndefined();
  await clock.runFor(2_000);
  let isConfirmed = false;
  const confirming = heartbeats.confirmed()?.then(() => {
    isConfirmed = true;
  });
  await clock.runFor(1_000);
  expect(isConfirmed).toBe(false);
  const late = answer;
  answer = Promise.withResolvers<void>();
  answer.resolve();
  late.resolve();
  await clock.runFor(10);
  await confirming;
  expect([isConfirmed, heartbeats.confirmed()]).toEqual([true, undefined]);
  heartbeats.stop();
});
