import { describe, expect, test } from 'vitest';
import type { FailureListener } from '../../src/deadline.ts';
import { CliError, exitCodes, unreachableError } from '../../src/errors.ts';
import { kafkaError } from '../../src/kafka/protocol/errors.ts';
import { backoffMs, createRetry, type RetryWorld } from '../../src/net/retry.ts';
import { deadlineOf, failureOf } from '../services/scripted-client.ts';
import { createVirtualClock } from '../simulation/virtual-clock.ts';

/** A world in which time passes only by sleeping, or by what an attempt says it took. */
function fakeWorld() {
  const sleeps: number[] = [];
  let clock = 0;
  const world: RetryWorld = {
    now: () => clock,
    async sleep(milliseconds, signal) {
      signal.throwIfAborted();
      sleeps.push(Math.round(milliseconds));
      clock += milliseconds;
    },
    random: () => 0.5,
  };
  return {
    world,
    sleeps,
    pass(milliseconds: number): void {
      clock += milliseconds;
    },
  };
}

const refused = (): CliError => unreachableError('connection refused', { code: 'CONNECTION_REFUSED', hints: ['look'] });

test.each([
  [1, 0.5, 250],
  [2, 0.5, 500],
  [3, 0.5, 1_000],
  [4, 0.5, 2_000],
  [5, 0.5, 2_500],
  [50, 0.5, 2_500],
  [1, 0, 200],
  [1, 1, 300],
  [5, 0, 2_000],
  [5, 1, 3_000],
])('after %i failures with the dice at %d the pause is %d ms', (failures, dice, expected) => {
  expect(backoffMs(failures, () => dice)).toBeCloseTo(expected);
});

describe('the retry rule', () => {
  test('stops when retry_timeout has passed before the pause; the last try may begin after it', async () => {
    using deadline = disposable(deadlineOf({ retry: 1_000 }));
    const { world, sleeps } = fakeWorld();
    let tries = 0;
    const error = await failureOf(
      createRetry(deadline, world)('Metadata', async () => {
        tries += 1;
        throw refused();
      }),
    );
    // Tries at 0, 250, 750 and 1750 ms: at 750 ms the limit has not passed, so one more follows.
    expect(sleeps).toEqual([250, 500, 1_000]);
    expect(tries).toBe(4);
    expect(error.message).toBe(
      'connection refused (gave up on Metadata after 4 attempts in 1.8s, globals.retry_timeout=1s)',
    );
    expect(error).toMatchObject({
      code: 'RETRY_TIMEOUT',
      exitCode: exitCodes.unreachable,
      hints: ['look', 'raise the limit with -X globals.retry_timeout=DURATION'],
    });
    expect(error.cause).toMatchObject({ code: 'CONNECTION_REFUSED' });
  });

  test('counts the time that the tries themselves take', async () => {
    using deadline = disposable(deadlineOf({ retry: 1_000 }));
    const { world, sleeps, pass } = fakeWorld();
    const attempt = async (): Promise<never> => {
      pass(600);
      throw refused();
    };
    await failureOf(createRetry(deadline, world)('Metadata', attempt));
    expect(sleeps).toEqual([250]); // 600: on; 600 + 250 + 600: stop
  });

  test('stops at exactly the limit', async () => {
    using deadline = disposable(deadlineOf({ retry: 250 }));
    const { world, sleeps } = fakeWorld();
    await failureOf(createRetry(deadline, world)('Metadata', () => Promise.reject(refused())));
    expect(sleeps).toEqual([250]);
  });

  test('may count from the first failure, where the server held the request until then', async () => {
    using deadline = disposable(deadlineOf({ retry: 1_000 }));
    const { world, sleeps, pass } = fakeWorld();
    const lasts = [60_000, 60_000, 0, 0, 0, 0];
    const attempt = async (): Promise<never> => {
      pass(lasts.shift() ?? 0);
      throw refused();
    };
    await failureOf(createRetry(deadline, world, { sinceFailure: true, heldMs: 60_000 })('JoinGroup', attempt));
    // The second wait begins the count anew: 500 ms later the limit has not passed, 1500 ms later it has.
    expect(sleeps).toEqual([250, 500, 1_000]);
  });

  test('is ended by a signal of its own, and leaves no timer', async () => {
    using deadline = disposable(deadlineOf());
    const left = new AbortController();
    const clock = createVirtualClock();
    let tries = 0;
    const attempt = (): Promise<never> => {
      tries += 1;
      return Promise.reject(refused());
    };
    const work = failureOf(createRetry(deadline, clock, { signal: left.signal })('JoinGroup', attempt));
    await clock.runFor(100);
    left.abort(unreachableError('left', { code: 'CLOSED' }));
    expect(await work).toMatchObject({ code: 'CLOSED' });
    expect({ tries, timers: clock.pending }).toEqual({ tries: 1, timers: 0 });
  });

  test('with retry_timeout=0s tries once and gives the error as it is', async () => {
    using deadline = disposable(deadlineOf({ retry: 0 }));
    const { world, sleeps } = fakeWorld();
    const first = refused();
    expect(await failureOf(createRetry(deadline, world)('Metadata', () => Promise.reject(first)))).toBe(first);
    expect(sleeps).toEqual([]);
  });

  test('succeeds when a later try does', async () => {
    using deadline = disposable(deadlineOf());
    const { world, sleeps } = fakeWorld();
    let tries = 0;
    const result = await createRetry(deadline, world)('Metadata', async () => {
      tries += 1;
      if (tries < 3) throw refused();
      return 'there';
    });
    expect(result).toBe('there');
    expect(sleeps).toEqual([250, 500]);
  });

  test.each([
    ['a usage error', new CliError(exitCodes.usage, 'wrong')],
    ['a refused password', kafkaError(58, 'wrong password')],
    ['a certificate that is not trusted', unreachableError('TLS', { code: 'TLS_FAILED', retryable: false })],
    ['a defect', new TypeError('undefined is not a function')],
  ])('does not try %s again', async (_what, error) => {
    using deadline = disposable(deadlineOf());
    const { world, sleeps } = fakeWorld();
    await expect(createRetry(deadline, world)('Metadata', () => Promise.reject(error))).rejects.toBe(error);
    expect(sleeps).toEqual([]);
  });

  test.each([
    ['counts from the first attempt', {}],
    ['counts from the first failure, so that the outer limit starts when the inner one ends', { sinceFailure: true }],
  ])('does not multiply when one retry runs inside another and %s', async (_what, rule) => {
    using deadline = disposable(deadlineOf({ retry: 1_000 }));
    const { world, sleeps } = fakeWorld();
    const retry = createRetry(deadline, world, rule);
    let tries = 0;
    const inner = () =>
      retry('inner', async () => {
        tries += 1;
        throw refused();
      });
    await failureOf(retry('outer', inner));
    expect(tries).toBe(4);
    expect(sleeps).toHaveLength(3);
  });

  test('tells once how it ended, when one retry runs inside another that has failed before', async () => {
    using deadline = disposable(deadlineOf({ retry: 1_000 }));
    const retry = createRetry(deadline, fakeWorld().world);
    let tries = 0;
    const outer = async (): Promise<never> => {
      tries += 1;
      if (tries === 1) throw refused();
      return retry('inner', () => Promise.reject(refused()));
    };
    const error = await failureOf(retry('outer', outer));
    expect(error.message.match(/gave up on \w+/g)).toEqual(['gave up on inner']);
    const busy = unreachableError('busy', { retryAfterMs: 5_000 });
    const late = await failureOf(retry('outer', () => retry('inner', () => Promise.reject(busy))));
    expect(late.message.match(/the server asks to wait/g)).toHaveLength(1);
  });

  test('N3: waits as long as the server asks, unless that is longer than the limit leaves', async () => {
    using deadline = disposable(deadlineOf({ retry: 1_000 }));
    const { world, sleeps } = fakeWorld();
    const busy = unreachableError('busy', { retryAfterMs: 600 });
    const error = await failureOf(createRetry(deadline, world)('Metadata', () => Promise.reject(busy)));
    // 600 ms have passed: another 600 ms would end after the limit of 1 s.
    expect(sleeps).toEqual([600]);
    expect(error.message).toBe('busy (the server asks to wait 1s, longer than globals.retry_timeout=1s allows)');
  });

  test('tells again at exactly two seconds, once, what is still tried', async () => {
    const told: (readonly [at: number, isLong: boolean, afterMs: number])[] = [];
    const { world } = fakeWorld();
    const listener: FailureListener = (_, next) => {
      told.push([world.now(), next?.isLong === true, Math.round(next?.afterMs ?? 0)]);
    };
    using deadline = disposable(deadlineOf({ retry: 5_000 }, undefined, listener));
    await failureOf(createRetry(deadline, world)('Metadata', () => Promise.reject(refused())));
    expect(told).toEqual([
      [0, false, 250],
      [250, false, 500],
      [750, false, 1_000],
      [1_750, false, 2_000],
      [2_000, true, 1_750],
      [3_750, false, 2_500],
    ]);
  });

  test('ends a pause at once when the command is aborted, with the reason of the abort', async () => {
    using deadline = disposable(deadlineOf());
    const interrupted = new Error('interrupted');
    const work = createRetry(deadline)('Metadata', () => Promise.reject(refused()));
    setTimeout(() => deadline.abort(interrupted), 20);
    await expect(work).rejects.toBe(interrupted);
  });

  test('tells the deadline what failed, so that the command timeout can say it', async () => {
    using deadline = disposable(deadlineOf({ command: 60, retry: 60_000 }));
    const work = createRetry(deadline)('Metadata', () => Promise.reject(refused()));
    const error = await failureOf(work);
    expect(error.code).toBe('COMMAND_TIMEOUT');
    expect(error.message).toContain('waiting for attempt 2 of Metadata; last failure: connection refused');
  });
});

function disposable<T extends { dispose(): void }>(deadline: T): T & Disposable {
  return Object.assign(deadline, { [Symbol.dispose]: () => deadline.dispose() });
}
