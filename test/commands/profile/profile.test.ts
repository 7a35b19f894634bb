import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeWhole } from '../../config/sources/sources.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';

interface Home extends World {
  readonly home: string;
  readonly path: string;
}

async function homeWith(...lines: readonly (readonly string[])[]): Promise<Home> {
  const home = temporaryDirectory();
  const world = { home, path: join(home, '.config/weir/weir.yaml') };
  for (const line of lines) expect(await run(['profile', ...line], world)).toMatchObject({ exitCode: 0 });
  return world;
}

const textOf = ({ path }: Home) => readFileSync(path, 'utf8');
const ok = (stdout: string) => ({ stdout, stderr: '', exitCode: 0 });

describe('profile create', () => {
  test('writes a profile, values literal, and selects it', async () => {
    const world = await homeWith();
    const words = [
      'profile',
      'create',
      'prod',
      '--set',
      'brokers=a, b:1',
      '-s',
      'tls.enabled=1',
      '-s',
      'pass=a b#=c',
      '-s',
      'user=007',
      '-d',
      'the: one',
    ];
    expect(await run([...words, '--quiet'], world)).toEqual(ok('Created and switched to new profile "prod".\n'));
    expect(textOf(world)).toBe(`version: 1
current_profile: prod
profiles:
  - name: prod
    description: "the: one"
    options:
      brokers: [a, b:1]
      tls.enabled: true
      pass: a b#=c
      user: "007"
`);
    expect(statSync(world.path).mode & 0o777).toBe(0o600);
  });

  test('writes nothing when anything is wrong, and names all of it', async () => {
    const world = await homeWith();
    const { stderr, exitCode } = await run(
      'profile create x --set tls.enabled=maybe --set usr=s3cret --set s3cret',
      world,
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('invalid boolean "maybe" for tls.enabled in --set: not a boolean');
    expect(stderr).toContain('unknown option "usr" in --set');
    expect(stderr).toContain('hint: did you mean user?');
    expect(stderr).toContain('invalid KEY=VALUE in --set');
    expect(stderr).not.toContain('s3cret');
    expect(existsSync(world.path)).toBe(false);
  });

  test('a name in use is a conflict', async () => {
    const world = await homeWith(['create', 'x']);
    expect(await run('profile create x', world)).toMatchObject({
      exitCode: 6,
      stdout: '',
      stderr: expect.stringContaining('profile "x" already exists'),
    });
    // Before it asks for a password.
    expect(await run('profile create x pass', world)).toMatchObject({ exitCode: 6 });
  });

  test.each(['', ' x', '-x', 'a\nb', 'x'.repeat(101)])('the name "%s" is refused', async (name) => {
    const world = await homeWith();
    expect((await run(['profile', 'create', '--', name], world)).exitCode).toBe(2);
    expect(existsSync(world.path)).toBe(false);
  });

  test('--from a profile, a file, the configuration in use', async () => {
    const world = await homeWith(['create', 'a', '-s', 'user=u', '-s', 'pass=p', '--protected']);
    expect(await run('profile create b --from a --set user=v', world)).toMatchObject({ exitCode: 0 });
    writeWhole(join(world.home, 'broker.yaml'), 'rpk: {kafka_api: {brokers: [k]}}');
    expect(await run('profile create c --from ./broker.yaml', world)).toMatchObject({ exitCode: 0 });
    expect(await run('profile create d --from current -X globals.dial_timeout=9s --profile b', world)).toMatchObject({
      exitCode: 0,
    });
    const printed = async (name: string) =>
      JSON.parse((await run(`profile print ${name} --show-secrets --format json`, world)).stdout);
    expect(await printed('b')).toMatchObject({ protected: true, options: { user: 'v', pass: 'p' } });
    expect(await printed('c')).toMatchObject({ options: { brokers: ['k:9092'] } });
    expect(await printed('d')).toMatchObject({ options: { user: 'v', pass: 'p', 'globals.dial_timeout': '9s' } });
    expect(await run('profile create e --from nothing', world)).toMatchObject({ exitCode: 3 });
  });

  test('--from-rpk imports everything and lists what it could not import', async () => {
    const world = await homeWith(['create', 'mine']);
    const rpk = join(world.home, '.config/rpk/rpk.yaml');
    writeWhole(
      rpk,
      'version: 6\ncurrent_profile: two\nprofiles:\n  - name: one\n    kafka_api: {brokers: [a:1]}\n  - name: two\n',
    );
    const { stdout, exitCode } = await run('profile create --from-rpk', world);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      'Created profile "one".\nCreated and switched to new profile "two".\nnot imported:\n' +
        '  profile one: the Admin API address, which rpk derives from the brokers and weir does not: set admin.hosts\n',
    );
    expect(await run(`profile create renamed --from-rpk=${rpk}`, world)).toMatchObject({ exitCode: 6 });
    expect((await run('profile list --format json', world)).stdout).toContain('"name":"two","current":true');
  });

  test('--dry-run writes nothing', async () => {
    const world = await homeWith();
    expect((await run('profile create x --dry-run', world)).stdout).toBe(
      'Would create and switch to new profile "x".\n',
    );
    expect(existsSync(world.path)).toBe(false);
  });
});

describe('profile use, current, list, clear', () => {
  test('select and show', async () => {
    const world = await homeWith(
      ['create', 'b', '-d', 'second'],
      ['create', 'a', '--protected', '--set', 'brokers=b1.example,b2:9093'],
      ['use', 'a'],
    );
    expect(await run('profile list', world)).toEqual(
      ok(
        'NAME  CURRENT  BROKERS                  PROTECTED  DESCRIPTION\n' +
          'a     yes      b1.example:9092,b2:9093  yes        -\n' +
          'b     -        -                        -          second\n',
      ),
    );
    expect(await run('profile use b', world)).toEqual(ok('Set current profile to "b".\n'));
    expect(await run('profile current', world)).toEqual(ok('b\n'));
    expect(await run('profile current -n --profile a', world)).toEqual(ok('a'));
    expect(await run('profile current', { ...world, env: { WEIR_PROFILE: 'a' } })).toEqual(ok('a\n'));
    expect((await run('profile current', { ...world, env: { RPK_PROFILE: 'a' } })).stderr).toBe(
      'warning: ignored RPK_PROFILE, a variable of rpk: use WEIR_PROFILE\n',
    );
    const tried = await run('profile clear --dry-run', world);
    expect(tried).toMatchObject({ stdout: 'Profile "b" would no longer be selected.\n', exitCode: 0 });
    const deletion = await run('profile delete b --dry-run', world);
    expect(deletion.stderr).toBe('dry run: nothing was changed\n');
    expect(await run('profile current', world)).toEqual(ok('b\n'));
    const stderr = 'no profile is selected: by default, commands use localhost:9092\n';
    expect(await run('profile clear', world)).toEqual({ ...ok(''), stderr });
    expect(await run('profile current', world)).toEqual(ok('\n'));
    expect(await run('profile clear', world)).toEqual(ok(''));
  });

  test('selecting a profile while WEIR_PROFILE is set warns that the variable takes precedence', async () => {
    const world = await homeWith(['create', 'a'], ['create', 'b']);
    const env = { WEIR_PROFILE: 'a' };
    expect((await run('profile use b', { ...world, env })).stderr).toBe(
      'warning: WEIR_PROFILE="a" overrides the selected profile; unset it to use "b"\n',
    );
    expect((await run('profile use a', { ...world, env })).stderr).toBe('');
  });

  test('selecting a profile with an invalid option warns that commands will fail', async () => {
    const world = await homeWith(['create', 'a']);
    writeFileSync(world.path, 'version: 1\nprofiles:\n  - {name: a, options: {tls.enabled: maybe}}\n', { mode: 0o600 });
    expect(await run('profile use a', world)).toEqual({
      stdout: 'Set current profile to "a".\n',
      stderr: expect.stringMatching(
        /^warning: profile "a" has an error: invalid boolean "maybe" for tls.enabled in .*\n$/,
      ),
      exitCode: 0,
    });
  });

  test('a profile that does not exist is an error that names the closest one', async () => {
    const world = await homeWith(['create', 'staging'], ['create', 'prod']);
    const { stderr, exitCode } = await run('profile use stagin', world);
    expect(exitCode).toBe(3);
    expect(stderr).toContain('hint: did you mean "staging"?\nhint: see the profiles with: weir profile list\n');
    expect((await run('config show --profile prdo', world)).stderr).toContain('hint: did you mean "prod"?\n');
    expect((await run('profile use zzzzzzzz', world)).stderr).not.toContain('did you mean');
  });

  test('without a file there are no profiles, and naming one is an error', async () => {
    const world = await homeWith();
    expect(await run('profile ls', world)).toEqual(ok('NAME  CURRENT  BROKERS  PROTECTED  DESCRIPTION\n'));
    expect(await run('profile current --profile x', world)).toMatchObject({ exitCode: 2, stdout: '' });
    for (const line of ['use x', 'print x', 'set user=a', 'delete x --yes', 'rename-to x', 'describe'])
      expect(await run(`profile ${line}`, world)).toMatchObject({ exitCode: 3, stdout: '' });
    expect(existsSync(world.path)).toBe(false);
  });
});

describe('profile set and unset', () => {
  test('change the profile in use, or the one of --profile, and never the selection', async () => {
    const world = await homeWith(['create', 'a'], ['create', 'b']);
    expect(await run('profile set --profile a user=x tls.ca=/ca', world)).toEqual({
      ...ok('Profile "a" updated successfully.\n'),
      stderr: 'warning: tls.ca: there is no file /ca yet\n',
    });
    expect(await run('profile set pass word --quiet', world)).toEqual(ok('Profile "b" updated successfully.\n'));
    expect(await run('profile set protected=true description=why prompt=red', world)).toMatchObject({ exitCode: 0 });
    expect(await run('profile unset --profile a tls.ca user', world)).toEqual(
      ok('Profile "a" updated successfully.\n'),
    );
    expect(textOf(world)).toBe(`version: 1
current_profile: b
profiles:
  - name: a
  - name: b
    options:
      pass: word
      globals.prompt: red
    description: why
    protected: true
`);
  });

  test('unset removes everything that set takes, and what is not there is ignored', async () => {
    const world = await homeWith(['create', 'a']);
    const before = textOf(world);
    await run('profile set protected=true description=why prompt=red user=u', world);
    expect(await run('profile unset Protected description --dry-run', world)).toMatchObject({ exitCode: 0 });
    expect(await run('profile unset Protected description', world)).toEqual(ok('Profile "a" updated successfully.\n'));
    expect(textOf(world)).toBe(`${before}    options:\n      globals.prompt: red\n      user: u\n`);
    for (let times = 0; times < 2; times++)
      expect(await run('profile unset prompt user protected description', world)).toMatchObject({ exitCode: 0 });
    expect(textOf(world)).toBe(before);
  });

  test('write nothing when one pair is wrong', async () => {
    const world = await homeWith(['create', 'a']);
    const before = textOf(world);
    for (const line of ['user=a tls.enabled=maybe', 'name=b', 'nonsense', 'usr=a'])
      expect(await run(`profile set ${line}`, world)).toMatchObject({ exitCode: 2 });
    for (const line of ['usr', 'name', 'protected usr'])
      expect(await run(`profile unset ${line}`, world)).toMatchObject({ exitCode: 2 });
    expect(textOf(world)).toBe(before);
  });

  test('unset repairs a file with an unknown option', async () => {
    const world = await homeWith();
    writeWhole(
      world.path,
      'profiles:\n  - name: a\n    options:\n      user: u\n      nonsense: 1 # why\ncurrent_profile: a\n',
    );
    expect((await run('config show', world)).exitCode).toBe(2);
    expect(await run('profile unset nonsense', world)).toMatchObject({ exitCode: 0 });
    expect((await run('config show user', world)).exitCode).toBe(0);
  });
});

describe('profile rename-to and delete', () => {
  test('rename keeps the selection and refuses a name in use', async () => {
    const world = await homeWith(['create', 'a'], ['create', 'b']);
    expect(await run('profile rename-to c', world)).toEqual(ok('Renamed current profile to "c".\n'));
    expect(JSON.parse((await run('profile rename-to d --dry-run --format json', world)).stdout)).toMatchObject({
      ...{ profile: 'd', previous_name: 'c', dry_run: true },
    });
    expect(await run('profile current', world)).toEqual(ok('c\n'));
    expect(await run('profile rename a', world)).toMatchObject({ exitCode: 6 });
    expect(await run('profile rename c b2', world)).toMatchObject({ exitCode: 0 });
    expect(await run('profile rename nobody d', world)).toMatchObject({ exitCode: 3 });
  });

  test('delete asks on a terminal, and on a protected profile for its name', async () => {
    const world = await homeWith(['create', 'a'], ['create', 'b', '--protected'], ['use', 'b']);
    const terminal = { stdin: true, stdout: true, stderr: true };
    expect(await run('profile delete a', { ...world, terminal, stdin: 'n\n' })).toMatchObject({ exitCode: 1 });
    expect(await run('profile delete a', { ...world, terminal, stdin: 'y\n' })).toMatchObject({ exitCode: 0 });
    expect(await run('profile delete b', world)).toMatchObject({ exitCode: 2 });
    expect(await run('profile delete b', { ...world, terminal, stdin: 'y\n' })).toMatchObject({ exitCode: 1 });
    const gone = await run('profile delete b', { ...world, terminal, stdin: 'b\n' });
    expect(gone).toMatchObject({ exitCode: 0, stdout: 'Deleted profile "b".\n' });
    expect(gone.stderr).toContain('no profile is selected;');
    expect(textOf(world)).toBe('version: 1\n');
  });
});

test('profile print and describe hide secrets unless --show-secrets is given', async () => {
  const proxy = ['-s', 'globals.proxy=socks5h://s3cret@h'];
  const world = await homeWith(['create', 'a', '-s', 'pass=s3cret', '-s', 'tls.enabled=true', ...proxy, '-d', 'why']);
  expect(await run('profile print', world)).toEqual(
    ok(
      'name: a\ndescription: why\noptions:\n  pass: "[hidden]"\n  tls.enabled: true\n  globals.proxy: "socks5h://[hidden]@h"\n',
    ),
  );
  const open = (await run('profile print a --show-secrets', world)).stdout;
  expect(open).toContain('pass: s3cret\n');
  expect(open).toContain('globals.proxy: socks5h://s3cret@h\n');
  const { stdout } = await run('profile describe', world);
  expect(stdout).toContain(`PLACE        ${world.path}:4\n`);
  expect(stdout).toContain('pass           [hidden]\n');
  expect(stdout).toContain('globals.proxy  socks5h://[hidden]@h\n');
});

test('a missing profile is reported with what names it, unless that is the argument', async () => {
  const world = await homeWith(['create', 'a']);
  const missing = async (line: string, env = {}) => (await run(line, { ...world, env })).stderr.split('\n')[0];
  expect(await missing('profile describe b')).toBe('weir: b: no such profile');
  expect(await missing('profile describe', { WEIR_PROFILE: 'b' })).toBe('weir: WEIR_PROFILE=b: no such profile');
  writeWhole(world.path, 'current_profile: gone\nprofiles:\n  - name: a\n');
  expect(await missing('profile describe')).toBe(`weir: ${world.path}:1, current_profile gone: no such profile`);
});
