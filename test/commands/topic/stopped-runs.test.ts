import { expect, it } from 'vitest';
import { type Command, entry } from '../../../src/cli/command.ts';
import { copy } from '../../../src/commands/topic/copy.ts';
import { redrive } from '../../../src/commands/topic/redrive.ts';
import { CliError, exitCodes } from '../../../src/errors.ts';
import type { Signal } from '../../../src/host/host.ts';
import { run } from '../../world.ts';

it.each<readonly [string, Command]>([
  ['copy a b', copy],
  ['redrive a --to b', redrive],
])('%s that fails after Ctrl-C says why', async (line, real) => {
  let kill: (signal: Signal) => void = () => undefined;
  const failing = Promise.withResolvers<never>();
  const work = {
    offsets: 1,
    planned: [],
    pending: 2,
    unwanted: 0,
    again: 'again',
    run: () => {
      queueMicrotask(() => kill('SIGINT'));
      return failing.promise;
    },
    stop: () => failing.reject(new CliError(exitCodes.failure, 'the disk is full', { hints: ['repeat it'] })),
  };
  const plan = async () => ({ redriving: work, copying: work, filter: undefined });
  const commands = [entry(line.split(' ')[0] ?? '', '', async () => ({ ...real, plan }))];
  const onStart = (send: typeof kill): void => {
    kill = send;
  };
  expect(await run(line, { commands, onStart })).toEqual({
    stdout: '',
    stderr: 'finishing 2 records; press Ctrl-C again to stop\nweir: the disk is full\nhint: repeat it\n',
    exitCode: 130,
  });
});

it.each<readonly [string, Command, string]>([
  ['copy a b', copy, 'stopped early (repeat it)\n'],
  ['copy a b --follow', copy, ''],
  ['redrive a --to b', redrive, 'there is nothing to put back\nstopped early (repeat it)\n'],
])('%s that ends well after Ctrl-C says whether something may be left', async (line, real, said) => {
  let kill: (signal: Signal) => void = () => undefined;
  const ended = Promise.withResolvers<[]>();
  const work = {
    offsets: 1,
    planned: [],
    pending: 0,
    unwanted: 0,
    again: 'repeat it',
    run: () => {
      queueMicrotask(() => kill('SIGINT'));
      return ended.promise;
    },
    translateOffsets: async () => [],
    stop: () => ended.resolve([]),
  };
  const plan = async () => ({ redriving: work, copying: work, filter: undefined });
  const commands = [entry(line.split(' ')[0] ?? '', '', async () => ({ ...real, plan }))];
  const onStart = (send: typeof kill): void => {
    kill = send;
  };
  const { stderr, exitCode } = await run(line, { commands, onStart });
  expect(stderr.replace(/^stopping \(press.*\n/, '')).toBe(said);
  expect(exitCode).toBe(130);
});
