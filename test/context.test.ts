import { expect, test } from 'vitest';
import { type ContextParts, openContext } from '../src/context.ts';
import { hostOf } from './config/sources/sources.ts';

/** A context with this part of the command line, and what it told. */
function contextWith(x: readonly string[] = [], env: Record<string, string> = {}) {
  const told: string[] = [];
  const say = (kind: string) => (line: string) => void told.push(`${kind} ${line}`);
  const parts: ContextParts = {
    host: hostOf({ env }),
    flags: {
      ...{
        format: 'text',
        verbosity: 0,
        quiet: false,
        trace: undefined,
        noInput: true,
        refusesInput: false,
        yes: false,
      },
      ...{ noHeaders: false, color: 'auto' },
    },
    given: { x, deprecated: [] },
    command: 'weir x',
    messages: {
      ...{ notice: say('notice'), step: say('step'), detail: say('detail') },
      ...{ warn: say('warn'), warnOnce: say('warn') },
      hold: () => () => undefined,
      progress: () => ({ report: () => undefined, clear: () => undefined, end: () => undefined }),
    },
    startedAt: Date.now(),
    trace: undefined,
  };
  return { context: openContext(parts), told };
}

test('signals go to those who take them, one after the other, until they let go', () => {
  const { context } = contextWith();
  const taken: string[] = [];
  expect(context.deliver('SIGINT')).toBe(false);
  const release = context.handSignals((signal) => taken.push(`first ${signal}`));
  const releaseSecond = context.handSignals((signal) => taken.push(`second ${signal}`));
  expect(context.deliver('SIGINT')).toBe(true);
  release();
  expect(context.deliver('SIGTERM')).toBe(true);
  releaseSecond();
  expect([context.deliver('SIGHUP'), taken]).toEqual([false, ['first SIGINT', 'second SIGINT', 'second SIGTERM']]);
  context.abort(new Error('end'));
});

test('a command is told to stop as long as it listens', () => {
  const { context } = contextWith();
  let stops = 0;
  expect(context.stop('signal')).toBeUndefined();
  const release = context.onStop(() => {
    stops += 1;
    return stops === 1 ? undefined : 'finishing 2 records';
  });
  expect([context.stop('signal'), stops]).toEqual([[], 1]);
  expect([context.stop('signal'), stops]).toEqual([['finishing 2 records'], 2]);
  release();
  expect([context.stop('signal'), stops]).toEqual([undefined, 2]);
  context.abort(new Error('end'));
});

test('only the first reason to abort counts', () => {
  const { context } = contextWith();
  context.abort(new Error('first'));
  context.abort(new Error('second'));
  expect(context.signal.reason).toEqual(new Error('first'));
});

test('the configuration is resolved once, and its warnings and remarks are told once', async () => {
  const { context, told } = contextWith(['brokers=b.example'], { WEIR_USR: 'x' });
  const [one, other] = await Promise.all([context.config(), context.config()]);
  expect(one).toBe(other);
  await context.deadline();
  expect(told).toEqual([
    'warn ignored WEIR_USR: unknown variable (did you mean WEIR_USER?)',
    expect.stringMatching(/^step .*-X brokers given, but not admin\.hosts and registry\.hosts: using /),
  ]);
  await context.close();
});

test('the limits of the command line hold before the configuration is resolved, and those of the files after it', async () => {
  const { context } = contextWith(['globals.command_timeout=20ms']);
  await expect.poll(() => context.signal.aborted).toBe(true);
  expect(context.signal.reason).toMatchObject({ code: 'COMMAND_TIMEOUT' });
  await context.close();
});

test('a context that is closed has no timer left', async () => {
  const { context } = contextWith(['globals.command_timeout=50ms']);
  await context.close();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(context.signal.aborted).toBe(false);
});

test('a command timeout that somebody has set bounds an open-ended phase, too', async () => {
  const { context } = contextWith(['globals.command_timeout=50ms']);
  void context.openEnded(() => new Promise(() => undefined));
  await expect.poll(() => context.signal.aborted).toBe(true);
  await context.close();
});

test('a wait for a lock is a step, and part of the message of a timeout until it is over', async () => {
  const { context, told } = contextWith(['globals.command_timeout=60ms']);
  expect(context.lockWait).toMatchObject({ command: 'weir x', signal: context.signal });
  const over = context.lockWait.onWait?.('process 1');
  const second = context.lockWait.onWait?.('process 2');
  over?.();
  expect(told).toEqual(['step waiting for a lock held by process 1', 'step waiting for a lock held by process 2']);
  await expect.poll(() => context.signal.aborted).toBe(true);
  expect(String(context.signal.reason)).toContain('while waiting for a lock held by process 2');
  expect(String(context.signal.reason)).not.toContain('process 1');
  second?.();
  await context.close();
});
