import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { any, command, entry, noun } from '../../src/cli/command.ts';
import type { Signal } from '../../src/host/host.ts';
import { text } from '../../src/kinds.ts';
import { row, truth } from '../../src/shape/shape.ts';
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
  args: { things: any(text, 'THING') },
  namesAll: ({ things }) => things.length > 0,
  confirm: () => ({ question: 'Wipe the thing', name: 'thing-1' }),
  result: row({ wiped: truth }),
  run: (_, { dryRun }) => ({ wiped: !dryRun }),
  show: { text: ({ wiped }) => `wiped ${wiped}\n` },
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
    expect(stderr).toContain('Wipe the thing on localhost:9092 (no profile)? [y/N] ');
    if (expected === cancelled) expect(stderr).toContain('weir: canceled: nothing was changed\n');
  });

  test('asks nothing if the given values destroy nothing', async () => {
    const harmless = { ...wipe, confirm: () => null };
    const tree = [entry('thing', 'Things', async () => noun({ summary: 'Things', commands: { wipe: harmless } }))];
    const { stderr, exitCode } = await run('thing wipe --no-input', { commands: tree, terminal, stdin: '' });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  });

  test.each([
    ['thing wipe x', { RPK_BROKERS: 'b:9092' }, 'RPK_BROKERS'],
    ['thing wipe x --yes', { RPK_PROFILE: 'stage', WEIR_ADMIN_HOSTS: 'a:9644' }, 'RPK_PROFILE'],
    ['thing wipe x --dry-run', { RPK_BROKERS: 'b:9092' }, undefined],
    ['thing wipe x -X brokers=c', { RPK_BROKERS: 'b:9092' }, undefined],
    ['thing wipe x', { RPK_PROFILE: 'stage', WEIR_BROKERS: 'c' }, undefined],
    ['thing wipe x --profile prod --yes', { RPK_BROKERS: 'b:9092' }, undefined],
    ['thing wipe x', { RPK_USER: 'u' }, undefined],
  ])('"%s" with %j in the environment is refused because of: %s', async (line, env, refused) => {
    const home = protectedHome();
    writeFileSync(join(home, '.config/weir/weir.yaml'), 'version: 1\nprofiles: [{ name: prod, options: {} }]\n');
    const { stdout, stderr, exitCode } = await run(line, { env, home });
    if (refused === undefined) return expect(exitCode).toBe(0);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    const weirName = refused.replace('RPK', 'WEIR');
    expect(stderr).toContain(
      `refused: ${refused} is set, but weir does not read it and would use localhost:9092 (no profile)\n` +
        `hint: set ${weirName} instead, or choose the cluster with --profile\n`,
    );
  });

  test('names the place of the API that the command has chosen', async () => {
    const choosing = {
      ...wipe,
      apis: ['kafka', 'admin'] as const,
      confirm: () => ({ question: 'Wipe it', name: 'it', api: 'kafka' as const }),
    };
    const tree = [entry('thing', 'Things', async () => noun({ summary: 'Things', commands: { wipe: choosing } }))];
    const { stderr } = await run('thing wipe', { commands: tree, terminal, stdin: 'n\n', env: { NO_COLOR: '1' } });
    expect(stderr).toContain('Wipe it on localhost:9092 (no profile)? [y/N] ');
  });

  test('shows what it would destroy above the question', async () => {
    const previewed = {
      ...wipe,
      confirm: () => ({ question: 'Wipe them', name: 'all', preview: 'thing-1\nthing-2\u001b[0m\n' }),
    };
    const tree = [entry('thing', 'Things', async () => noun({ summary: 'Things', commands: { wipe: previewed } }))];
    const { stderr } = await run('thing wipe', { commands: tree, terminal, stdin: 'n\n' });
    expect(stderr).toContain('thing-1\nthing-2\\u001b[0m\nWipe them on localhost:9092 (no profile)? [y/N] ');
    const home = protectedHome();
    const protectedOne = await run('thing wipe', { commands: tree, terminal, stdin: 'all\n', home });
    expect(protectedOne).toMatchObject(done);
    expect(protectedOne.stderr).toMatch(/^thing-1\n.*\nWipe them on profile "prod"/);
  });

  test.each([
    ['no terminal', {}],
    ['CI', { terminal, env: { CI: 'true' } }],
  ])(
    'with %s, it runs without a question if its line names everything, and needs --yes otherwise',
    async (_, world) => {
      expect(await run('thing wipe thing-1', { ...world, stdin: 'n\n' })).toEqual({ ...done, stderr: '' });
      expect(await run('thing wipe', { ...world, stdin: 'y\n' })).toEqual({
        stdout: '',
        stderr:
          'weir: refused: weir thing wipe needs --yes when nobody can be asked\nhint: --yes would wipe the thing on localhost:9092 (no profile); --dry-run shows it\n',
        exitCode: 2,
      });
      for (const flag of ['--yes', '--dry-run'])
        expect(await run(`thing wipe ${flag}`, world)).toMatchObject({ exitCode: 0 });
    },
  );

  test('it asks on the controlling terminal, whatever standard input is', async () => {
    const { stdout, exitCode } = await run('thing wipe', { stdin: 'y\n', terminal: { typed: 'n\n' } });
    expect({ stdout, exitCode }).toEqual(cancelled);
    expect(await run('thing wipe', { stdin: 'n\n', terminal: { typed: 'y\n' } })).toMatchObject(done);
  });

  test.each([{}, { terminal }])('--no-input without --yes refuses, with a terminal or without: %j', async (world) => {
    const outcome = await run('thing wipe --no-input', { ...world, stdin: 'y\n' });
    expect(outcome).toMatchObject({ stdout: '', exitCode: 2 });
    expect(outcome.stderr).toContain('refused: weir thing wipe needs --yes with --no-input\n');
    const data = await run('thing wipe --no-input --format json', { ...world, stdin: 'y\n' });
    expect(JSON.parse(data.stderr).error).toMatchObject({ code: 'CONFIRMATION_NEEDED', target: '--yes' });
    expect(await run('thing wipe --no-input --yes', world)).toEqual({ ...done, stderr: '' });
    expect(await run('thing wipe --no-input --dry-run', world)).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s at the question is like no, exit %i', async (signal, exitCode) => {
    const silent = new PassThrough();
    let kill: (signal: Signal) => void = () => undefined;
    const outcome = await run('thing wipe', {
      terminal: { typed: silent },
      onStart: (send) => {
        kill = send;
      },
      onStderr: (text) => {
        if (text.includes('[y/N]')) setImmediate(() => kill(signal));
      },
    });
    expect(outcome).toEqual({
      stdout: '',
      stderr: 'Wipe the thing on localhost:9092 (no profile)? [y/N] \nweir: canceled: nothing was changed\n',
      exitCode,
    });
  });

  test.each(['thing wipe --yes', 'thing wipe --no-confirm'])('%s does not ask', async (line) => {
    expect(await run(line, { terminal, stdin: 'n\n' })).toEqual({ ...done, stderr: '' });
  });

  test.each(['--dry-run', '--dry'])('%s does not ask', async (flag) => {
    expect(await run(`thing wipe ${flag}`, { terminal })).toMatchObject({ stdout: 'wiped false\n', exitCode: 0 });
  });
});

describe('on a protected profile', () => {
  const home = protectedHome();

  test.each([
    ['thing-1\n', done],
    ['y\n', cancelled],
    ['', cancelled],
  ])('P2: the name must be typed; %j decides', async (stdin, expected) => {
    const { stdout, stderr, exitCode } = await run('thing wipe', { home, terminal, stdin });
    expect({ stdout, exitCode }).toEqual(expected);
    expect(stderr).toContain('Wipe the thing on profile "prod" (localhost:9092)?\nType "thing-1" to confirm: ');
  });

  test('P1: without a terminal it needs --yes', async () => {
    expect(await run('thing wipe thing-1', { home })).toEqual({
      stdout: '',
      stderr:
        'weir: refused: profile "prod" is protected and needs --yes when nobody can be asked\nhint: --yes would wipe the thing on profile "prod" (localhost:9092); --dry-run shows it\n',
      exitCode: 2,
    });
    expect(await run('thing wipe --yes', { home })).toEqual({ ...done, stderr: '' });
    expect(await run('thing wipe --dry-run', { home })).toMatchObject({ exitCode: 0 });
  });
});
