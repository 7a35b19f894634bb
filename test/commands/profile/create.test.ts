import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

test('-X, which is not saved, and an address as other tools take it lead to --set', async () => {
  const one = await weir('profile create one -X brokers=a:1 -X globals.dial_timeout=1s --set user=u');
  expect(one.stderr).toBe('warning: -X brokers is for this command only: save it with --set\n');
  expect((await weir('profile create copy --from current -X brokers=a:1')).stderr).not.toContain('--set');
  const { stderr, exitCode } = await weir('profile create two --brokers a:1');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('did you mean --set brokers=HOST:PORT?')]);
});

test('a protected profile is created without being selected', async () => {
  await weir('profile create dev');
  const made = await weir('profile create prod --protected --set user=u pass.file=/run/pass prompt=bold');
  expect(made).toEqual({
    exitCode: 0,
    stdout: 'Created profile "prod".\n',
    stderr: 'a protected profile is not selected when it is created; select it with: weir profile use prod\n',
  });
  expect((await weir('profile current')).stdout).toBe('dev\n');
  expect(await stored('prod')).toMatchObject({ options: { user: 'u', 'pass.file': '/run/pass' } });
});

test.each(['profile create x --set', 'profile set --profile dev'])('%s prompt checks the format', async (line) => {
  await weir('profile create dev');
  const outcome = await weir([...line.split(' '), 'prompt=bg-red %n']);
  expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('unknown modifier "%n"') });
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
      await weir('profile use old');
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

test('a file is taken as it is, with a warning if certificates are not verified', async () => {
  const aws = { 'sasl.mechanism': 'AWS_MSK_IAM', 'aws.region': 'eu-west-1' };
  writeWhole(join(home, 'r.yaml'), `weir: ${JSON.stringify({ brokers: ['b:1'], ...aws })}`);
  expect(await weir('profile create new --from r.yaml')).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await stored('new')).options).toMatchObject({ brokers: ['b:1'], ...aws });
  const text = 'bootstrap.servers=b:1\nsecurity.protocol=SSL\nenable.ssl.certificate.verification=false\n';
  writeWhole(join(home, 'c.properties'), text);
  const { stderr } = await weir('profile create a --from c.properties');
  expect(stderr).toContain(
    'the new profile accepts any certificate (tls.insecure_skip_verify); to undo that: weir profile unset --profile a tls.insecure_skip_verify',
  );
  expect((await weir('profile create c --from a')).stderr).toBe('');
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
      const rows: { profile: string; current: string }[] = JSON.parse(stdout).profiles;
      const actions = rows.map(({ profile, current }) => [
        profile,
        profile === current ? 'created and selected' : 'created',
      ]);
      expect(actions).toEqual(made);
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

  test('a file after a space is found out, and so are profiles that --from leaves', async () => {
    expect(await weir(['profile', 'create', 'a\u0001', '--from-rpk=rpk.yaml'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('invalid profile name: it contains control characters'),
    });
    expect(await weir('profile create prod --from-rpk ./rpk.yaml')).toMatchObject({
      ...{
        exitCode: 2,
        stderr: expect.stringContaining('hint: pass a file to import after "=": --from-rpk=./rpk.yaml'),
      },
    });
    rpk('current_profile: a\nprofiles: [{name: a, kafka_api: {brokers: [b:1]}}, {name: dev}]\n');
    const { stdout } = await weir('profile create prod --from rpk.yaml');
    expect(stdout).toContain('profile dev; to import all profiles: weir profile create --from-rpk=');
  });

  test('a file without profiles is refused', async () => {
    rpk('profiles: []\n');
    const { exitCode, stderr } = await weir('profile create --from-rpk=rpk.yaml');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('rpk.yaml contains no profile\n')]);
  });
});

describe('paths in a profile mean the same in every directory', () => {
  const optionsOf = async (line: string) => JSON.parse((await weir(`config show ${line} --format json`)).stdout);
  const shown = (rows: readonly { key: string; value: unknown }[], key: string) =>
    rows.find((row) => row.key === key)?.value;

  test('those that are typed are relative to the working directory', async () => {
    const cwd = join(home, 'work');
    await weir('profile create typed --set tls.ca=ca.pem', { cwd });
    await weir('profile set pass.file=pw.txt oauth.assertion.key=../k.pem tls.cert=~/c.pem tls.key=/k.pem', { cwd });
    await weir('profile create copied --from current -X registry.tls.ca=r.pem', { cwd });
    const options = {
      'tls.ca': join(cwd, 'ca.pem'),
      'pass.file': join(cwd, 'pw.txt'),
      'oauth.assertion.key': join(home, 'k.pem'),
      'tls.cert': '~/c.pem',
      'tls.key': '/k.pem',
    };
    expect((await stored('typed')).options).toEqual(options);
    expect((await stored('copied')).options).toMatchObject({ ...options, 'registry.tls.ca': join(cwd, 'r.pem') });
  });

  test('those of a profile file are relative to it, and an error says where weir looked', async () => {
    const file = join(home, 'there/weir.yaml');
    const options = '{user: u, pass.file: pw, brokers: [127.0.0.1:1], tls.ca: sub/ca.pem}';
    writeWhole(file, `current_profile: a\nprofiles:\n  - {name: a, options: ${options}}\n`);
    const rows = await optionsOf(`tls.ca pass --config ${file}`);
    expect(shown(rows, 'tls.ca')).toBe(join(home, 'there/sub/ca.pem'));
    expect(shown(rows, 'pass')).toBe(`[from file "${join(home, 'there/pw')}"]`);
    const { stderr } = await weir('topic list -X pass.file=other -X user=u -X brokers=127.0.0.1:1');
    expect(stderr).toContain(`unable to read ${join(home, 'other')} (pass.file): no such file`);
  });

  test.each([
    ['client.properties', 'security.protocol=SSL\nssl.ca.location=ca.pem\nbootstrap.servers=b\n'],
    ['broker.yaml', 'weir: {tls.ca: ca.pem}\n'],
    ['rpk.yaml', 'version: 6\nprofiles: [{name: a, kafka_api: {brokers: [b:1], tls: {ca_file: ca.pem}}}]\n'],
    ['weir.yaml', 'profiles:\n  - {name: a, options: {tls: {ca: ca.pem}}}\n'],
  ])('those of %s, which is imported, are relative to it', async (name, text) => {
    writeWhole(join(home, 'there', name), text);
    await weir(`profile create new --from there/${name}`);
    expect((await stored('new')).options).toMatchObject({ 'tls.ca': join(home, 'there/ca.pem') });
  });
});

test('a dry run shows what would change, without secrets', async () => {
  await weir('profile create a -s user=alice -s pass=canary -s tls.enabled=true');
  const { stdout } = await weir('profile set --dry-run user=bob pass=canary2 description=new brokers=b:1');
  expect(stdout).toBe(`Profile "a" would be updated.
  user: alice -> bob
  pass: [hidden] -> [hidden]
  description: new
  brokers: b:1
`);
  expect((await weir('profile unset --dry-run tls.enabled')).stdout).toContain('  tls.enabled: true -> not set\n');
  const created = await weir('profile create b --from a --dry-run --format json');
  expect(JSON.parse(created.stdout).profiles[0].changes).toContainEqual({ key: 'user', before: null, after: 'alice' });
});

test.each([
  ['redpanda: {}\npandaproxy: {}\nschema_registry: {}\nrpk:\n  kafka_api: {brokers: ["b1.example:9092"]}\n'],
  ['kafka_api: {brokers: ["b1.example:9092"]}\n'],
])('a file of Redpanda is imported whatever other sections it has: %j', async (text) => {
  const file = join(home, 'from.yaml');
  writeFileSync(file, text);
  expect(await weir(['profile', 'create', 'p', '--from', file])).toMatchObject({ exitCode: 0 });
  expect(await stored('p')).toMatchObject({ options: { brokers: ['b1.example:9092'] } });
});

test('keys of the profile file may be in any case, and an edit changes them in place', async () => {
  const file = join(home, 'any-case.yaml');
  writeFileSync(file, 'profiles:\n  - name: p\n    options:\n      Brokers: b:1\n      TLS: {Enabled: true}\n', {
    mode: 0o600,
  });
  const set = await weir(['profile', 'set', 'tls.enabled=false', 'brokers=c:1', '--profile', 'p', '--config', file]);
  expect(set).toMatchObject({ exitCode: 0 });
  expect(readFileSync(file, 'utf8')).toBe(
    'profiles:\n  - name: p\n    options:\n      Brokers: [c:1]\n      TLS: {Enabled: false}\n',
  );
});
