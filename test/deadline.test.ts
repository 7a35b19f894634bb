import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { limitsOf, nestedIn, startDeadline, type TimeOptions } from '../src/deadline.ts';
import { CliError, unreachableError } from '../src/errors.ts';
import { parseDuration } from '../src/format/duration.ts';

function times(command: string, commandOrigin?: string): TimeOptions {
  const seconds = parseDuration('1s');
  return {
    dial: seconds,
    requestOverhead: seconds,
    retry: seconds,
    command: parseDuration(command),
    commandOrigin,
    fetchMaxWait: seconds,
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the command timeout', () => {
  test('aborts everything when it expires, not before', () => {
    const deadline = startDeadline(times('2s'));
    vi.advanceTimersByTime(1_999);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.signal.aborted).toBe(true);
  });

  test('counts from the start of the command, which may be earlier', () => {
    const deadline = startDeadline(times('2s'), performance.now() - 1_500);
    expect(deadline.remainingMs()).toBe(500);
    vi.advanceTimersByTime(500);
    expect(deadline.signal.aborted).toBe(true);
  });

  test('names the limit, its value, the pending wait and the option that raises it', () => {
    const deadline = startDeadline(times('1.5s'));
    deadline.waitingFor('the answer of broker 2 (b2:9092) to Metadata');
    vi.advanceTimersByTime(1_500);
    const reason = deadline.signal.reason as CliError;
    expect(reason).toBeInstanceOf(CliError);
    expect(reason.message).toBe(
      'the command timed out (globals.command_timeout=1.5s) while waiting for the answer of broker 2 (b2:9092) to Metadata',
    );
    expect(reason).toMatchObject({
      code: 'COMMAND_TIMEOUT',
      exitCode: 5,
      hints: ['raise the limit with -X globals.command_timeout=DURATION; 0 means no limit'],
    });
  });

  test('reports the failure that was being retried, with its hints', () => {
    const deadline = startDeadline(times('1s'));
    deadline.waitingFor('something')();
    deadline.waitingFor('attempt 3 of Metadata');
    deadline.failed(unreachableError('connection refused', { hints: ['start the broker'] }));
    vi.advanceTimersByTime(1_000);
    const reason = deadline.signal.reason as CliError;
    expect(reason.message).toBe(
      'the command timed out (globals.command_timeout=1s) while waiting for attempt 3 of Metadata; last failure: connection refused',
    );
    expect(reason.hints).toEqual([
      'start the broker',
      'raise the limit with -X globals.command_timeout=DURATION; 0 means no limit',
    ]);
  });

  test('counts further waits instead of listing them all', () => {
    const deadline = startDeadline(times('1s'));
    for (const broker of [1, 2, 3]) deadline.waitingFor(`broker ${broker}`);
    vi.advanceTimersByTime(1_000);
    expect(deadline.signal.reason.message).toContain('waiting for broker 1 and 2 more');
  });

  test.each(['1000h', '2562047h47m16.854775807s'])('of %s does not fire immediately', (text) => {
    const deadline = startDeadline(times(text));
    vi.advanceTimersByTime(24 * 3_600_000);
    expect(deadline.signal.aborted).toBe(false);
  });

  test('of 0 is no limit', () => {
    const deadline = startDeadline(times('0'));
    expect(vi.getTimerCount()).toBe(0);
    deadline.resolve(times('1s'));
    vi.advanceTimersByTime(1_000);
    expect(deadline.signal.aborted).toBe(true);
  });

  test('names where it was set', () => {
    const deadline = startDeadline(times('1s', 'WEIR_GLOBALS_COMMAND_TIMEOUT'));
    vi.advanceTimersByTime(1_000);
    expect(deadline.signal.reason.message).toBe(
      'the command timed out (globals.command_timeout=1s from WEIR_GLOBALS_COMMAND_TIMEOUT)',
    );
  });

  test('lets what can stop in order do so', () => {
    const deadline = startDeadline(times('1s'));
    const reasons: Error[] = [];
    deadline.onTimeout((reason) => reasons.push(reason) > 0);
    vi.advanceTimersByTime(1_000);
    expect([deadline.signal.aborted, reasons.length]).toEqual([false, 1]);
  });
});

describe('an open-ended phase', () => {
  test('stops the clock, which continues afterwards', async () => {
    const deadline = startDeadline(times('1s'));
    vi.advanceTimersByTime(400);
    const phase = Promise.withResolvers<string>();
    const result = deadline.openEnded(() => phase.promise);
    vi.advanceTimersByTime(3_600_000);
    expect(deadline.remainingMs()).toBe(600);
    phase.resolve('done');
    expect(await result).toBe('done');
    vi.advanceTimersByTime(599);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.signal.aborted).toBe(true);
  });

  test('does not stop a clock that somebody has set, also while it runs', () => {
    const deadline = startDeadline(times('1s'));
    void deadline.openEnded(() => new Promise(() => undefined));
    vi.advanceTimersByTime(5_000);
    deadline.resolve(times('6s', 'weir.yaml:2'));
    vi.advanceTimersByTime(999);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.signal.aborted).toBe(true);
  });

  test('may overlap with another, and the clock continues when both have ended', async () => {
    const deadline = startDeadline(times('1s'));
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const phases = [deadline.openEnded(() => first.promise), deadline.openEnded(() => second.promise)];
    first.resolve();
    await phases[0];
    vi.advanceTimersByTime(5_000);
    expect(deadline.signal.aborted).toBe(false);
    second.resolve();
    await phases[1];
    vi.advanceTimersByTime(1_000);
    expect(deadline.signal.aborted).toBe(true);
  });

  test('that fails restarts the clock', async () => {
    const deadline = startDeadline(times('1s'));
    await expect(deadline.openEnded(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    vi.advanceTimersByTime(1_000);
    expect(deadline.signal.aborted).toBe(true);
  });

  test('that ends after the deadline was disposed leaves no timer behind', async () => {
    const deadline = startDeadline(times('1s'));
    const phase = Promise.withResolvers<void>();
    const result = deadline.openEnded(() => phase.promise);
    deadline.dispose();
    phase.resolve();
    await result;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a deadline inside another', () => {
  test('takes the limit off both in a phase without one', async () => {
    const outer = startDeadline(times('1s'));
    const inner = nestedIn(outer, startDeadline(times('2s')));
    const phase = Promise.withResolvers<void>();
    const result = inner.openEnded(() => phase.promise);
    vi.advanceTimersByTime(60_000);
    phase.resolve();
    await result;
    expect([outer.remainingMs(), inner.remainingMs(), inner.limits.commandMs]).toEqual([1_000, 2_000, 2_000]);
  });

  test('tells the other what it waits for and what failed, reported once', () => {
    const reported: unknown[] = [];
    const outer = startDeadline(times('1s'), undefined, (...all) => reported.push(all));
    const inner = nestedIn(outer, startDeadline(times('2s')));
    const end = inner.waitingFor('a lock');
    const failure = new Error('no route');
    inner.failed(failure, { what: 'attempt 2', afterMs: 1 });
    vi.advanceTimersByTime(1_000);
    expect(outer.signal.reason).toHaveProperty(
      'message',
      expect.stringContaining('waiting for a lock; last failure: no route'),
    );
    end();
    vi.advanceTimersByTime(1_000);
    expect(inner.signal.reason).toHaveProperty('message', expect.not.stringContaining('a lock'));
    expect(reported).toEqual([[failure, { what: 'attempt 2', afterMs: 1 }]]);
  });
});

test('an interruption aborts with its own reason, and later ones change nothing', () => {
  const deadline = startDeadline(times('1s'));
  const interrupted = new Error('interrupted');
  deadline.abort(interrupted);
  deadline.abort(new Error('again'));
  vi.advanceTimersByTime(10_000);
  expect(deadline.signal.reason).toBe(interrupted);
  expect(vi.getTimerCount()).toBe(0);
});

test('limits are rounded up to milliseconds and clamped to the maximum of a timer', () => {
  const limits = limitsOf({ ...times('1s'), dial: 1n, retry: parseDuration('1000h') });
  expect(limits).toMatchObject({ dialMs: 1, retryMs: 2_147_483_647, commandMs: 1_000 });
});
