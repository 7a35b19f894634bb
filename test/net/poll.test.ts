import { describe, expect, test } from 'vitest';
import { CliError, notFoundError, unreachableError } from '../../src/errors.ts';
import { type Poll, poll, pollPauseMs } from '../../src/net/poll.ts';
import { failure } from '../cloud/client.ts';
import { deadlineOf } from '../services/scripted-client.ts';

test.each([
  [1, 0.5, 1_000],
  [1, 0, 800],
  [1, 1, 1_200],
  [2, 0.5, 1_500],
  [5, 0.5, 5_062.5],
  [9, 0.5, 25_628.90625],
  [10, 0.5, 30_000],
  [500, 0.5, 30_000],
  [500, 1, 36_000],
])('after %i polls with the random number %d the pause is %d ms', (polls, random, expected) => {
  expect(pollPauseMs(polls, () => random)).toBeCloseTo(expected);
});

/** Polls a list of states, or errors, in a world where time passes by sleeping. */
function polling(states: readonly unknown[], more: Partial<Poll<unknown>> = {}) {
  const deadline = deadlineOf();
  const sleeps: number[] = [];
  let clock = 0;
  let at = 0;
  const work = poll({
    what: 'operation x',
    async read() {
      const state = states[Math.min(at++, states.length - 1)];
      if (state instanceof Error) throw state;
      return state;
    },
    isDone: (state) => state === 'done',
    waitTimeoutMs: 10_000,
    resumeWith: 'weir go on',
    deadline,
    world: {
      now: () => clock,
      async sleep(ms, signal) {
        signal.throwIfAborted();
        sleeps.push(Math.round(ms));
        clock += ms;
      },
      random: () => 0.5,
    },
    ...more,
  }).finally(deadline.dispose);
  return { work, sleeps, deadline };
}

describe('polling', () => {
  test('ends at its limit although the clock rounds the last pause', async () => {
    let now = 0;
    let polls = 0;
    // Like a clock whose numbers are too large to tell fractions of a microsecond.
    const world = {
      now: () => now,
      random: () => 0.37,
      async sleep(ms: number) {
        now += Math.floor(ms * 1e3) / 1e3;
      },
    };
    const state = polling([], {
      world,
      waitTimeoutMs: 5_000.0005,
      async read() {
        polls += 1;
        if (polls > 100) throw new Error('it goes on for ever');
      },
    });
    expect((await failure(state.work)).code).toBe('WAIT_TIMEOUT');
  });

  test('reports each state and ends with the last', async () => {
    const seen: unknown[] = [];
    const { work, sleeps } = polling(['a', 'b', 'done'], { onProgress: (state) => void seen.push(state) });
    expect(await work).toBe('done');
    expect(seen).toEqual(['a', 'b', 'done']);
    expect(sleeps).toEqual([1_000, 1_500]);
  });

  test('polls one last time when the time to wait is over, not long after', async () => {
    const { work, sleeps } = polling(['a'], { waitTimeoutMs: 3_000 });
    expect(await failure(work)).toMatchObject({ code: 'WAIT_TIMEOUT', exitCode: 5 });
    expect(sleeps).toEqual([1_000, 1_500, 500]);
  });

  test('a server that is unreachable for too long is an error that says how to continue', async () => {
    const error = await failure(polling(['a', unreachableError('away', { hints: ['look'] })]).work);
    expect(error).toMatchObject({ exitCode: 5, message: 'away' });
    expect(error.hints).toEqual(['look', 'resume waiting with: weir go on']);
  });

  test('a limit and a signal also name the command that stops the operation, if there is one', async () => {
    const hints = ['resume waiting with: weir go on', 'stop it with: weir halt'];
    const timedOut = await failure(polling(['a'], { stopWith: 'weir halt' }).work);
    expect(timedOut.hints).toEqual(['raise the limit with --wait-timeout DURATION', ...hints]);
    const { work, deadline } = polling(['a'], { stopWith: 'weir halt', onProgress: () => deadline.abort(stop) });
    const stop = new CliError(130, 'ended by SIGINT', { code: 'INTERRUPTED' });
    expect((await failure(work)).hints).toEqual(hints);
  });

  test('an answer that the operation is gone is reported unchanged', async () => {
    const gone = notFoundError('gone');
    expect(await failure(polling(['a', gone]).work)).toBe(gone);
  });

  test('a signal gives its exit code, and the error says how to continue', async () => {
    const { work, deadline } = polling(['a'], { waitTimeoutMs: 1e9, onProgress: () => deadline.abort(stop) });
    const stop = new CliError(143, 'ended by SIGTERM', { code: 'INTERRUPTED' });
    expect(await failure(work)).toMatchObject({
      exitCode: 143,
      code: 'INTERRUPTED',
      message: 'stopped waiting for operation x; it is still running',
      hints: ['resume waiting with: weir go on'],
    });
  });
});

describe('an error of a wait', () => {
  const stop = (reason: Error) => {
    const { work, deadline } = polling(['a'], { onProgress: () => deadline.abort(reason) });
    return failure(work);
  };

  test('after a timeout says how to wait longer', async () => {
    expect(await failure(polling(['a'], { waitTimeoutMs: 90_000 }).work)).toMatchObject({
      message: 'operation x was not done within 1m30s (--wait-timeout); it is still running',
      hints: expect.arrayContaining(['raise the limit with --wait-timeout DURATION']),
      retryable: true,
      target: 'operation x',
    });
  });

  test('for a login that expired says how to continue; other errors are unchanged', async () => {
    const expired = new CliError(4, 'expired');
    expect(await failure(polling([expired]).work)).toMatchObject({ hints: ['resume waiting with: weir go on'] });
    for (const error of [new CliError(1, 'x'), new CliError(6, 'x'), new Error('bug')])
      expect(await failure(polling([error]).work)).toBe(error);
  });

  test('of a signal without an exit code has that of an interruption', async () => {
    const reason = new Error('gone');
    expect(await stop(reason)).toMatchObject({
      exitCode: 130,
      code: 'INTERRUPTED',
      cause: reason,
      target: 'operation x',
    });
    expect(await stop(new CliError(5, 'timed out', { code: 'COMMAND_TIMEOUT' }))).toMatchObject({
      ...{ exitCode: 5, code: 'COMMAND_TIMEOUT' },
    });
  });
});

test('a wait is named in the command timeout only while it lasts, and pauses it', async () => {
  const calls: string[] = [];
  const deadline = {
    ...deadlineOf(),
    waitingFor(what: string) {
      calls.push(`waits for ${what}`);
      return () => void calls.push('waits no more');
    },
    async openEnded<T>(work: () => Promise<T>): Promise<T> {
      calls.push('paused');
      return await work();
    },
  };
  await polling(['done'], { deadline }).work;
  await failure(polling([new Error('x')], { deadline }).work);
  const once = ['waits for operation x', 'paused', 'waits no more'];
  expect(calls).toEqual([...once, ...once]);
  deadline.dispose();
});
