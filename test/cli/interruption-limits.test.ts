import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endedBy, watchInterruption } from '../../src/cli/interruption.ts';
import { realClock } from '../../src/clock.ts';
import type { OpenContext } from '../../src/context.ts';
import { CliError } from '../../src/errors.ts';
import type { Host, Signal } from '../../src/host/host.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A watched command. `stops`: whether it stops by itself; `takes`: whether a child process takes its signals. */
function watched({ stops = false, takes = false, left = [] as readonly string[] } = {}) {
  const controller = new AbortController();
  const notices: string[] = [];
  let send: (signal: Signal) => void = () => undefined;
  let timeOut: (reason: Error) => boolean = () => false;
  let subscribed = 0;
  const host = {
    onSignal(listener: typeof send) {
      send = listener;
      subscribed += 1;
      return () => {
        subscribed -= 1;
      };
    },
  } as unknown as Host;
  const context = {
    ...{ signal: controller.signal, clock: realClock },
    deliver: () => takes,
    stop: () => (stops ? left : undefined),
    abort: (reason: Error) => controller.abort(reason),
    notice: (line: string) => void notices.push(line),
    onTimeout: (stop: typeof timeOut) => {
      timeOut = stop;
    },
  } as unknown as OpenContext;
  const interruption = watchInterruption(host, context);
  const overdue: { reason?: unknown } = {};
  interruption.overdue.catch((reason: unknown) => {
    overdue.reason = reason;
  });
  const after = async (milliseconds: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    return overdue.reason;
  };
  const abort = (reason: Error) => controller.abort(reason);
  return {
    interruption,
    notices,
    controller,
    after,
    abort,
    send: (signal: Signal) => send(signal),
    timeOut: (reason: Error) => timeOut(reason),
    watchers: () => subscribed,
  };
}

test.each([
  ['a signal', endedBy('SIGINT'), 5_000],
  ['a closed pipe', new CliError(141, 'gone'), 500],
  ['a timeout', new CliError(5, 'late', { code: 'COMMAND_TIMEOUT' }), 150],
  ['any other error', new Error('bug'), 150],
])('after %s, a command has its grace period and not longer', async (_, reason, graceMs) => {
  const { after, abort, interruption } = watched();
  abort(reason);
  expect(await after(graceMs - 1)).toBeUndefined();
  expect(await after(1)).toBe(reason);
  expect(interruption.signalCode()).toBeUndefined();
});

test.each([
  ['SIGINT', 130, 'stopping (press Ctrl-C again to end at once)'],
  ['SIGTERM', 143, 'stopping'],
  ['SIGHUP', 129, 'stopping'],
] as const)('%s aborts the command, and the second one ends it at once', async (signal, code, notice) => {
  const { after, controller, interruption, notices, send } = watched();
  send(signal);
  expect(controller.signal.reason).toMatchObject({
    exitCode: code,
    code: 'INTERRUPTED',
    message: `ended by ${signal}`,
  });
  expect([interruption.signalCode(), notices, await after(0)]).toEqual([code, [notice], undefined]);
  send('SIGTERM');
  expect([await after(0), interruption.signalCode(), notices]).toEqual([controller.signal.reason, code, [notice]]);
});

test('a command that stops by itself is not aborted, but has no more than five seconds', async () => {
  const { after, controller, send } = watched({ stops: true });
  send('SIGINT');
  expect([await after(4_999), controller.signal.aborted]).toEqual([undefined, false]);
  expect(await after(1)).toMatchObject({ exitCode: 130 });
});

test('a command that stops by itself has five seconds after its output failed; any other one is aborted', async () => {
  const gone = new CliError(141, 'gone');
  const stopping = watched({ stops: true, left: ['finishing 2,000 records'] });
  stopping.interruption.outputFailed(gone);
  expect([await stopping.after(4_999), stopping.controller.signal.aborted]).toEqual([undefined, false]);
  expect([await stopping.after(1), stopping.notices]).toEqual([gone, []]);
  const other = watched();
  other.interruption.outputFailed(gone);
  expect(other.controller.signal.reason).toBe(gone);
});

const left = ['finishing 2,000 records'];

test('a command with something left to do says so after Ctrl-C, and ends when that is done or with the second signal', async () => {
  const { after, controller, notices, send } = watched({ stops: true, left });
  send('SIGINT');
  expect([await after(3_600_000), controller.signal.aborted]).toEqual([undefined, false]);
  expect(notices).toEqual(['finishing 2,000 records; press Ctrl-C again to stop']);
  send('SIGINT');
  expect(await after(0)).toMatchObject({ exitCode: 130 });
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('a command with something left to do has no more than five seconds after %s', async (signal, exitCode) => {
  const { after, notices, send } = watched({ stops: true, left });
  send(signal);
  expect([notices, await after(4_999)]).toEqual([['finishing 2,000 records for at most 5s'], undefined]);
  expect(await after(1)).toMatchObject({ exitCode });
});

test('the second signal ends a command that stops by itself', async () => {
  const { after, send } = watched({ stops: true });
  send('SIGINT');
  send('SIGTERM');
  expect(await after(0)).toMatchObject({ exitCode: 143 });
});

test('a timeout while a command stops by itself shortens its time', async () => {
  const { after, abort, send } = watched({ stops: true });
  send('SIGINT');
  await after(1_000);
  const late = new CliError(5, 'late');
  abort(late);
  expect(await after(149)).toBeUndefined();
  expect(await after(1)).toBe(late);
});

test('a signal that a child process takes does not concern the command', async () => {
  const { after, controller, interruption, notices, send } = watched({ takes: true });
  send('SIGINT');
  send('SIGINT');
  expect([await after(10_000), interruption.signalCode(), notices, controller.signal.aborted]).toEqual([
    undefined,
    undefined,
    [],
    false,
  ]);
});

test('a command that has ended is not watched any more', async () => {
  const { after, abort, interruption, watchers } = watched();
  abort(new Error('bug'));
  expect([watchers(), vi.getTimerCount()]).toEqual([1, 1]);
  interruption.stop();
  expect([watchers(), vi.getTimerCount(), await after(10_000)]).toEqual([0, 0, undefined]);
});

test('a command that is aborted after its end does not keep the process alive', () => {
  const { abort, interruption } = watched();
  interruption.stop();
  abort(new Error('late'));
  expect(vi.getTimerCount()).toBe(0);
});

test('a command that stops by itself when its time is over has five seconds; any other one is aborted', async () => {
  const late = new CliError(5, 'late', { code: 'COMMAND_TIMEOUT' });
  const { after, controller, interruption, timeOut } = watched({ stops: true });
  expect([timeOut(late), interruption.timeout()]).toEqual([true, late]);
  expect([await after(4_999), controller.signal.aborted]).toEqual([undefined, false]);
  expect(await after(1)).toBe(late);
  expect(watched().timeOut(late)).toBe(false);
});

test('a timeout changes nothing for a command that a signal is stopping', () => {
  const { interruption, send, timeOut } = watched({ stops: true });
  send('SIGINT');
  expect([timeOut(new Error('late')), interruption.timeout()]).toEqual([true, undefined]);
});
