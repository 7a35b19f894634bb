import { expect, test } from 'vitest';
import { seededRandom } from '../../src/serde/random.ts';
import { createVirtualClock } from './virtual-clock.ts';

test('timers fire in order of time, and in order of creation at the same time', async () => {
  const clock = createVirtualClock(1);
  const fired: string[] = [];
  const note = (name: string) => (): void => void fired.push(`${name}@${clock.now()}`);
  clock.after(20, note('late'));
  clock.after(10, note('first'));
  clock.after(10, note('second'));
  clock.after(5, note('cancelled'))();
  clock.after(10, () => clock.after(0, note('inner')));
  expect([clock.pending, clock.nextDue]).toEqual([4, 10]);
  await clock.runUntilIdle();
  expect(fired).toEqual(['first@10', 'second@10', 'inner@10', 'late@20']);
  expect([clock.pending, clock.nextDue, clock.now()]).toEqual([0, undefined, 20]);
});

test('time only advances as far as requested', async () => {
  const clock = createVirtualClock(1);
  let fired = 0;
  const tick = (): void => {
    fired += 1;
    clock.after(100, tick);
  };
  tick();
  await clock.runFor(250);
  expect([fired, clock.now(), clock.pending]).toEqual([3, 250, 1]);
  await clock.advanceTo(300);
  expect(fired).toBe(4);
  await expect(clock.runUntilIdle(1_000)).rejects.toThrow('1 timers are still waiting after 1000 ms');
});

test('promises run between timers, and runUntil reports promises that cannot settle in time', async () => {
  const clock = createVirtualClock(1);
  const steps: string[] = [];
  const work = async (name: string): Promise<string> => {
    for (let step = 0; step < 3; step += 1) {
      await clock.sleep(10);
      steps.push(`${name}${step}@${clock.now()}`);
    }
    return name;
  };
  expect(await clock.runUntil(Promise.all([work('a'), work('b')]))).toEqual(['a', 'b']);
  expect(steps).toEqual(['a0@10', 'b0@10', 'a1@20', 'b1@20', 'a2@30', 'b2@30']);
  await expect(clock.runUntil(new Promise(() => undefined))).rejects.toThrow('no timer is left');
  await expect(clock.runUntil(clock.sleep(5_000), 100)).rejects.toThrow('100 ms have passed');
  await expect(clock.runUntil(Promise.reject(new Error('as it is')))).rejects.toThrow('as it is');
});

test('an aborted sleep leaves no timer', async () => {
  const clock = createVirtualClock(1);
  const controller = new AbortController();
  const sleep = clock.sleep(1_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(sleep).rejects.toThrow('enough');
  expect(clock.pending).toBe(0);
});

test('dice are the same for the same seed and different for another', () => {
  const rolls = (seed: number): readonly number[] => Array.from({ length: 1_000 }, seededRandom(seed));
  expect(rolls(7)).toEqual(rolls(7));
  expect(rolls(7)).not.toEqual(rolls(8));
  const some = rolls(9);
  expect(Math.min(...some)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...some)).toBeLessThan(1);
  expect(some.reduce((sum, one) => sum + one, 0) / some.length).toBeCloseTo(0.5, 1);
});
