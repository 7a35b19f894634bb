import { expect, test } from 'vitest';
import {
  any,
  type Command,
  command,
  entry,
  flag,
  list,
  many,
  noun,
  one,
  optional,
  toggle,
} from '../../src/cli/command.ts';
import { boolean, duration, integer, oneOf, text } from '../../src/kinds.ts';
import { listOf, object, row, string, truth } from '../../src/shape/shape.ts';
import { run as runIn, type World } from '../world.ts';

const examples = [
  ['One', 'thing show a'],
  ['Two', 'thing show b'],
] as const;
const result = row({ values: string });

/** A command that prints what it was given. */
const show = command({
  summary: 'Show values',
  examples,
  aliases: ['see'],
  args: { first: one(text, 'FIRST'), rest: any(integer(), 'NUMBER') },
  flags: {
    partitions: flag(integer({ min: -1 }), { short: 'p', help: 'a number', fallback: -1, aliases: ['parts'] }),
    wait: flag(duration, { short: 'w', help: 'a duration' }),
    word: list(text, { short: 'k', help: 'words' }),
    ids: list(integer(), { short: 'i', help: 'ids', splits: true }),
    level: flag(oneOf('level', ['low', 'High']), { help: 'a level' }),
    pretty: flag(boolean, { help: 'with a value of its own', bare: 'true' }),
    compact: toggle({ short: 'c', help: 'a switch' }),
    sorted: toggle({ help: 'on by default', fallback: true }),
  },
  changes: 'reads',
  result: object,
  run: (context, values) => ({ ...values, verbosity: context.flags.verbosity, quiet: context.flags.quiet }),
  show: {
    text: (given) => `${JSON.stringify(given, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))}\n`,
  },
});

const needs = command({
  summary: 'Need things',
  examples,
  args: { names: many(text, 'NAME') },
  flags: { schema: flag(text, { help: 'needed', required: true }) },
  changes: 'reads',
  result,
  run: () => ({ values: 'x' }),
  show: { text: (given) => `${JSON.stringify(given)}\n` },
});

/** Shadows a global flag and passes on unknown words. */
const plugin = command({
  summary: 'Run a plugin',
  examples,
  args: { verb: one(text, 'VERB'), more: optional(text, 'MORE') },
  flags: { format: flag(text, { short: 'f', help: 'its own format' }) },
  changes: 'reads',
  passThrough: true,
  result,
  run: (_, values) => ({ values: JSON.stringify(values) }),
  show: { text: (given) => `${given.values}\n` },
});

const alter = command({
  summary: 'Alter something',
  examples,
  changes: 'alters',
  result: listOf(row({ done: truth })),
  run: (_, { dryRun }) => [{ done: !dryRun }],
  show: { text: (rows) => `${rows[0]?.done}\n` },
});

const thing = noun({ summary: 'Things', aliases: ['things'], commands: { show, needs, plugin, alter } });
const hidden: Command = { ...show, hidden: true };
const commands = [
  entry('thing', 'Things', async () => thing, { aliases: ['things'] }),
  entry('think', 'Hidden', async () => hidden, { hidden: true }),
];

const run = (line: string | readonly string[], world: World = {}) => runIn(line, { commands, ...world });

async function values(line: string | readonly string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await run(line);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('L2: --version is one line, anywhere', async () => {
  const outcome = { stdout: 'weir 0.0.0\n', stderr: '', exitCode: 0 };
  expect(await run('--version')).toEqual(outcome);
  expect(await run('thing --version')).toEqual(outcome);
  expect(await run('thing show --version')).toEqual(outcome);
});

test('a flag that is not given has its fallback', async () => {
  expect(await values('thing show a')).toEqual({
    dryRun: false,
    first: 'a',
    rest: [],
    partitions: -1,
    word: [],
    ids: [],
    compact: false,
    sorted: true,
    verbosity: 0,
    quiet: false,
  });
});

test.each<readonly [string, Record<string, unknown>]>([
  ['thing show a --partitions=3', { partitions: 3 }],
  ['thing show a --partitions 3', { partitions: 3 }],
  ['thing show a -p3', { partitions: 3 }],
  ['thing show a -p 3', { partitions: 3 }],
  ['thing show a -p=3', { partitions: 3 }],
  ['thing show a --parts 3', { partitions: 3 }],
  ['thing show a -p -1', { partitions: -1 }],
  ['thing show a -p 3 -p 4', { partitions: 4 }],
  ['thing show -cp3 a', { partitions: 3, compact: true }],
  ['thing show -cqp 3 a', { partitions: 3, compact: true, quiet: true }],
  ['thing show a -5 7', { rest: [-5, 7] }],
  ['thing show - 7', { first: '-', rest: [7] }],
  ['thing show -p 3 a', { first: 'a', partitions: 3 }],
  ['thing show -c -- -x 1', { first: '-x', rest: [1], compact: true }],
  ['-q thing show a', { quiet: true }],
  ['--profile x thing show a', { first: 'a' }],
  ['thing --color never show a', { first: 'a' }],
  ['things see a', { first: 'a' }],
  ['thing show a -w 1m30s', { wait: '90000000000n' }],
  ['thing show a -k x -k=y --word z,1', { word: ['x', 'y', 'z,1'] }],
  ['thing show a -k --quiet=true', { word: ['--quiet=true'], quiet: false }],
  ['thing show a -k -p=3', { word: ['-p=3'], partitions: -1 }],
  ["thing show a -k ''", { word: [''] }],
  ['thing show a -i 1,2 -i 3', { ids: [1, 2, 3] }],
  ['thing show a --level high', { level: 'High' }],
  ['thing show a --pretty', { pretty: true }],
  ['thing show --pretty a', { pretty: true, first: 'a' }],
  ['thing show a --pretty=false', { pretty: false }],
  ['thing show a --compact', { compact: true }],
  ['thing show a --compact=false', { compact: false }],
  ['thing show a --compact --no-compact', { compact: false }],
  ['thing show a --no-sorted', { sorted: false }],
  ['thing show a --no-sorted=false', { sorted: true }],
  ['thing show a -v', { verbosity: 1 }],
  ['thing show a -vv', { verbosity: 2 }],
  ['thing show a -v --verbose', { verbosity: 2 }],
])('%s', async (line, expected) => {
  expect(await values(['', ...line.split(' ')].slice(1).map((word) => (word === "''" ? '' : word)))).toMatchObject(
    expected,
  );
});

test.each([
  ['thign', 'unknown command "thign" for "weir"', 'did you mean "thing"? see weir --help'],
  ['thing shwo', 'unknown command "shwo" for "weir thing"', 'did you mean "show"? see weir thing --help'],
  ['thing sh', 'unknown command "sh" for "weir thing"', undefined],
  ['show', 'unknown command "show" for "weir"', 'did you mean "thing show"? see weir --help'],
  [
    'thing show a --partition 3',
    'unknown flag --partition for "weir thing show"',
    'did you mean --partitions? see weir thing show --help',
  ],
  [
    'thing show a --fromat=json',
    'unknown flag --fromat for "weir thing show"',
    'did you mean --format? see weir thing show --help',
  ],
  ['thing show a -z', 'unknown flag -z for "weir thing show"', 'see weir thing show --help'],
  ['thing --formt json', 'unknown flag --formt for "weir thing"', 'did you mean --format? see weir thing --help'],
  ['--profil x thing show a', 'unknown flag --profil for "weir"', 'did you mean --profile? see weir --help'],
  ['thing --partitions 3 show a', 'unknown flag --partitions for "weir thing"', undefined],
])('%s is an error of two lines that names the fault and the closest word, exit 2', async (line, message, hint) => {
  const { stdout, stderr, exitCode } = await run(line);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr.split('\n').length - 1).toBeLessThanOrEqual(2);
  if (message !== undefined) expect(stderr).toContain(`weir: ${message}\n`);
  if (hint !== undefined) expect(stderr).toContain(`hint: ${hint}\n`);
});

test.each([
  ['thing show', 'weir: missing argument FIRST\nhint: usage: weir thing show FIRST [NUMBER...] [FLAGS]\n'],
  ['thing show a b', 'weir: invalid NUMBER "b": not a whole number\n'],
  [
    'thing show a -p x',
    'weir: invalid value "x" of --partitions: not a whole number\nhint: for example --partitions 10\n',
  ],
  ['thing show a -p -2', 'weir: invalid value "-2" of --partitions: less than -1\n'],
  ['thing show a -p', 'weir: missing value of -p\nhint: see weir thing show --help\n'],
  ['thing show a --partitions', 'weir: missing value of --partitions\nhint: see weir thing show --help\n'],
  ['thing show a --level mid', 'weir: invalid value "mid" of --level: not one of low, High\n'],
  ['thing show a --compact=maybe', 'weir: invalid value "maybe" of --compact: not a boolean (use true or false)\n'],
  ['thing show a --format xml', 'weir: invalid value "xml" of --format: not one of text, wide, json, yaml, schema\n'],
  [
    'thing needs',
    'weir: missing flag --schema\nweir: missing argument NAME\nhint: usage: weir thing needs NAME... [FLAGS]\n',
  ],
  ['thing alter more', 'weir: unexpected argument "more"\nhint: see weir thing alter --help\n'],
])('%s is reported with exit code 2', async (line, stderr) => {
  expect(await run(line)).toEqual({ stdout: '', stderr, exitCode: 2 });
});

test('a usage error is an object on stderr with --format json', async () => {
  const { stdout, stderr, exitCode } = await run('thing show --format json');
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'MISSING_ARGUMENT',
      message: 'missing argument FIRST',
      hint: 'usage: weir thing show FIRST [NUMBER...] [FLAGS]',
      target: 'FIRST',
      retryable: false,
    },
  });
});

test("a command's own flag shadows the global one, and unknown words are passed on", async () => {
  const { stdout } = await run('thing plugin apply -f %v --cluster-id 7 --yes');
  expect(JSON.parse(stdout)).toMatchObject({ verb: 'apply', format: '%v', rest: ['--cluster-id', '7'] });
});

test('a noun alone prints its help and exits 0', async () => {
  const { stdout, stderr, exitCode } = await run('thing');
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout).toContain('Usage:\n  weir thing COMMAND [FLAGS]\n');
  expect(await run('thing --help')).toEqual({ stdout, stderr, exitCode });
  expect((await run('')).stdout).toBe((await run('--help')).stdout);
});

test('hidden commands run but are not shown', async () => {
  expect((await run('think a')).exitCode).toBe(0);
  expect((await run('--help')).stdout).not.toContain('think');
});

test.each(['-X list', '-Xlist', '-X=list', '--config-opt list', '--config-opt=list'])(
  '%s wins on any command, before anything is read',
  async (spelling) => {
    const { stdout, stderr, exitCode } = await run(`thing show ${spelling}`, { env: { WEIR_BROKERS: '///' } });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/^Brokers:\n {2}brokers=/);
  },
);

test('-X list gives the table as data', async () => {
  const { stdout } = await run('-X list --format json');
  expect(JSON.parse(stdout)[0]).toMatchObject({ key: 'brokers', env: 'WEIR_BROKERS' });
});

test('-X help with the beginning of keys explains only these', async () => {
  const { stdout } = await run('-X help admin.tls');
  expect(stdout.match(/^ {2}\S+(?==)/gm)?.every((key) => key.startsWith('  admin.tls.'))).toBe(true);
  expect(await run('-X help tsl')).toEqual({
    stdout: '',
    stderr: 'weir: no option begins with "tsl"\nhint: did you mean tls?\n',
    exitCode: 2,
  });
});

test('-X list after -- is an argument', async () => {
  expect((await run('thing show -- -X')).stdout).toContain('"first":"-X"');
});

test('O1, D1: --dry-run reaches the command and prints a note for people', async () => {
  expect(await run('thing alter --dry-run')).toEqual({
    stdout: 'false\n',
    stderr: 'dry run: nothing was changed\n',
    exitCode: 0,
  });
  expect((await run('thing show a --dry-run')).exitCode).toBe(2);
});

test('a notice about the next step comes after the result, or before the error', async () => {
  const start = command({
    summary: 'Start',
    examples,
    args: { outcome: optional(text, 'OUTCOME') },
    changes: 'reads',
    result,
    run(context, { outcome }) {
      context.noticeAfter('see how far it is with: thing status');
      if (outcome === 'fails') throw new Error('lost');
      return { values: 'started' };
    },
    show: { text: ({ values }) => `${values}\n` },
  });
  const screen: string[] = [];
  const watch = { onStdout: (shown: string) => screen.push(shown), onStderr: (shown: string) => screen.push(shown) };
  const commands = [entry('start', 'Start', async () => start)];
  await runIn('start', { commands, ...watch });
  expect(screen.join('')).toBe('started\nsee how far it is with: thing status\n');
  await runIn('start --quiet', { commands, ...watch });
  expect(screen.splice(0).join('')).toMatch(/thing status\nstarted\n$/);
  await runIn('start fails', { commands, ...watch });
  expect(screen.join('')).toMatch(/^see how far it is with: thing status\nweir: unexpected error: lost\n/);
});
