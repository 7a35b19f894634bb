import { beforeEach, describe, expect, test } from 'vitest';
import { startNode } from '../../../admin/admin-of.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { run } from '../../../world.ts';
import { weirInterruptedAt } from '../../cluster/admin-world.ts';
import { accessWorld, hasPassword } from '../access-world.ts';
import { typing } from '../people.ts';

beforeEach(skipPauses);

describe('security user create over the Admin API', () => {
  test('creates a user with a generated password', async () => {
    const world = await accessWorld();
    const { stdout, stderr, exitCode } = await world.weir('security user create cyd');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const [first, second, password = '', ...rest] = stdout.split('\n');
    expect([first, second, rest]).toEqual(['created user "cyd" (SCRAM-SHA-256)', 'generated password:', ['']]);
    expect(await hasPassword(world, 'cyd', password)).toBe(true);
    expect(await hasPassword(world, 'cyd', `${password}x`)).toBe(false);
  });

  test('asks the leader whether the user exists, because other nodes may not know yet', async () => {
    const { weir, switches } = await accessWorld();
    switches.moveController({ to: 2, electionMs: 0 });
    await weir('security user create cyd');
    const about = switches.journal().filter(({ route }) => route?.startsWith('users.'));
    expect(about.map(({ route, node }) => [route, node])).toEqual([
      ['users.list', 2],
      ['users.create', 2],
    ]);
  });

  test('has the same JSON as over the Kafka API', async () => {
    const { weir } = await accessWorld();
    const line = 'security user create cyd --password-stdin --mechanism scram-sha-512 --format json';
    expect(JSON.parse((await weir(line, { stdin: 'pw' })).stdout)).toEqual({
      ...{ user: 'cyd', mechanisms: ['SCRAM-SHA-512'], password: null },
      ...{ status: 'OK', dry_run: false, error: null },
    });
  });

  test('prompts twice on a terminal', async () => {
    const world = await accessWorld();
    const { exitCode } = await world.weir('security user create cyd', typing('typed', 'typed'));
    expect(exitCode).toBe(0);
    expect(await hasPassword(world, 'cyd', 'typed')).toBe(true);
  });

  test('does not touch a user that exists, even with the same password', async () => {
    const { weir, changes } = await accessWorld();
    for (const stdin of ['other', 'ana-pass'])
      expect(await weir('security user create ana --password-stdin', { stdin })).toEqual({
        stdout: '',
        stderr:
          'weir: unable to create user "ana": the user already exists\n' +
          'hint: set another password with: weir security user update ana\n',
        exitCode: 6,
      });
    const data = await weir('security user create ana --password-stdin --format json', { stdin: 'other' });
    expect(JSON.parse(data.stderr).error).toMatchObject({ code: 'USER_ALREADY_EXISTS', target: 'ana' });
    const forced = await weir('security user create ana --api admin');
    expect(forced.stderr).toContain('hint: set another password with: weir security user update ana --api admin\n');
    expect(changes()).toEqual([]);
  });

  test('a user that another client creates in the meantime is an error in the words of the server', async () => {
    const { weir, whenAfter, ok } = await accessWorld();
    const body = { username: 'cyd', password: 'theirs', algorithm: 'SCRAM-SHA-256' };
    whenAfter('users.list', () => ok('POST /v1/security/users', { body }));
    const { stdout, stderr, exitCode } = await weir('security user create cyd --password-stdin', { stdin: 'mine' });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toMatch(
      /^weir: unable to create user "cyd": Unexpected cluster error: user "cyd" already exists \(POST \S+: 500\)\n$/,
    );
  });

  test.each(['.', '..'])('%s cannot be named in a later request: exit 2, and nothing is sent', async (name) => {
    const { weir, switches } = await accessWorld();
    const { stdout, stderr, exitCode } = await weir(`security user create ${name} --api admin`);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(
      `invalid USER "${name}": the Admin API cannot name such a user again\nhint: use another name\n`,
    );
    expect(switches.journal()).toEqual([]);
  });

  test('--dry-run reads no password and sends none', async () => {
    const { weir, changes } = await accessWorld();
    expect(await weir('security user create cyd --dry-run --password-stdin')).toEqual({
      stdout: 'OK (dry run: user "cyd" (SCRAM-SHA-256) would be created)\n',
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(changes()).toEqual([]);
  });

  test.each([
    ['create cyd --mechanism scram-sha-256,scram-sha-512', 'a user of Redpanda has one mechanism'],
    ['create cyd --iterations 8192', 'the Admin API does not set iterations'],
    ['update ana --mechanism scram-sha-256,scram-sha-512', 'a user of Redpanda has one mechanism'],
    ['update ana --mechanism scram-sha-256 --iterations 8192', 'the Admin API does not set iterations'],
    ['update ana', '--mechanism is needed: weir does not read from the Admin API which mechanism the user has'],
    ['delete ana --mechanism scram-sha-256', 'the Admin API deletes users as a whole'],
    ['delete ana --mechanism scram-sha-256 --yes', 'the Admin API deletes users as a whole'],
  ])('%s is a usage error before anything is sent', async (line, words) => {
    const { weir, switches } = await accessWorld();
    const { stdout, stderr, exitCode } = await weir(`security user ${line}`);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(words);
    expect(switches.journal()).toEqual([]);
  });

  test.each(['create cyd', 'update ana --mechanism scram-sha-256'])(
    '%s: a password with a tab is refused without showing it',
    async (line) => {
      const { weir, changes } = await accessWorld();
      const { stderr, exitCode } = await weir(`security user ${line} --password-stdin`, { stdin: 'hush\thush' });
      expect(exitCode).toBe(2);
      expect(stderr).toContain('the password has a control character');
      expect(stderr).not.toContain('hush');
      expect(changes()).toEqual([]);
    },
  );
});

describe('security user update over the Admin API', () => {
  test('replaces password and mechanism', async () => {
    const world = await accessWorld();
    const line = 'security user update ana --mechanism scram-sha-512 --password-stdin';
    expect(await world.weir(line, { stdin: 'new' })).toEqual({
      stdout: 'updated user "ana" (SCRAM-SHA-512)\n',
      stderr: '',
      exitCode: 0,
    });
    expect(await hasPassword(world, 'ana', 'new')).toBe(true);
    expect(await hasPassword(world, 'ana', 'ana-pass')).toBe(false);
  });

  test('an unknown user has exit 3, and nothing is sent', async () => {
    const { weir, changes } = await accessWorld();
    expect(await weir('security user update nope --mechanism scram-sha-256 --generate-password')).toEqual({
      stdout: '',
      stderr:
        'weir: unable to update user "nope": RESOURCE_NOT_FOUND: the user does not exist\n' +
        'hint: create it with: weir security user create nope\n',
      exitCode: 3,
    });
    expect(changes()).toEqual([]);
  });

  test('--dry-run changes nothing', async () => {
    const { weir, changes } = await accessWorld();
    const { stdout } = await weir('security user update ana --mechanism scram-sha-256 --dry-run --format json');
    expect(JSON.parse(stdout)).toMatchObject({ user: 'ana', mechanisms: ['SCRAM-SHA-256'], password: null });
    expect(changes()).toEqual([]);
  });
});

describe('security user list over the Admin API', () => {
  test('has the same columns and JSON as over the Kafka API; what is not shown is null', async () => {
    const { weir } = await accessWorld();
    expect(await weir('security user list')).toEqual({ stdout: 'USERNAME\nana\nbea\nroot\n', stderr: '', exitCode: 0 });
    const { stdout, exitCode } = await weir('security user list nope ana --format wide');
    expect(stdout).toBe(
      [
        'USERNAME  MECHANISM  ITERATIONS  ERROR',
        'ana       -          -',
        'nope      -          -           RESOURCE_NOT_FOUND: the user does not exist',
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(3);
    expect(JSON.parse((await weir('security user list ana --format json')).stdout)).toEqual([
      { user: 'ana', credentials: null, error: null },
    ]);
  });
});

describe('security user delete over the Admin API', () => {
  test('an absent user is not found, and leaves the others alone', async () => {
    const { weir, users, changes } = await accessWorld();
    const { stdout, exitCode } = await weir('security user delete nope ana bea ana --no-headers');
    expect(stdout).toBe('ana   OK\nbea   OK\nnope  RESOURCE_NOT_FOUND: the user does not exist\n');
    expect(exitCode).toBe(3);
    expect(await users()).toEqual(['root']);
    expect(changes()).toEqual(['DELETE /v1/security/users/ana', 'DELETE /v1/security/users/bea']);
  });

  test('an absent user is no failure with --if-exists', async () => {
    const { weir, users } = await accessWorld();
    const { stdout, stderr, exitCode } = await weir('security user delete nope ana --if-exists --no-headers');
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: 'ana   OK\nnope  OK (does not exist)\n',
      stderr: '',
      exitCode: 0,
    });
    expect(await users()).toEqual(['bea', 'root']);
  });

  test('one that the server refuses leaves the others alone', async () => {
    const { weir, users, switches } = await accessWorld();
    switches.addFault({ route: 'users.delete', effect: { kind: 'status', status: 500, message: 'no' } });
    const { stdout, exitCode } = await weir('security user delete ana bea --format json');
    const [ana, bea] = JSON.parse(stdout);
    expect(ana).toMatchObject({ user: 'ana', mechanisms: null, error: { code: 'SERVER_ERROR', exit_code: 1 } });
    expect(ana.error.message).toMatch(/^unable to delete user "ana": no \(DELETE \S+: 500\)$/);
    expect(bea).toMatchObject({ user: 'bea', mechanisms: null, error: null });
    expect(exitCode).toBe(1);
    expect(await users()).toEqual(['ana', 'root']);
  });

  test('when the API stops answering, the rest is not tried', async () => {
    const { weir, switches } = await accessWorld();
    const effect = { kind: 'status', status: 503 } as const;
    switches.addFault({ route: 'users.delete', effect, skip: 1, times: null });
    const { stdout, exitCode } = await weir('security user delete ana bea root --no-headers');
    expect(stdout).toMatch(
      /^ana +OK\nbea +RETRY_TIMEOUT: .*\nroot +NOT_TRIED: not tried, because the Admin API stopped answering\n$/,
    );
    expect(exitCode).toBe(5);
  });

  test('--dry-run and the question name the users', async () => {
    const { weir, changes } = await accessWorld();
    const planned = await weir('security user delete ana nope --dry-run --no-headers');
    expect(planned.stdout).toBe(
      'ana   OK (dry run: would be deleted)\nnope  RESOURCE_NOT_FOUND: the user does not exist\n',
    );
    const world = { terminal: { stdin: true, stderr: true }, stdin: 'n\n', env: { NO_COLOR: '1' } };
    const { stderr, exitCode } = await weir('security user delete ana', world);
    expect(stderr).toMatch(/^Delete 1 user \(ana\) on http:\/\/127\.0\.0\.1:\d+,/);
    expect(exitCode).toBe(1);
    expect(changes()).toEqual([]);
  });

  test('Ctrl-C names the users that are deleted already', async () => {
    const world = await accessWorld();
    await world.weir('security user delete ana bea --yes');
    const last = world.switches.journal().length - 1;
    const other = await accessWorld();
    const { stderr, exitCode } = await weirInterruptedAt(other, 'security user delete ana bea --yes', last);
    expect(stderr).toContain(
      'weir: stopped while deleting user "bea": the request may or may not have arrived\n' +
        'hint: already deleted: ana\nhint: check with: weir security user list\n',
    );
    expect(exitCode).toBe(130);
  });
});

test.each(['create cyd --generate-password', 'update ana --mechanism scram-sha-256 --generate-password'])(
  '%s: warns if the password goes unencrypted to another machine',
  async (line) => {
    const location = 'http://admin.invalid:9644/v1/security/users';
    const node = await startNode(({ line: asked }) => {
      if (asked === 'GET /v1/security/users') return [200, ['ana']];
      return asked.startsWith('GET') ? [200, { leader_id: 1, node_id: 1 }] : [307, undefined, { location }];
    });
    const env = { WEIR_ADMIN_HOSTS: `${node.url},admin.invalid`, WEIR_GLOBALS_RETRY_TIMEOUT: '0s' };
    const { stderr, exitCode } = await run(`security user ${line}`, { env });
    expect(stderr).toContain('warning: the password of the user is sent unencrypted to admin.invalid:9644');
    expect(exitCode).toBe(5);
  },
);
