import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { services } from '../../../services/services.ts';
import { run, temporaryDirectory, type World } from '../../../world.ts';
import { admin, login, must, removeUser, typing, withoutRights } from '../people.ts';

const prefix = `users-${process.pid}`;
const [ana, bea] = [`${prefix}-ana`, `${prefix}-bea`];
const refused = `${prefix}-refused`;
let stranger: World;

beforeAll(async () => {
  expect(services().directory).not.toBe('');
  stranger = await withoutRights(refused);
});

afterEach(async () => {
  await run(`security user delete ${ana} ${bea} --yes`, admin());
});

afterAll(() => removeUser(refused));

const terminal = { stdin: true, stderr: true };
const person = (typed: string): World => admin({ stdin: typed, terminal, env: { NO_COLOR: '1' } });
const squeezed = (text: string) => text.replace(/ +/g, ' ').replace(/ $/gm, '');
const credentials = async (user: string) =>
  squeezed(await must(`security user list ${user} --format wide --no-headers`));

describe('security user create', () => {
  it('generates a password without a terminal, alone on the last line, which is that of the user', async () => {
    const { stdout, stderr, exitCode } = await run(`security user create ${ana}`, admin());
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const [first, second, password = '', ...rest] = stdout.split('\n');
    expect([first, second, rest]).toEqual([`created user "${ana}" (SCRAM-SHA-256)`, 'generated password:', ['']]);
    expect(password).toMatch(/^[A-Za-z0-9]{30}$/);
    expect(await login(ana, password)).toBe(0);
    expect(await login(ana, `${password}x`)).toBe(4);
    expect(await login(ana, password, 'SCRAM-SHA-512')).toBe(4);
  });

  it.each(['SCRAM-SHA-256', 'SCRAM-SHA-512'])('salts any password as brokers expect it for %s', async (mechanism) => {
    for (const password of ['pencil', ' a=b,c\u00a0ä€😀\tx ', 'x'.repeat(200)]) {
      await must(`security user create ${ana} --mechanism ${mechanism} --iterations 8192 --password-stdin`, {
        stdin: `${password}\n`,
      });
      expect(await login(ana, password, mechanism)).toBe(0);
      expect(await credentials(ana)).toBe(`${ana} ${mechanism} 8192\n`);
      await must(`security user delete ${ana} --yes`);
    }
  });

  it('creates credentials for several mechanisms', async () => {
    await must(`security user create ${ana} --mechanism scram-sha-512,SCRAM-SHA-256 --password-stdin`, { stdin: 'pw' });
    expect(await credentials(ana)).toBe(`${ana} SCRAM-SHA-256 4096\n${ana} SCRAM-SHA-512 4096\n`);
    expect([await login(ana, 'pw'), await login(ana, 'pw', 'SCRAM-SHA-512')]).toEqual([0, 0]);
  });

  it('reads the password from a file', async () => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'password.txt'), 'from a file\r\n');
    await must(`security user create ${ana} --password-file password.txt`, { cwd });
    expect(await login(ana, 'from a file')).toBe(0);
  });

  it('prompts twice on a terminal, without echo', async () => {
    const { stdout, stderr, exitCode } = await run(
      `security user create ${ana}`,
      admin({ ...typing('typed', 'typed'), env: { NO_COLOR: '1' } }),
    );
    expect({ stdout, exitCode }).toEqual({ stdout: `created user "${ana}" (SCRAM-SHA-256)\n`, exitCode: 0 });
    expect(stderr).toBe(`new password of user "${ana}": \nthe same password again: \n`);
    expect(await login(ana, 'typed')).toBe(0);
  });

  it('creates nobody if the two passwords differ', async () => {
    const { stdout, stderr, exitCode } = await run(
      `security user create ${ana}`,
      admin({ ...typing('typed', 'tipped'), env: { NO_COLOR: '1' } }),
    );
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain('weir: the two passwords differ\n');
    expect((await run(`security user list ${ana}`, admin())).exitCode).toBe(3);
  });

  it('creates nobody if the second question has no answer', async () => {
    const world = admin({ ...typing('typed', '\u0004'), env: { NO_COLOR: '1' } });
    const { stdout, stderr, exitCode } = await run(`security user create ${ana}`, world);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toContain('weir: canceled: nothing was changed\n');
  });

  it('generates a password on a terminal with --generate-password', async () => {
    const { stdout } = await run(`security user create ${ana} --generate-password --format json`, person(''));
    expect(JSON.parse(stdout)).toEqual({
      user: ana,
      mechanisms: ['SCRAM-SHA-256'],
      password: expect.stringMatching(/^[A-Za-z0-9]{30}$/),
      status: 'OK',
      dry_run: false,
      error: null,
    });
  });

  it('does not touch a user that exists', async () => {
    await must(`security user create ${ana} --password-stdin`, { stdin: 'first' });
    expect(await run(`security user create ${ana} --password-stdin`, admin({ stdin: 'second' }))).toEqual({
      stdout: '',
      stderr:
        `weir: unable to create user "${ana}": the user already exists\n` +
        `hint: set another password with: weir security user update ${ana}\n`,
      exitCode: 6,
    });
    expect(await login(ana, 'first')).toBe(0);
  });

  it('creates nobody with --dry-run, and reads no password', async () => {
    expect(await run(`security user create ${ana} --dry-run`, person(''))).toEqual({
      stdout: `OK (dry run: user "${ana}" (SCRAM-SHA-256) would be created)\n`,
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect((await run(`security user list ${ana}`, admin())).exitCode).toBe(3);
  });

  it.each(['--password', '-p', '--new-password'])(
    'takes the password from %s like rpk, with a warning',
    async (flag) => {
      const { stdout, stderr } = await run(['security', 'user', 'create', ana, flag, 'given'], admin());
      expect(stdout).toBe(`created user "${ana}" (SCRAM-SHA-256)\n`);
      expect(stderr).toBe(
        'warning: other users of this machine can see a password on the command line; use --password-stdin or --password-file\n',
      );
      expect(await login(ana, 'given')).toBe(0);
    },
  );

  it('exits with 4 without the right to do so', async () => {
    const { stdout, stderr, exitCode } = await run(`security user create ${ana} --generate-password`, stranger);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 4 });
    expect(stderr).toContain('CLUSTER_AUTHORIZATION_FAILED (31)');
    expect(stderr).toContain(refused);
  });

  it.each([
    [['create'], 'USER'],
    [['create', ''], 'invalid USER "": it is empty'],
    [['create', 'User:ana'], 'leave out "User:"'],
    [['create', 'ana', '--mechanism', 'plain'], 'not one of SCRAM-SHA-256, SCRAM-SHA-512'],
    [['create', 'ana', '--iterations', '1000'], 'less than 4096'],
    [['create', 'ana', '--iterations', '20000'], 'more than 16384'],
    [['create', 'ana', '--password-stdin', '--generate-password'], 'are mutually exclusive'],
    [['create', 'ana', '--password', 'a', '--password-file', 'b'], 'are mutually exclusive'],
    [['create', 'ana', '--password', ''], 'the value of --password is empty'],
    [['create', 'ana', '--user', 'admin', '--password', 'b'], '--user and --password together are ambiguous'],
    [['update', 'ana', '--user', 'admin', '--password', 'b'], '--user and --password together are ambiguous'],
    [['update'], 'USER'],
    [['delete'], 'USER'],
    [['list', ''], 'it is empty'],
  ])('%j is a usage error', async (words, message) => {
    const outcome = await run(['security', 'user', ...words], { env: { WEIR_BROKERS: '127.0.0.1:1' } });
    expect(outcome).toMatchObject({ stdout: '', exitCode: 2 });
    expect(outcome.stderr).toContain(message);
  });

  it('never shows a password flag in the help', async () => {
    const { stdout } = await run('security user create --help');
    expect(stdout).not.toMatch(/--(new-)?password /);
    expect(stdout).toContain('--password-stdin');
  });
});

describe('security user update', () => {
  it('replaces the password for every mechanism of the user', async () => {
    const both = '--mechanism scram-sha-512,scram-sha-256';
    await must(`security user create ${ana} ${both} --password-stdin`, { stdin: 'old' });
    expect(await run(`security user update ${ana} --password-stdin`, admin({ stdin: 'new' }))).toEqual({
      stdout: `updated user "${ana}" (SCRAM-SHA-256, SCRAM-SHA-512)\n`,
      stderr: '',
      exitCode: 0,
    });
    for (const mechanism of ['SCRAM-SHA-256', 'SCRAM-SHA-512'])
      expect([await login(ana, 'new', mechanism), await login(ana, 'old', mechanism)]).toEqual([0, 4]);
  });

  it('adds a mechanism, and says that the old password stays valid', async () => {
    await must(`security user create ${ana} --password-stdin`, { stdin: 'old' });
    const line = `security user update ${ana} --mechanism scram-sha-512 --password-stdin`;
    const { stderr } = await run(line, admin({ stdin: 'new' }));
    expect(stderr).toBe('warning: the old password stays valid for SCRAM-SHA-256\n');
    expect([await login(ana, 'old'), await login(ana, 'new', 'SCRAM-SHA-512')]).toEqual([0, 0]);
  });

  it('fails without a password and without a terminal', async () => {
    await must(`security user create ${ana}`);
    expect(await run(`security user update ${ana}`, admin())).toEqual({
      stdout: '',
      stderr:
        `weir: the password of user "${ana}" is missing, and there is no terminal to prompt for it\n` +
        'hint: add --password-stdin, --password-file FILE or --generate-password\n',
      exitCode: 2,
    });
  });

  it('changes nothing with --dry-run', async () => {
    await must(`security user create ${ana} --password-stdin`, { stdin: 'old' });
    const { stdout } = await run(`security user update ${ana} --dry-run --format json`, admin());
    expect(JSON.parse(stdout)).toMatchObject({ user: ana, mechanisms: ['SCRAM-SHA-256'], password: null });
    expect(await login(ana, 'old')).toBe(0);
  });

  it('exits with 3 if the user does not exist', async () => {
    const { stdout, stderr, exitCode } = await run(`security user update ${bea} --generate-password`, admin());
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
    expect(stderr).toContain(`weir: unable to update user "${bea}": RESOURCE_NOT_FOUND (91): `);
    expect(stderr).toContain(`hint: create it with: weir security user create ${bea}\n`);
  });
});

describe('security user list', () => {
  it('lists the users, sorted', async () => {
    await must(`security user create ${bea}`);
    await must(`security user create ${ana}`);
    const { stdout } = await run('security user list', admin());
    expect(stdout).toMatch(/^USERNAME\n/);
    const again = await run('acl user ls --no-headers', admin());
    // Other tests on the same broker create and delete users.
    for (const text of [stdout, again.stdout])
      expect(text.split('\n').filter((name) => name.startsWith(prefix))).toEqual([ana, bea, refused]);
  });

  it('lists the named ones and those that do not exist, exit code 3', async () => {
    await must(`security user create ${ana}`);
    const { stdout, exitCode } = await run(`security user list ${ana} ${bea} --no-headers`, admin());
    expect(squeezed(stdout)).toMatch(new RegExp(`^${ana}\n${bea} RESOURCE_NOT_FOUND: .*\n$`));
    expect(exitCode).toBe(3);
    expect(squeezed((await run(`security user list ${ana} ${bea} --format wide`, admin())).stdout)).toMatch(
      new RegExp(`^USERNAME MECHANISM ITERATIONS ERROR\n${ana} SCRAM-SHA-256 4096\n${bea} - - RESOURCE.*\n$`),
    );
  });

  it('has the credentials in json', async () => {
    await must(`security user create ${ana}`);
    const { stdout } = await run(`security user list ${ana} --format json`, admin());
    expect(JSON.parse(stdout)).toEqual([
      {
        user: ana,
        credentials: [{ mechanism: 'SCRAM-SHA-256', iterations: 4096, password_set_at: null }],
        error: null,
      },
    ]);
  });

  it('exits with 4 without the right to do so', async () => {
    const { stdout, stderr, exitCode } = await run('security user list', stranger);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 4 });
    expect(stderr).toContain('unable to list users: CLUSTER_AUTHORIZATION_FAILED (31)');
  });
});

describe('security user delete', () => {
  it('fails for an absent user, and not with --if-exists', async () => {
    const line = `security user delete ${prefix}-absent --yes --no-headers`;
    expect((await run(line, admin())).exitCode).toBe(3);
    const { stdout, stderr, exitCode } = await run(`${line} --if-exists`, admin());
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: `${prefix}-absent  OK (does not exist)\n`,
      stderr: '',
      exitCode: 0,
    });
  });

  it('deletes users with all their credentials; one that does not exist leaves the others alone', async () => {
    await must(`security user create ${ana} --mechanism scram-sha-512,scram-sha-256`);
    const { stdout, exitCode } = await run(`security user delete ${bea} ${ana} --no-headers`, admin());
    expect(squeezed(stdout)).toMatch(new RegExp(`^${ana} OK\n${bea} RESOURCE_NOT_FOUND: .*\n$`));
    expect(exitCode).toBe(3);
    expect((await run(`security user list ${ana}`, admin())).exitCode).toBe(3);
  });

  it('deletes one mechanism', async () => {
    await must(`security user create ${ana} --mechanism scram-sha-512,scram-sha-256`);
    const line = `security user delete ${ana} --mechanism scram-sha-512 --format json`;
    expect(JSON.parse((await run(line, admin())).stdout)).toMatchObject([
      { user: ana, mechanisms: ['SCRAM-SHA-512'], error: null },
    ]);
    expect(await credentials(ana)).toBe(`${ana} SCRAM-SHA-256 4096\n`);
    const again = await run(line, admin());
    expect(JSON.parse(again.stdout)).toMatchObject([
      { mechanisms: [], error: { code: 'RESOURCE_NOT_FOUND', message: 'the user has no SCRAM-SHA-512 credential' } },
    ]);
    expect(again.exitCode).toBe(3);
  });

  it('asks on a terminal, and deletes nobody on no', async () => {
    await must(`security user create ${ana}`);
    await must(`security user create ${bea}`);
    const { stderr, exitCode } = await run(`security user delete ${bea} ${ana} ${ana}-nobody`, person('n\n'));
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`Delete 2 users (${ana}, ${bea}) on `);
    const one = await run(`security user delete ${ana} --mechanism scram-sha-256`, person('n\n'));
    expect(one.stderr).toContain(`Delete the SCRAM-SHA-256 credential of 1 user (${ana}) on `);
    expect(await credentials(ana)).not.toBe('');
  });

  it('only shows what it would delete with --dry-run', async () => {
    await must(`security user create ${ana}`);
    const { stdout, exitCode } = await run(`security user delete ${ana} --dry-run --no-headers`, person(''));
    expect({ stdout: squeezed(stdout), exitCode }).toEqual({
      stdout: `${ana} OK (dry run: would be deleted, SCRAM-SHA-256)\n`,
      exitCode: 0,
    });
    expect(await credentials(ana)).not.toBe('');
  });

  it('exits with 4 without the right to do so', async () => {
    const { exitCode, stderr } = await run(`security user delete ${ana}`, stranger);
    expect({ exitCode, isNamed: stderr.includes(refused) }).toEqual({ exitCode: 4, isNamed: true });
  });
});
