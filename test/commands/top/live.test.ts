import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { type Clock, realClock } from '../../../src/clock.ts';
import { top } from '../../../src/commands/top/index.ts';
import { liveView } from '../../../src/commands/top/live.ts';
import { firstState } from '../../../src/commands/top/state.ts';
import type { Context } from '../../../src/context.ts';
import { unreachableError } from '../../../src/errors.ts';
import type { Overview } from '../../../src/kafka/cluster/overview/overview-rows.ts';
import { hostOf } from '../../config/sources/sources.ts';
import { createVirtualClock } from '../../simulation/virtual-clock.ts';
import { overviewOf } from './overview.ts';

/** What the command needs of a context, with a terminal whose keys are the input. */
function contextOf(clock: Clock, input: PassThrough, more: object = {}): Context {
  return {
    host: hostOf({ openTerminal: () => ({ input, write: () => undefined, close: () => undefined }) }),
    clock,
    signal: new AbortController().signal,
    config: async () => ({ profile: undefined, get: () => [], setting: () => ({ source: 'default' }) }),
    progress: () => ({ report: () => undefined, end: () => undefined }),
    openEnded: (work: () => Promise<unknown>) => work(),
    hold: () => () => undefined,
    onStop: () => () => undefined,
    ...more,
  } as unknown as Context;
}

test('a failure is shown until the next reading, and readings go on after a pause', async () => {
  const input = new PassThrough();
  let screen = '';
  let calls = 0;
  const context = contextOf(realClock, input);
  const next = async () => {
    calls += 1;
    if (calls === 2) throw unreachableError('the cluster is away');
    return overviewOf();
  };
  const view = await liveView({ context, next, intervalMs: 50, state: firstState('', false), color: false });
  const write = (chunk: Uint8Array): undefined => {
    screen += Buffer.from(chunk).toString();
  };
  const ended = view.pump({ write });
  await expect.poll(() => screen, { timeout: 60_000 }).toContain('the cluster is away');
  const failedAt = screen.lastIndexOf('the cluster is away');
  await expect.poll(() => calls, { timeout: 60_000 }).toBeGreaterThan(3);
  // The line of the message was written again, without it.
  await expect.poll(() => screen.slice(failedAt), { timeout: 60_000 }).toContain('\u001b[4;1H\u001b[K\u001b');
  input.write('p');
  await expect.poll(() => screen, { timeout: 60_000 }).toContain('PAUSED');
  const paused = calls;
  input.write('p');
  await expect.poll(() => calls, { timeout: 60_000 }).toBeGreaterThan(paused + 1);
  input.write('q');
  expect(await ended).toBe(0);
});

describe('rounds begin an interval apart, although each takes time,', () => {
  function stage() {
    const clock = createVirtualClock();
    const begun: number[] = [];
    const next = async () => {
      begun.push(clock.now());
      await clock.sleep(300);
      return overviewOf();
    };
    return { clock, begun, next };
  }

  test('in the live view', async () => {
    const { clock, begun, next } = stage();
    const input = new PassThrough();
    const context = contextOf(clock, input);
    const view = liveView({ context, next, intervalMs: 1000, state: firstState('', false), color: false });
    const ended = (await clock.runUntil(view)).pump({ write: () => undefined });
    await clock.runFor(3500);
    input.write('q');
    await ended;
    expect(begun).toEqual([0, 1300, 2300, 3300]);
  });

  test('in the readings of a script', async () => {
    const { clock, begun, next } = stage();
    const favored = vi.fn();
    const context = contextOf(clock, new PassThrough(), {
      host: hostOf({ favorMemory: favored }),
      flags: { format: 'json' },
      kafka: async () => ({ overviewRounds: async () => ({ next }) }),
      deadline: async () => ({ failed: () => undefined }),
    });
    const args = { interval: 1_000_000_000n, once: false, filter: undefined, internal: false, dryRun: false };
    const readings = (await clock.runUntil(
      Promise.resolve(top.run(context, args, undefined)),
    )) as AsyncIterableIterator<Overview>;
    for (let count = 0; count < 3; count += 1) await clock.runUntil(readings.next());
    expect(begun).toEqual([0, 1300, 2300, 3300]);
    expect(favored).toHaveBeenCalledOnce();
  });
});
