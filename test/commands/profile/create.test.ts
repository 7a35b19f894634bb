import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeWhole } from '../../config/sources/sources.ts';
import { run, temporaryDirectory } from '../../world.ts';

let home = '';
const weir = (line: string | readonly string[], more = {}) => run(line, { home, cwd: home, ...more });
const profiles = () => join(home, '.config/weir/weir.yaml');

/** The profile as it is stored, with its secrets. */
async function stored(name: string) {
  const { stdout } = await weir(`profile print ${name} --show-secrets --format json`);
  return JSON.parse(stdout);
}

beforeEach(() => {
  home = temporaryDirectory();
});

describe('profile create --from', () => {
  test.each<[given: string, from: string, description: string | null, isProtected: boolean]>([
    ['', '', null, false],
    ['-d why', '', 'why', false],
    ['--set description=set', '', 'set', false],
    ['-d why --set description=set', '', 'why', false],
    ['', '--from old', 'old one', true],
    ['--set description=set', '--from old', 'set', true],
    ['-d why', '--from old', 'why', true],
    ['--set protected=false', '--from old', 'old one', false],
    ['--protected --set protected=false', '--from old', 'old one', true],
    ['', '--from current', 'old one', false],
  ])(
    'flags come before settings, and both before the original: %j %j',
    async (given, from, description, isProtected) => {
      await weir(['profile', 'create', 'old', '-d', 'old one', '--protected', '-s', 'user=u']);
      expect(await weir(`profile create new ${given} ${from}`)).toMatchObject({ exitCode: 0 });
      const options = from === '' ? {} : { user: 'u' };
      expect(await stored('new')).toEqual({ name: 'new', description, protected: isProtected, options });
    },
  );

  const two = 'profiles:\n  - {name: a, options: {user: ua}}\n  - {name: b, description: B, options: {user: ub}}\n';
  test.each([
    ['the selected one', `current_profile: b\n${two}`, 'ub'],
    ['the only one', 'profiles:\n  - {name: a, options: {user: ua}}\n', 'ua'],
  ])('takes the profile of a profile file: %s', async (_, text, user) => {
    writeWhole(join(home, 'other.yaml'), text);
    expect(await weir('profile create new --from other.yaml')).toMatchObject({ exitCode: 0 });
    expect(await stored('new')).toMatchObject({ options: { user } });
  });

  test.each([
    ['of several profiles', two, 'has several profiles, and none of them is selected'],
    [
      'of another kind',
      'a: 1\n',
      'is neither a profile file, nor a broker configuration file with a section weir or rpk, nor a properties file',
    ],
    ['with an unknown option', 'profiles:\n  - {name: a, options: {usr: x}}\n', 'unknown option "usr" in'],
    ['with an invalid value', 'weir: {tls.enabled: maybe}\n', 'invalid boolean "maybe"'],
  ])('refuses a file %s', async (_, text, message) => {
    writeWhole(join(home, 'other.yaml'), text);
    const outcome = await weir('profile create new --from other.yaml');
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(existsSync(profiles())).toBe(false);
  });

  test('refuses a stored profile with an invalid option', async () => {
    writeWhole(profiles(), 'profiles:\n  - {name: old, options: {tls.enabled: maybe, user: u}}\n');
    const outcome = await weir('profile create new --from old');
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('invalid boolean "maybe"') });
    expect(readFileSync(profiles(), 'utf8')).not.toContain('new');
  });
});

describe('profile create --from-rpk', () => {
  const rpk = (text: string) => writeWhole(join(home, 'rpk.yaml'), `version: 6\n${text}`);
  const create = (words = '') => weir(`profile create ${words} --from-rpk=rpk.yaml --format json`);
  const admin = 'admin_api: {addresses: [h]}';
  const pair = `profiles:\n  - {name: one, ${admin}}\n  - {name: two, ${admin}}\n`;

  test.each([
    [
      'current_profile: two\n',
      '',
      [
        ['one', 'created'],
        ['two', 'created and selected'],
      ],
    ],
    [
      '',
      '',
      [
        ['one', 'created and selected'],
        ['two', 'created'],
      ],
    ],
    [
      'current_profile: two\n',
      'mine',
      [
        ['one', 'created'],
        ['mine', 'created and selected'],
      ],
    ],
    [
      '',
      'mine',
      [
        ['mine', 'created and selected'],
        ['two', 'created'],
      ],
    ],
  ])(
    'selects the selected profile, or else the first; NAME and flags are for that one: %j %j',
    async (head, name, made) => {
      rpk(head + pair);
      const { stdout, exitCode } = await create(`${name} -d mine --set user=u`);
      expect(exitCode).toBe(0);
      const outcomes: { profile: string; action: string }[] = JSON.parse(stdout).profiles;
      expect(outcomes.map(({ profile, action }) => [profile, action])).toEqual(made);
      for (const [profile = '', action = ''] of made) {
        const isChosen = action.endsWith('selected');
        const { description, options } = await stored(profile);
        expect([description, options.user]).toEqual(isChosen ? ['mine', 'u'] : [null, undefined]);
      }
    },
  );

  test('a NAME that another profile of the file has is a conflict, and nothing is written', async () => {
    rpk(`current_profile: two\n${pair}`);
    const { exitCode, stderr } = await create('one');
    expect([exitCode, JSON.parse(stderr).error]).toEqual([
      6,
      expect.objectContaining({ code: 'PROFILE_EXISTS', target: 'one', message: expect.stringContaining('"one"') }),
    ]);
    expect(existsSync(profiles())).toBe(false);
  });

  test('the file of rpk is found in the directory of its configuration, and needs a home directory', async () => {
    expect(await weir('profile create --from-rpk', { home: '' })).toMatchObject({
      ...{ exitCode: 2, stderr: expect.stringContaining('unable to find an rpk.yaml: the home directory is unknown') },
    });
    writeWhole(join(home, '.config/rpk/rpk.yaml'), 'version: 6\nprofiles: [{name: mine}]\n');
    expect(await weir('profile create --from-rpk')).toMatchObject({ exitCode: 0 });
    expect(await stored('mine')).toMatchObject({ name: 'mine' });
  });

  test('a file without profiles is refused', async () => {
    rpk('profiles: []\n');
    const { exitCode, stderr } = await weir('profile create --from-rpk=rpk.yaml');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('rpk.yaml contains no profile\n')]);
  });
});
