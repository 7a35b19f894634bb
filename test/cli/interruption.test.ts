import { describe, expect, test } from 'vitest';
import { command, entry, type Result } from '../../src/cli/command.ts';
import { endedBy } from '../../src/cli/interruption.ts';
import type { Context } from '../../src/context.ts';
import { CliError } from '../../src/errors.ts';
import type { Signal } from '../../src/host/host.ts';
import { row, truth } from '../../src/shape/shape.ts';
import { holdLimit } from '../held-limit.ts';
import { run as runIn } from '../world.ts';

const examples = [
  ['One', 'wait'],
  ['Two', 'wait -v'],
] as const;

/** Runs `wait` with the given behaviour and sends it signals once it runs. */
async function interrupted(
  work: (context: Context) => Promise<Result<{ done: boolean }>>,
  ...signals: readonly Signal[]
) {
  let kill: (signal: Signal) => void = () => {};
  const wait = command({
    summary: 'Wait',
    examples,
    changes: 'reads',
    result: row({ done: truth }),
    run: (context) => {
      queueMicrotask(() => {
        for (const signal of signals) kill(signal);
      });
      return work(context);
    },
    show: { text: ({ done }) => `done ${done}\n` },
  });
  const commands = [entry('wait', 'Wait', async () => wait)];
  const onStart = (send: typeof kill) => {
    kill = send;
  };
  return await runIn('wait', { commands, onStart, env: { WEIR_GLOBALS_COMMAND_TIMEOUT: '10h' } });
}

/** Ends when the context's signal aborts, as a client does. */
function obedient(context: Context): Promise<never> {
  return new Promise((_, reject) => {
    context.signal.addEventListener('abort', () => reject(context.signal.reason));
  });
}

const never = () => new Promise<never>(() => {});

test.each([
  ['SIGINT', 130, 'stopping (press Ctrl-C again to end at once)\n'],
  ['SIGTERM', 143, 'stopping\n'],
  ['SIGHUP', 129, 'stopping\n'],
] as const)('%s stops the command, exit %i', async (signal, exitCode, stderr) => {
  expect(await interrupted(obedient, signal)).toEqual({ stdout: '', stderr, exitCode });
});

test("a command that succeeds after the signal still has the signal's exit code", async () => {
  const { stdout, exitCode } = await interrupted(async (context) => {
    await obedient(context).catch(() => {});
    return { done: true };
  }, 'SIGINT');
  expect({ stdout, exitCode }).toEqual({ stdout: 'done true\n', exitCode: 130 });
});

test('a command that cleans up after the signal has time for it', async () => {
  const { stdout, exitCode } = await interrupted(async (context) => {
    await obedient(context).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { done: true };
  }, 'SIGINT');
  expect({ stdout, exitCode }).toEqual({ stdout: 'done true\n', exitCode: 130 });
});

test('the second signal ends a command that does not listen', async () => {
  const { stdout, exitCode } = await interrupted(never, 'SIGINT', 'SIGINT');
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 130 });
});

test("the command's message appears in the hints", async () => {
  const hints = ['it goes on: weir operation wait 7'];
  const { stderr, exitCode } = await interrupted(async (context) => {
    await obedient(context).catch(() => {});
    throw new CliError(130, 'no longer waiting for operation 7', { hints });
  }, 'SIGINT');
  expect(exitCode).toBe(130);
  expect(stderr).toBe(`stopping (press Ctrl-C again to end at once)
weir: no longer waiting for operation 7
hint: it goes on: weir operation wait 7
`);
});

describe('a command that says what it has reached', () => {
  const report = (message: string) => new CliError(130, message, { hints: ['continue with: weir x'] });
  const told = 'weir: reached b\nhint: continue with: weir x\n';

  function reports(context: Context): void {
    context.onInterrupt(report('reached a'));
    context.onInterrupt(report('reached b'));
  }

  test.each<readonly [string, string, (context: Context) => Promise<never>, readonly Signal[]]>([
    ['ends by the signal', 'stopping (press Ctrl-C again to end at once)\n', obedient, ['SIGINT']],
    ['does not listen', 'stopping (press Ctrl-C again to end at once)\n', never, ['SIGINT', 'SIGINT']],
    [
      'fails otherwise after the signal',
      'stopping (press Ctrl-C again to end at once)\n',
      (context) => obedient(context).catch(() => Promise.reject(new Error('cut'))),
      ['SIGINT'],
    ],
    [
      'is asking',
      '',
      (context) => new Promise((_, reject) => context.handSignals((one) => reject(endedBy(one)))),
      ['SIGINT'],
    ],
  ])('reports the last of it when it %s', async (_, before, work, signals) => {
    const outcome = await interrupted(
      (context) => {
        reports(context);
        return work(context);
      },
      ...signals,
    );
    expect(outcome).toEqual({ stdout: '', stderr: `${before}${told}`, exitCode: 130 });
  });

  test('does so as well if it does not stop when its time is over', async () => {
    const limit = holdLimit();
    const outcome = await interrupted(async (context) => {
      await context.deadline();
      reports(context);
      setTimeout(limit.expire);
      return await never();
    });
    expect(outcome).toEqual({
      stdout: '',
      stderr: expect.stringMatching(/^weir: the command timed out .*\n(hint: .*\n)*hint: continue with: weir x\n$/),
      exitCode: 5,
    });
  });

  test('keeps the exit code of the signal, and the error of a failure without one', async () => {
    const outcome = await interrupted((context) => {
      reports(context);
      return obedient(context);
    }, 'SIGTERM');
    expect(outcome).toEqual({ stdout: '', stderr: `stopping\n${told}`, exitCode: 143 });
    const failed = await interrupted((context) => {
      reports(context);
      throw new CliError(3, 'no such thing');
    });
    expect(failed).toEqual({ stdout: '', stderr: 'weir: no such thing\n', exitCode: 3 });
  });
});
