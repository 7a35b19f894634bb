import { expect, test } from 'vitest';
import { type HealthWatch, watchHealth } from '../../../../src/commands/cluster/health-watch.ts';
import { unreachableError, usageError } from '../../../../src/errors.ts';
import type { ShownHealth } from '../../../../src/kafka/cluster/brokers/health-rows.ts';
import { deadlineOf, failureOf } from '../../../services/scripted-client.ts';
import { createVirtualClock } from '../../../simulation/virtual-clock.ts';

const bad = { is_healthy: false, nodes_down: [2] } as unknown as ShownHealth;
const worse = { is_healthy: false, nodes_down: [2, 3] } as unknown as ShownHealth;
const good = { is_healthy: true, nodes_down: [] } as unknown as ShownHealth;
const untilHealthy = { untilHealthy: true };
const forever = { untilHealthy: false };
const gone = unreachableError('no broker answers');

/** Watches a cluster with the given states, the last of which stays; returns what was shown at which second. */
async function watch(
  how: HealthWatch,
  states: readonly (ShownHealth | Error)[],
  seconds = 60,
): Promise<{ readonly shown: readonly (readonly [second: number, state: ShownHealth])[]; readonly told: string[] }> {
  const clock = createVirtualClock();
  const told: string[] = [];
  const deadline = deadlineOf({ command: 5_000 }, clock, (error) => told.push(error.message));
  let at = 0;
  const read = async (): Promise<ShownHealth> => {
    const state = states[Math.min(at, states.length - 1)];
    at += 1;
    if (state === undefined || state instanceof Error) throw state;
    return state;
  };
  const shown: (readonly [number, ShownHealth])[] = [];
  const work = (async () => {
    for await (const state of watchHealth(read, how, deadline)) shown.push([clock.now() / 1_000, state]);
  })();
  const stop = clock.after(seconds * 1_000, () => deadline.abort(usageError('interrupted')));
  await clock.runUntil(work);
  stop();
  deadline.dispose();
  return { shown, told };
}

test('a watch shows each change, and ends at the first healthy state', async () => {
  const { shown } = await watch(untilHealthy, [bad, bad, worse, good]);
  expect(shown).toEqual([
    [0, bad],
    [4, worse],
    [6, good],
  ]);
});

test('another controller is no change, because brokers name any of them; no controller is one', async () => {
  const led = (id: number | null): ShownHealth => ({ ...bad, controller_id: id });
  const { shown } = await watch(untilHealthy, [led(1), led(2), led(3), led(null), led(1), good]);
  expect(shown).toEqual([
    [0, led(1)],
    [6, led(null)],
    [8, led(1)],
    [10, good],
  ]);
});

test('a watch is not bounded by the command timeout', async () => {
  const { shown } = await watch(untilHealthy, [...new Array<ShownHealth>(10).fill(bad), good]);
  expect(shown.map(([second]) => second)).toEqual([0, 20]);
});

test('a cluster that cannot be reached is not healthy yet', async () => {
  const { shown, told } = await watch(untilHealthy, [gone, bad, gone, good]);
  expect(shown).toEqual([
    [2, bad],
    [6, good],
  ]);
  expect(told).toEqual(['no broker answers', 'no broker answers']);
});

test('a watch without an end continues until it is interrupted', async () => {
  expect((await failureOf(watch(forever, [good, gone, bad, good], 30))).message).toBe('interrupted');
});

test('a watch without an end fails if the first read fails', async () => {
  expect(await failureOf(watch(forever, [gone]))).toBe(gone);
});

test('any other failure ends the watch', async () => {
  const denied = usageError('denied');
  expect(await failureOf(watch(untilHealthy, [bad, denied]))).toBe(denied);
});

test('--wait-timeout ends the wait, and says what the cluster was last', async () => {
  const limited = { untilHealthy: true, waitTimeout: 10_000_000_000n };
  const sick = { ...bad, unhealthy_reasons: ['nodes_down', 'under_replicated_partitions'] };
  expect(await failureOf(watch(limited, [sick]))).toMatchObject({
    message: 'the cluster was not healthy within 10s (--wait-timeout): nodes_down, under_replicated_partitions',
    hints: ['raise the limit with --wait-timeout DURATION'],
    ...{ code: 'WAIT_TIMEOUT', exitCode: 5 },
  });
  expect(await failureOf(watch(limited, [sick, gone]))).toMatchObject({
    message: 'the cluster was not healthy within 10s (--wait-timeout): the last reading failed: no broker answers',
    ...{ code: 'WAIT_TIMEOUT', exitCode: 5 },
  });
  expect((await watch(limited, [sick, sick, good])).shown.at(-1)).toEqual([4, good]);
});

test('--wait-timeout ends a reading that hangs', async () => {
  const clock = createVirtualClock();
  const deadline = deadlineOf({ command: 5_000 }, clock);
  const read = () =>
    new Promise<ShownHealth>((_, reject) => {
      deadline.signal.addEventListener('abort', () => reject(deadline.signal.reason));
    });
  const states = watchHealth(read, { untilHealthy: true, waitTimeout: 7_000_000_000n }, deadline);
  const first = failureOf(states[Symbol.asyncIterator]().next());
  await clock.runUntil(first);
  expect(await first).toMatchObject({ message: 'the cluster was not healthy within 7s (--wait-timeout)' });
  expect(clock.now()).toBe(7_000);
  deadline.dispose();
});
