import { expect, test } from 'vitest';
import { command, entry } from '../../../src/cli/command.ts';
import { CliError, CliErrors, exitCodes, notFoundError, unreachableError, usageError } from '../../../src/errors.ts';
import { anything } from '../../../src/shape/shape.ts';
import { run as runIn, type World } from '../../world.ts';

const examples = [
  ['One', 'fail'],
  ['Two', 'fail -v'],
] as const;

/** A tree whose one command, `fail`, throws the error; `notice` is what it says after its output. */
function failing(error: unknown, world: World = {}, notice?: string) {
  const fail = command({
    summary: 'Fail',
    examples,
    changes: 'reads',
    result: anything,
    run: (context) => {
      if (notice !== undefined) context.noticeAfter(notice);
      throw error;
    },
    show: { text: () => '' },
  });
  const commands = [entry('fail', 'Fail', async () => fail)];
  return (line: string) => runIn(line, { commands, ...world });
}

const missing = notFoundError('unable to describe topic "a": UNKNOWN_TOPIC_OR_PARTITION (3)', {
  code: 'UNKNOWN_TOPIC_OR_PARTITION',
  hints: ['see the topics with: weir topic list', 'or create it'],
  target: 'a',
  cause: new Error('underneath'),
});

test('E1: an error is one line, its hints are lines below', async () => {
  expect(await failing(missing)('fail')).toEqual({
    stdout: '',
    stderr: `weir: unable to describe topic "a": UNKNOWN_TOPIC_OR_PARTITION (3)
hint: see the topics with: weir topic list
hint: or create it
`,
    exitCode: 3,
  });
});

test('O3: --format json gives one object on stderr, and nothing on stdout', async () => {
  const { stdout, stderr, exitCode } = await failing(missing)('fail --format json');
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
  expect(stderr.endsWith('}\n')).toBe(true);
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'UNKNOWN_TOPIC_OR_PARTITION',
      message: missing.message,
      hint: 'see the topics with: weir topic list\nor create it',
      target: 'a',
      retryable: false,
    },
  });
});

test('--format yaml gives the same object', async () => {
  const { stderr } = await failing(unreachableError('no'))('fail --format yaml');
  expect(stderr).toBe(
    'error:\n  code: UNREACHABLE\n  message: "no"\n  hint: null\n  target: null\n  retryable: true\n',
  );
});

test.each([
  ['usage', usageError('x'), exitCodes.usage],
  ['not found', notFoundError('x'), exitCodes.notFound],
  ['unreachable', unreachableError('x'), exitCodes.unreachable],
  ['auth', new CliError(exitCodes.auth, 'x'), exitCodes.auth],
  ['conflict', new CliError(exitCodes.conflict, 'x'), exitCodes.conflict],
  ['a defect', new TypeError('x'), exitCodes.failure],
])('%s has the same exit code in every format', async (_, error, expected) => {
  for (const format of ['text', 'wide', 'json', 'yaml']) {
    expect((await failing(error)(`fail --format ${format}`)).exitCode).toBe(expected);
  }
});

test('a stack with its causes is shown only with -vv', async () => {
  expect((await failing(missing)('fail -v')).stderr).not.toContain('    at ');
  const { stderr } = await failing(missing)('fail -vv');
  expect(stderr).toContain('    at ');
  expect(stderr).toContain('caused by: Error: underneath');
});

test('E1: an unexpected error asks for a report', async () => {
  const { stderr, exitCode } = await failing(new TypeError('x is undefined'))('fail');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^weir: unexpected error: x is undefined\nhint: .*report/);
});

test('collected errors are printed on separate lines, each hint once', async () => {
  const hints = ['see weir -X list'];
  const { stderr } = await failing(new CliErrors([usageError('a', { hints }), usageError('b', { hints })]))('fail');
  expect(stderr).toBe('weir: a\nweir: b\nhint: see weir -X list\n');
});

test('what a command says after its output comes before its error', async () => {
  expect((await failing(notFoundError('x'), {}, 'half is done')('fail')).stderr).toBe('half is done\nweir: x\n');
});

test('a closed pipe is silent', async () => {
  expect(await failing(new CliError(exitCodes.brokenPipe, 'x'), {}, 'half is done')('fail')).toEqual({
    stdout: '',
    stderr: '',
    exitCode: 141,
  });
});

test('C3: colour is decided for stderr alone', async () => {
  const red = '\u001b[31mweir:\u001b[39m a\n';
  const error = notFoundError('a');
  const onTerminal = { terminal: { stderr: true } };
  expect((await failing(error, onTerminal)('fail')).stderr).toBe(red);
  expect((await failing(error, { terminal: { stdout: true } })('fail')).stderr).toBe('weir: a\n');
  expect((await failing(error, { ...onTerminal, env: { NO_COLOR: '1' } })('fail')).stderr).toBe('weir: a\n');
  expect((await failing(error)('fail --color always')).stderr).toBe(red);
});

test.each([
  [{ WEIR_USER: 'ana', WEIR_PASS: 'p' }, 'check the permissions of user "ana" (SCRAM-SHA-256, from WEIR_USER)'],
  [
    { WEIR_USER: 'ana', WEIR_PASS: 'p', WEIR_SASL_MECHANISM: 'plain' },
    'check the permissions of user "ana" (PLAIN, from WEIR_USER)',
  ],
  [{}, 'set user and pass, or a client certificate: weir connected without SASL'],
])('an error of authorization names who was refused: %j', async (env, hint) => {
  const error = new CliError(exitCodes.auth, 'no', { code: 'TOPIC_AUTHORIZATION_FAILED' });
  expect((await failing(error, { env })('fail')).stderr).toContain(`weir: no\nhint: ${hint}`);
});

test('a JSON error has every key, and is indented on a terminal', async () => {
  const outcome = await failing(unreachableError('no'), { terminal: { stderr: true } })('fail --format json');
  expect(outcome.stderr).toMatch(/^\{\n {2}"error": \{\n/);
  expect(JSON.parse(outcome.stderr).error).toEqual({
    code: 'UNREACHABLE',
    message: 'no',
    hint: null,
    target: null,
    retryable: true,
  });
});

test('a narrow terminal gets errors broken at spaces, but a command that can be copied on one line', async () => {
  const error = usageError('unable to read the file of the plan: it has no list of partitions', {
    hints: ['write one with: weir topic reassign plan orders --brokers 1,2,3 --out plan.json'],
  });
  expect(await failing(error, { terminal: { stderr: 40 }, env: { NO_COLOR: '1' } })('fail')).toMatchObject({
    stderr: `weir: unable to read the file of the
plan: it has no list of partitions
hint: write one with:
weir topic reassign plan orders --brokers 1,2,3 --out plan.json
`,
  });
  const pointed = usageError('invalid --where: unexpected "="\n  value.total = 9\n              ^');
  expect((await failing(pointed, { terminal: { stderr: 80 } })('fail')).stderr).toContain(
    'total = 9\n              ^\n',
  );
  const colored = await failing(error, { terminal: { stderr: 40 } })('fail');
  expect(colored.stderr.startsWith('\u001b[31mweir:\u001b[39m unable to read the file of the\nplan: ')).toBe(true);
});
