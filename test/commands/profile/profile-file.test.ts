import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeWhole } from '../../config/sources/sources.ts';
import { run, temporaryDirectory } from '../../world.ts';

let home = '';
const weir = (line: string, more = {}) => run(line, { home, ...more });
const path = () => join(home, '.config/weir/weir.yaml');
const have = (text: string) => writeWhole(path(), text);
const json = async (line: string, more = {}) => JSON.parse((await weir(`${line} --format json`, more)).stdout);

beforeEach(() => {
  home = temporaryDirectory();
});

const lines = ['list', 'current', 'describe', 'print', 'use a', 'set user=a', 'delete a --yes', 'validate', 'clear'];

describe('every command about profiles', () => {
  test.each(lines)('profile %s needs a home directory or --config', async (line) => {
    const outcome = await weir(`profile ${line}`, { home: '', cwd: home });
    expect(outcome).toEqual({
      stdout: '',
      stderr:
        'weir: unable to find the profile file: the home directory is unknown\n' +
        'hint: name a file with --config FILE or WEIR_CONFIG\n',
      exitCode: 2,
    });
    have('current_profile: a\nprofiles:\n  - name: a\n');
    expect(await weir(`profile ${line} --config ${path()}`, { home: '', cwd: home })).toMatchObject({ exitCode: 0 });
  });

  test.each(lines.filter((line) => line !== 'validate'))('profile %s refuses a file that is damaged', async (line) => {
    have('profiles:\n  - {name: a}\ncurrent_profile: a\ncolour: red\n');
    const before = readFileSync(path(), 'utf8');
    const outcome = await weir(`profile ${line}`);
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('"colour"') });
    expect(readFileSync(path(), 'utf8')).toBe(before);
  });

  test('profile list warns of each profile in which something is wrong', async () => {
    have('profiles:\n  - {name: a, colour: red, options: {usr: x}}\n  - {name: b}\n');
    const { stdout, stderr, exitCode } = await weir('profile list');
    expect([exitCode, stdout.split('\n').length]).toEqual([0, 4]);
    expect(stderr).toBe(`warning: profile "a" has 2 errors, the first: ${path()}:2: unknown key "colour"\n`);
  });

  test.each(['print', 'describe'])('profile %s shows what is valid, and warns of the rest', async (verb) => {
    have('profiles:\n  - name: a\n    options: {tls.enabled: maybe, user: u}\n');
    const { stdout, stderr, exitCode } = await weir(`profile ${verb} a`);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^ *user:? +u$/m);
    expect(stderr).toMatch(/^warning: invalid boolean "maybe" for tls\.enabled in /);
  });
});

describe('the profile in use', () => {
  const two = 'current_profile: a\nprofiles:\n  - {name: b, protected: true}\n  - {name: a, description: A}\n';

  test.each([
    ['', {}, 'a'],
    ['', { WEIR_PROFILE: 'b' }, 'b'],
    ['--profile b', {}, 'b'],
  ])('is marked in a list that is sorted by name: %j %j', async (flag, env, used) => {
    have(two);
    const rows = await json(`profile list ${flag}`, { env });
    expect(rows).toEqual([
      { name: 'a', current: used === 'a', brokers: null, protected: false, description: 'A' },
      { name: 'b', current: used === 'b', brokers: null, protected: true, description: '' },
    ]);
    expect(await json(`profile current ${flag}`, { env })).toEqual({ name: used });
  });

  test('is none without a selection', async () => {
    have('profiles:\n  - name: a\n');
    expect(await json('profile current')).toEqual({ name: null });
    expect(await json('profile clear')).toMatchObject({ cleared: null, status: 'NOT_NEEDED' });
    const set = await weir('profile set user=a --format json');
    expect([set.exitCode, JSON.parse(set.stderr).error.code]).toEqual([3, 'NO_PROFILE']);
  });

  test('that is named but missing is an error', async () => {
    have(two);
    expect(await weir('profile current --profile c')).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test('is described with its place, its purpose and its options', async () => {
    have(`${two}    options: {brokers: [x, "y:1"], pass: p}\n`.replace('{name: a, description: A}', 'name: a'));
    expect((await weir('profile describe')).stdout).toBe(
      [
        'NAME         a',
        'DESCRIPTION  -',
        'SELECTED     yes',
        'PROTECTED    no',
        `PLACE        ${path()}:4`,
        '',
        'OPTION   VALUE',
        'brokers  x:9092,y:1',
        'pass     [hidden]',
        '',
      ].join('\n'),
    );
    const { stdout } = await weir('profile describe b');
    expect(stdout).toMatch(/^SELECTED +no\nPROTECTED +yes\nPLACE .*:3\n$/m);
    expect(await json('profile describe --show-secrets')).toMatchObject({ options: { pass: 'p' }, selected: true });
  });
});

describe('profile clear', () => {
  test('reports in json what was selected; a dry run leaves it so', async () => {
    have('current_profile: a\nprofiles:\n  - name: a\n');
    expect(await json('profile clear --dry-run')).toMatchObject({ cleared: 'a', status: 'OK', dry_run: true });
    expect(await json('profile clear')).toMatchObject({ cleared: 'a', status: 'OK' });
    expect(readFileSync(path(), 'utf8')).not.toContain('current_profile');
  });

  test('creates no file', async () => {
    expect(await json('profile clear')).toMatchObject({ cleared: null });
    expect(existsSync(path())).toBe(false);
  });
});

describe('profile rename-to', () => {
  test('of the same name changes nothing; of a taken name is a conflict that names it', async () => {
    have('current_profile: a\nprofiles:\n  - name: a # mine\n  - name: b\n');
    const before = readFileSync(path(), 'utf8');
    expect(await json('profile rename-to a')).toMatchObject({ previous_name: 'a', status: 'NOT_NEEDED' });
    const taken = await weir('profile rename-to b --format json');
    expect([taken.exitCode, JSON.parse(taken.stderr).error]).toEqual([
      6,
      expect.objectContaining({ code: 'PROFILE_EXISTS', target: 'b', message: 'profile "b" already exists' }),
    ]);
    expect(await weir('profile rename-to -- -x')).toMatchObject({ exitCode: 2 });
    expect(readFileSync(path(), 'utf8')).toBe(before);
  });
});

describe('profile delete', () => {
  test('shows the brokers in its question, and selects none afterwards only if the profile was selected', async () => {
    have('current_profile: a\nprofiles:\n  - name: a\n  - {name: b, options: {brokers: [x, "y:1"]}}\n');
    const terminal = { stdin: true, stdout: true, stderr: true };
    const asked = await weir('profile delete b', { terminal, stdin: 'y\n' });
    expect(asked.stderr).toContain('Delete the profile "b" (x:9092,y:1)');
    expect(asked.stderr).not.toContain('no profile is selected');
    const plain = await weir('profile delete a', { terminal, stdin: 'n\n' });
    expect(plain.stderr).toMatch(/^Delete the profile "a"[^(]*$/m);
    expect((await weir('profile delete a --yes --dry-run')).stderr).toBe('dry run: nothing was changed\n');
  });
});
