import { describe, expect, test } from 'vitest';
import { type Poll, poll, pollPauseMs } from '../../src/cloud/wait.ts';
import { CliError, notFoundError, unreachableError } from '../../src/errors.ts';
import { deadlineOf } from '../services/scripted-client.ts';
import { failure } from './client.ts';

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
