import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command, entry, noun } from '../../src/cli/command.ts';
import { booleanSchema, object } from '../../src/cli/output/schema.ts';
import { run as runIn, temporaryDirectory, type World } from '../world.ts';

const examples = [
  ['One', 'thing wipe'],
  ['Two', 'thing wipe --yes'],
] as const;

const wipe = command({
  summary: 'Wipe it',
  examples,
  apis: ['kafka'],
  changes: 'destroys',
  confirm: () => ({ question: 'wipe the thing?', name: 'thing-1' }),
  run: (_, { dryRun }) => ({ wiped: !dryRun }),
  output: { schema: object({ wiped: booleanSchema }), text: ({ wiped }) => `wiped ${wiped}\n` },
});
const commands = [entry('thing', 'Things', async () => noun({ summary: 'Things', commands: { wipe } }))];

const terminal = { stdin: true, stdout: true, stderr: true } as const;
const run = (line: string, world: World = {}) => runIn(line, { commands, ...world });

function protectedHome(): string {
  const home = temporaryDirectory();
  mkdirSync(join(home, '.config/weir'), { recursive: true, mode: 0o700 });
  const file = `version: 1\ncurrent_profile: prod\nprofiles:\n  - name: prod\n    protected: true\n    options: {}\n`;
  writeFileSync(join(home, '.config/weir/weir.yaml'), file, { mode: 0o600 });
  return home;
}

const done = { stdout: 'wiped true\n', exitCode: 0 };
const cancelled = { stdout: '', exitCode: 1 };

describe('a command that destroys', () => {
  test.each([
    ['y\n', done],
    ['YES\n', done],
    ['n\n', cancelled],
    ['\n', cancelled],
    ['yesterday\n', cancelled],
    ['', cancelled],
  ])('on a terminal, the answer %j decides', async (stdin, expected) => {
    const { stdout, stderr, exitCode } = await run('thing wipe', { terminal, stdin, env: { NO_COLOR: '1' } });
    expect({ stdout, exitCode }).toEqual(expected);
    expect(stderr).toContain('wipe the thing? (y/N) ');
    if (expected === cancelled) expect(stderr).toContain('weir: cancelled: nothing was changed\n');
  });

  test.each([
    ['no terminal', {}],
    ['CI', { terminal, env: { CI: 'true' } }],
    ['no terminal for the question', { terminal: { stdin: true } }],
  ])('with %s, it runs without a question', async (_, world) => {
    expect(await run('thing wipe', { ...world, stdin: 'n\n' })).toEqual({ ...done, stderr: '' });
  });

  test.each(['thing wipe --yes', 'thing wipe --no-confirm', 'thing wipe --no-input'])(
    '%s does not ask',
    async (line) => {
      expect(await run(line, { terminal, stdin: 'n\n' })).toEqual({ ...done, stderr: '' });
    },
  );

  test('a dry run does not ask', async () => {
    expect(await run('thing wipe --dry-run', { terminal })).toMatchObject({ stdout: 'wiped false\n', exitCode: 0 });
  });
});

describe('on a protected profile', () => {
  const home = protectedHome();

  test.each([
    ['thing-1\n', done],
    ['y\n', cancelled],
    ['', cancelled],
  ])('the name must be typed; %j decides', async (stdin, expected) => {
    const { stdout, stderr, exitCode } = await run('thing wipe', { home, terminal, stdin });
    expect({ stdout, exitCode }).toEqual(expected);
    expect(stderr).toContain('type thing-1 to go on: ');
  });

  test('without a terminal it needs --yes', async () => {
    expect(await run('thing wipe', { home })).toEqual({
      stdout: '',
      stderr: 'weir: the profile "prod" is protected: "weir thing wipe" needs --yes here\n',
      exitCode: 2,
    });
    expect(await run('thing wipe --yes', { home })).toEqual({ ...done, stderr: '' });
    expect(await run('thing wipe --dry-run', { home })).toMatchObject({ exitCode: 0 });
  });
});
