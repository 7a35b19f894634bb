import { expect, test } from 'vitest';
import { leavesOf, walkTree } from '../../src/cli/help/tree.ts';
import { flagSet } from '../../src/cli/parse/flag-set.ts';
import { commands } from '../../src/commands/index.ts';
import { run } from '../world.ts';

const leaves = leavesOf(await walkTree(commands)).filter(({ command }) => !command.hidden);

/** The word with its last two letters the other way round. */
function mistyped(word: string): string {
  return `${word.slice(0, -2)}${word.at(-1)}${word.at(-2)}`;
}

/** The output of a mistyped line, which must be a usage error of two lines. */
async function errorOf(words: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await run(words);
  expect({ stdout, exitCode, lines: stderr.split('\n').length }, words.join(' ')).toEqual({
    stdout: '',
    exitCode: 2,
    lines: 3,
  });
  return stderr;
}

test('E2: an unknown command names the closest one at every depth, in two lines, and does not run it', async () => {
  const unnamed: string[] = [];
  for (const { path } of leaves) {
    const name = path.at(-1) ?? '';
    const typed = mistyped(name);
    if (name.length < 4 || typed === name) continue;
    const stderr = await errorOf([...path.slice(0, -1), typed]);
    if (!stderr.includes(`did you mean "${name}"?`)) unnamed.push(`${path.join(' ')}: ${stderr}`);
  }
  expect(unnamed).toEqual([]);
});

test('E2: an unknown flag names the closest one, in two lines', async () => {
  const unnamed: string[] = [];
  for (const { path, command } of leaves) {
    const own = flagSet(command).filter(({ scope, flag }) => scope === 'own' && !flag.hidden);
    const flag = own.find(({ name }) => name.length > 5 && mistyped(name) !== name);
    if (flag === undefined || command.passThrough) continue;
    const stderr = await errorOf([...path, `--${mistyped(flag.name)}`]);
    if (!stderr.includes(`did you mean --${flag.name}?`)) unnamed.push(`${path.join(' ')}: ${stderr}`);
  }
  expect(unnamed).toEqual([]);
});
