import { expect, test } from 'vitest';
import { exitCodeMeanings } from '../../src/errors.ts';
import { run } from '../world.ts';

test('help, --help and no word at all show the root, in 80 columns', async () => {
  const help = await run('help');
  expect(help).toMatchObject({ stderr: '', exitCode: 0 });
  expect(await run('--help')).toEqual(help);
  expect(await run('-h')).toEqual(help);
  expect(await run([])).toEqual(help);
  for (const line of help.stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
});

test('help of a noun is that of its --help', async () => {
  expect(await run('help topic')).toEqual(await run('topic --help'));
  expect((await run('help topic')).stdout).toContain('  create ');
});

test('help exit-codes lists every code', async () => {
  const { stdout, exitCode } = await run('help exit-codes');
  expect(exitCode).toBe(0);
  const shown = stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
  for (const [code, meaning] of exitCodeMeanings) expect(shown).toContainEqual([String(code), meaning]);
});

test('help --json gives the whole tree as data', async () => {
  const { stdout, exitCode } = await run('help --json');
  expect(exitCode).toBe(0);
  const tree = JSON.parse(stdout);
  const create = tree.commands.find(({ command }: { command: string }) => command === 'topic create');
  expect(create).toMatchObject({
    changes: 'creates',
    arguments: [{ label: 'TOPIC', arity: 'many' }],
    flags: expect.arrayContaining([expect.objectContaining({ name: 'partitions', short: 'p', kind: 'integer' })]),
    output_schema: { type: 'array' },
  });
  expect(tree.global_flags.map(({ name }: { name: string }) => name)).toContain('config-opt');
});

test('help of a command that does not exist names the word, exit 2', async () => {
  const { stdout, stderr, exitCode } = await run('help topic nonsense');
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toContain('unknown command "topic nonsense"');
});
