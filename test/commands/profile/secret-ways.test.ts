import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { profileFile, writeWhole } from '../../config/sources/sources.ts';
import { run, temporaryDirectory } from '../../world.ts';

/** A home with a profile of these options; `weir` runs a line there, `options` are those of the file. */
function homeWith(...options: readonly string[]) {
  const home = temporaryDirectory();
  const path = join(home, '.config/weir/weir.yaml');
  writeWhole(path, profileFile(...options));
  return {
    home,
    path,
    weir: (line: string | readonly string[]) => run(line, { home }),
    options: () => readFileSync(path, 'utf8').split('options:\n')[1]?.replace(/^ {6}/gm, ''),
  };
}

describe('profile set replaces the other ways to give a secret', () => {
  test.each<[readonly string[], readonly string[], string]>([
    [['pass: p', 'user: u'], ['pass.command=op read x'], 'user: u\npass.command: op read x\n'],
    [['pass.command: c', 'user: u'], ['pass.file=/f'], 'user: u\npass.file: /f\n'],
    [['pass.file: /f # old', 'user: u'], ['pass.file=/g'], 'pass.file: /g # old\nuser: u\n'],
    [['pass:', '  command: c', 'user: u'], ['pass=p'], 'pass: p\nuser: u\n'],
    [['pass:', '  command: c # mine', 'user: u'], ['pass.command=d'], 'pass:\n  command: d # mine\nuser: u\n'],
    [['pass:', '  command: c', 'user: u'], ['pass.file=/f'], 'user: u\npass.file: /f\n'],
    [['pass.command: c'], ['pass.keychain=k'], 'pass.keychain: k\n'],
    [['cloud.client_secret: s', 'user: u'], ['pass.file=/f'], 'cloud.client_secret: s\nuser: u\npass.file: /f\n'],
  ])('%j and set %j', async (before, words, after) => {
    const { weir, options } = homeWith(...before);
    expect((await weir(['profile', 'set', ...words])).exitCode).toBe(0);
    expect(options()).toBe(after);
    expect((await weir('config show pass')).exitCode).toBe(0);
  });

  test('and takes one of them only', async () => {
    const { weir, options } = homeWith('user: u');
    const { stderr, exitCode } = await weir(['profile', 'set', 'pass.file=/f', 'pass.command=c']);
    expect([exitCode, stderr.split('\n')[0]]).toEqual([
      2,
      'weir: pass.file and pass.command in the arguments exclude each other',
    ]);
    expect(options()).toBe('user: u\n');
  });
});

test.each([
  ['pass', 'user: u\n'],
  ['pass.command', 'user: u\n'],
  ['pass.file', 'pass.command: c\nuser: u\n'],
])('profile unset %s', async (key, after) => {
  const { weir, options } = homeWith('pass.command: c', 'user: u');
  expect((await weir(['profile', 'unset', key])).exitCode).toBe(0);
  expect(options()).toBe(after);
});

describe('profile create', () => {
  test('copies the way of a profile and of the configuration in use, unless --set gives another one', async () => {
    const { weir, path } = homeWith('pass.command: op read x', 'user: u');
    await weir('profile create two --from prod');
    await weir('profile create three --from current');
    await weir('profile create four --from prod --set pass.file=/f');
    const text = readFileSync(path, 'utf8');
    expect(text.match(/pass\.\w+: .*/g)).toEqual([...Array(3).fill('pass.command: op read x'), 'pass.file: /f']);
  });

  test('takes no program from a file that it copies from, and lists it', async () => {
    const { home, weir, options } = homeWith('user: u');
    const other = join(home, 'other.yaml');
    writeWhole(other, profileFile('user: eve', 'pass.command: rm -rf /'));
    const { stdout } = await weir(`profile create two --from ${other}`);
    expect(stdout).toBe(
      `Created and switched to new profile "two".\nnot imported:\n  pass.command, which starts a program; to use it: weir profile set 'pass.command=rm -rf /'\n`,
    );
    expect(options()).not.toContain('rm');
    const broker = join(home, 'redpanda.yaml');
    writeWhole(broker, 'weir: {user: eve, pass: {command: rm x}, admin: {token: {file: /f}}}\n');
    expect((await weir(`profile create three --from ${broker}`)).stdout).toContain(
      "weir profile set 'pass.command=rm x'",
    );
    expect((await weir('profile print three')).stdout).toContain('admin.token.file: /f');
  });
});

describe('config show says where a secret comes from, and does not look there', () => {
  const shown = '[from command "op read x"]';
  test('as a row', async () => {
    const { weir, path } = homeWith('pass.command: op read x');
    for (const line of ['config show pass', 'config show pass.command', 'config show pass --show-secrets'])
      expect(JSON.parse((await weir(`${line} --format json -X pass=p -X cloud.client_secret.file=/f`)).stdout)).toEqual(
        [
          {
            ...{
              key: 'pass',
              value: line.includes('show-secrets') ? 'p' : '[hidden]',
              source: 'flag',
              origin: '-X pass',
            },
            overrides: [
              { value: shown, source: 'profile', origin: `${path}:6 (profile prod)` },
              { value: '', source: 'default', origin: 'built in' },
            ],
          },
        ],
      );
  });

  test('as prose', async () => {
    const { weir } = homeWith('pass.command: op read x');
    const { stdout } = await weir('config explain pass.command');
    expect(stdout).toMatch(/^pass is \[from command "op read x"\]: it comes from .*weir\.yaml:6 \(profile prod\)\.\n/);
    expect(stdout).toMatch(/profile +\[from command "op read x"\] +in use/);
  });

  test('profile print shows what is stored, and profile validate accepts it', async () => {
    const { weir, home } = homeWith('user: u', 'pass.file: ~/token');
    expect((await weir('profile print')).stdout).toContain('pass.file: ~/token\n');
    expect((await weir('profile validate')).stdout).toMatch(/secrets +failed +pass\.file: unable to read/);
    writeWhole(join(home, 'token'), 's');
    const { stdout, exitCode } = await weir('profile validate');
    expect([exitCode, stdout.match(/warning|failed/)]).toEqual([0, null]);
  });
});

test('profile create --from takes client.properties, and says what it took and what it could not', async () => {
  const { home, weir, path } = homeWith('user: u');
  const from = join(home, 'client.properties');
  writeWhole(
    from,
    [
      ...['bootstrap.servers=b:9092', 'security.protocol=SASL_SSL', 'sasl.mechanism=PLAIN', 'acks=all'],
      'sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="ana" password="canary";',
    ].join('\n'),
  );
  expect(await weir(`profile create kafka --from ${from} --set tls.ca=/ca.pem`)).toEqual({
    stdout: `Created and switched to new profile "kafka".
imported:
  bootstrap.servers -> brokers
  security.protocol -> tls.enabled
  sasl.mechanism -> sasl.mechanism
  sasl.jaas.config -> user, pass
not imported:
  no options of weir: acks
`,
    stderr: 'the profile file has pass in plain text; to use the keychain instead: weir profile set pass --keychain\n',
    exitCode: 0,
  });
  const text = readFileSync(path, 'utf8');
  for (const line of ['user: ana', 'pass: canary', 'tls.ca: /ca.pem', 'tls.enabled: true'])
    expect(text).toContain(line);
  const dry = await weir(`profile create other --from ${from} --dry-run --format json`);
  expect(JSON.parse(dry.stdout)).toMatchObject({ imported: expect.any(Array), lost: ['no options of weir: acks'] });
  writeWhole(from, 'bootstrap.servers=b:99999\nsasl.username=\n');
  expect(await weir(`profile create empty --from ${from}`)).toEqual({
    stdout: '',
    stderr: `weir: unable to import ${from}: nothing in it is an option of weir
hint: invalid port "99999" for brokers in ${from}:1 (bootstrap.servers): a port must be a number from 1 to 65535
`,
    exitCode: 2,
  });
  expect(dry.stdout).not.toContain('canary');
});

describe('a named file that others can read', () => {
  /** The file, with a line that runs on it. */
  function fileOf(text: string) {
    const home = temporaryDirectory();
    const path = join(home, 'other.yaml');
    writeFileSync(path, text);
    chmodSync(path, 0o644);
    return {
      path,
      weir: (line: string) => run(`${line} --config ${path}`, { home }),
      mode: () => statSync(path).mode & 0o777,
    };
  }

  test('takes no secret before it is private', async () => {
    const { path, weir, mode } = fileOf(profileFile('user: u'));
    const text = readFileSync(path, 'utf8');
    const refused = await weir('profile create two --set pass=s3cret');
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain(`unable to store pass in ${path}: other users can read it`);
    expect(refused.stderr).toContain(`make it private first: chmod 600 '${path}'`);
    expect([readFileSync(path, 'utf8'), mode()]).toEqual([text, 0o644]);
    expect(await weir('profile create two --set pass=s3cret --dry-run')).toMatchObject({ exitCode: 2 });
    chmodSync(path, 0o600);
    expect(await weir('profile create two --set pass=s3cret')).toMatchObject({ exitCode: 0 });
  });

  test('becomes private with the first that weir writes to it', async () => {
    const { weir, mode } = fileOf('');
    expect(await weir('profile create two --set pass=s3cret')).toMatchObject({ exitCode: 0 });
    expect(mode()).toBe(0o600);
  });
});
