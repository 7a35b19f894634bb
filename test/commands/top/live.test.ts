import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { realClock } from '../../../src/clock.ts';
import { liveView } from '../../../src/commands/top/live.ts';
import { firstState } from '../../../src/commands/top/state.ts';
import type { Context } from '../../../src/context.ts';
import { unreachableError } from '../../../src/errors.ts';
import { hostOf } from '../../config/sources/sources.ts';
import { overviewOf } from './overview.ts';

test('a failure is shown until the next reading, and readings go on after a pause', async () => {
  const input = new PassThrough();
  let screen = '';
  let calls = 0;
  const context = {
    host: hostOf({ openTerminal: () => ({ input, write: () => undefined, close: () => undefined }) }),
    clock: realClock,
    signal: new AbortController().signal,
    config: async () => ({ profile: undefined, get: () => [] }),
    progress: () => ({ report: () => undefined, end: () => undefined }),
    openEnded: (work: () => Promise<unknown>) => work(),
    hold: () => () => undefined,
    onStop: () => () => undefined,
  } as unknown as Context;
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
