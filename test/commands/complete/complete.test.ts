import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deadAddress } from '../../services/dead-address.ts';
import { startScriptedBroker } from '../../services/scripted-broker.ts';
import { services } from '../../services/services.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';
import { accessWorld } from '../security/access-world.ts';

const prefix = `complete-${process.pid}`;
const [topic, group, user] = [`${prefix}-topic`, `${prefix}-group`, `${prefix}-user`];
const connected = { env: { WEIR_BROKERS: services().plaintext } };
const silent = { stdout: '', stderr: '', exitCode: 0 };

beforeAll(async () => {
  await run(`topic create ${topic}`, connected);
  await run(`topic produce ${topic}`, { ...connected, stdin: 'a\n' });
  await run(`topic consume ${topic} -g ${group} -n 1 -o start`, connected);
  await run(`security user create ${user} --generate-password`, connected);
});

afterAll(async () => {
  await run(`group delete ${group}`, connected);
  await run(`topic delete ${topic}`, connected);
  await run(`security user delete ${user}`, connected);
});

/** A machine of one user. Real time does not run out there: a test of the deadline has its own clock. */
function machine(env: Readonly<Record<string, string>> = {}) {
  const home = temporaryDirectory();
  const directory = join(home, '.cache/weir/complete');
  const started: { readonly args: readonly string[]; readonly input: string }[] = [];
  const onSpawnSelf: World['onSpawnSelf'] = (args, input) => void started.push({ args, input });
  const world = { home, env, uptimeMs: -600_000, onSpawnSelf };
  const files = () => readdirSync(directory).map((name) => join(directory, name));
  return {
    home,
    started,
    files,
    /** Rewrites the only cache file. */
    keep(known: Readonly<Record<string, unknown>>) {
      const [file = ''] = files();
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...known }));
    },
    complete: (subject: string, ...words: readonly string[]) => run(['__complete', subject, '--', ...words], world),
    run: (words: readonly string[]) => run(words, world),
    /** Runs the first process that was started in the background. */
    refresh: () => run(started[0]?.args ?? [], { ...world, stdin: started[0]?.input ?? '' }),
  };
}

const line = () => ['topic', 'describe', '-X', `brokers=${services().plaintext}`];

describe('weir __complete', () => {
  test('prints the names of the sandboxes, which are directories', async () => {
    const { complete, home } = machine();
    expect(await complete('sandboxes', '')).toEqual(silent);
    for (const name of ['mine', 'default'])
      mkdirSync(join(home, '.local/state/weir/sandbox', name), { recursive: true });
    writeFileSync(join(home, '.local/state/weir/sandbox/mine.lock'), '');
    expect(await complete('sandboxes', '')).toEqual({ ...silent, stdout: 'default\nmine\n' });
  });

  test.each([
    ['topics', topic],
    ['groups', group],
    ['users', user],
  ])('prints the %s of the cluster', async (subject, name) => {
    const { complete } = machine();
    expect(await complete(subject, prefix, ...line())).toEqual({ ...silent, stdout: `${name}\n` });
  });

  test('prints the ids of the brokers', async () => {
    expect(await machine().complete('brokers', '', ...line())).toEqual({ ...silent, stdout: '1\n' });
  });

  test.each([
    ['roles', 'readers\n'],
    ['users', 'ana\nbea\nroot\n'],
  ])('prints the %s of the Admin API', async (subject, stdout) => {
    const { api } = await accessWorld();
    const words = ['security', 'role', 'assign', '-X', `admin.hosts=${api.addresses.join(',')}`];
    expect(await machine().complete(subject, '', ...words)).toEqual({ ...silent, stdout });
  });

  test('prints internal topics after an underscore only', async () => {
    const { complete } = machine();
    expect((await complete('topics', '_', ...line())).stdout).toContain('__consumer_offsets\n');
    expect((await complete('topics', '', ...line())).stdout).not.toContain('__consumer_offsets');
  });

  test('reads words that are quoted for a shell', async () => {
    const { run } = machine();
    const words = ['topic', 'describe', '-X', `'brokers=${services().plaintext}'`];
    expect(await run(['__complete', 'topics', '--quoted', '--', `"${prefix}`, ...words])).toEqual({
      ...silent,
      stdout: `${topic}\n`,
    });
  });

  test('keeps the names in a private file, and answers from it', async () => {
    const { complete, files, keep, started } = machine();
    await complete('topics', prefix, ...line());
    expect(files()).toEqual([expect.stringMatching(/\/[0-9a-f]{32}\.topics\.json$/)]);
    for (const file of files()) expect(statSync(file).mode & 0o777).toBe(0o600);
    keep({ names: ['kept'] });
    expect(await complete('topics', '', ...line())).toEqual({ ...silent, stdout: 'kept\n' });
    expect(started).toEqual([]);
  });

  test('keeps the names of each user, address, profile and subject apart', async () => {
    const { complete, files } = machine();
    await complete('topics', '', ...line());
    await complete('brokers', '', ...line());
    await complete(
      'topics',
      '',
      ...line(),
      '-X',
      `user=${services().user.user}`,
      '-X',
      'pass=x',
      '-X',
      'sasl.mechanism=',
    );
    await complete('topics', '', 'topic', 'list', '-X', `brokers=${services().plaintext},127.0.0.1:9`);
    expect(files()).toHaveLength(4);
  });

  test('answers from an old file at once; the process that it starts refreshes the file', async () => {
    const { complete, keep, started, refresh, files } = machine();
    await complete('topics', prefix, ...line());
    keep({ names: ['kept'], readAt: Date.now() - 60_000 });
    expect(await complete('topics', '', ...line(), '--profile')).toEqual({ ...silent, stdout: 'kept\n' });
    // Not among the arguments, which other users can see.
    const words = ['-X', `brokers=${services().plaintext}`];
    expect(started).toEqual([{ args: ['__complete', 'topics', '--refresh'], input: JSON.stringify(words) }]);
    expect(await refresh()).toEqual(silent);
    expect(files()).toHaveLength(1);
    expect(await complete('topics', prefix, ...line())).toEqual({ ...silent, stdout: `${topic}\n` });
  });

  test('starts no second process while one is refreshing', async () => {
    const { complete, keep, started, files } = machine();
    await complete('topics', prefix, ...line());
    keep({ readAt: Date.now() - 60_000 });
    const lock = `${files()[0]}.lock`;
    writeFileSync(lock, '{}');
    await complete('topics', '', ...line());
    expect(started).toEqual([]);
    const before = new Date(Date.now() - 60_000);
    utimesSync(lock, before, before);
    await complete('topics', '', ...line());
    expect(started).toHaveLength(1);
  });

  test('leaves the cluster to a process in the background if there is no time left', async () => {
    const home = temporaryDirectory();
    const started: (readonly string[])[] = [];
    const onSpawnSelf = (args: readonly string[]) => void started.push(args);
    const words = ['__complete', 'topics', '--', '', ...line()];
    expect(await run(words, { home, uptimeMs: 150, onSpawnSelf })).toEqual(silent);
    expect(started).toHaveLength(1);
  });

  test('prints nothing for a dead broker, and does not try it again at once', async () => {
    await using broker = await startScriptedBroker({}, { onConnect: 'drop' });
    const { complete, started, files } = machine();
    const words = ['topic', 'list', '-X', `brokers=127.0.0.1:${broker.address.port}`, '-X', 'globals.retry_timeout=0'];
    expect(await complete('topics', '', ...words)).toEqual(silent);
    const { connections } = broker;
    expect(connections).toBeGreaterThan(0);
    expect(await complete('topics', '', ...words)).toEqual(silent);
    expect([broker.connections, started, files().length]).toEqual([connections, [], 1]);
  });

  test('keeps the old names of a broker that has died', async () => {
    await using dead = await deadAddress();
    const { complete, keep, refresh, started } = machine();
    const words = ['topic', 'list', '-X', `brokers=127.0.0.1:${dead.address.port}`];
    expect(await complete('groups', '', ...words)).toEqual(silent);
    keep({ names: ['kept'], readAt: Date.now() - 60_000, failedAt: undefined });
    await complete('groups', '', ...words);
    expect(await refresh()).toEqual(silent);
    expect(await complete('groups', '', ...words)).toEqual({ ...silent, stdout: 'kept\n' });
    expect(started).toHaveLength(1);
  });

  test('asks for no password and remembers no failure without one', async () => {
    const { run, files } = machine();
    const words = ['__complete', 'topics', '--', '', ...line(), '-X', 'user=ana'];
    expect(await run(words)).toEqual(silent);
    expect(files).toThrow('ENOENT');
  });

  test.each([
    [['topics', '--', '', 'topic', 'list', '-X', 'nonsense=1']],
    [['topics', '--', '', 'topic', 'list', '-X', 'brokers=::::']],
    [['topics', '--', '', 'topic', 'list', '--profile', 'nobody']],
    [['topics', '--', '', '--config', '/nowhere/at/all.yaml']],
    [['topics', '--', '', 'topic', 'list', '--format', 'nonsense', '-X', 'globals.no_default_cluster=true']],
    [['nonsense', '--', '']],
    [['topics', '--refresh', '--', '', '--config', '/nowhere/at/all.yaml']],
    [['profiles', '--', '', '--config', '']],
    [[]],
  ])('says nothing about %j', async (words) => {
    const { run, started } = machine({ WEIR_NONSENSE: '1' });
    expect(await run(['__complete', ...words])).toEqual(silent);
    expect(started).toEqual([]);
  });

  test('prints the profiles of the file on the line', async () => {
    const { run } = machine();
    const config = join(temporaryDirectory(), 'weir.yaml');
    writeFileSync(config, 'profiles:\n  - name: prod\n    pass: x\n  - name: stage\n', { mode: 0o644 });
    expect(await run(['__complete', 'profiles', '--', 'pro', 'topic', 'list', '--config', config])).toEqual({
      ...silent,
      stdout: 'prod\n',
    });
  });

  test('offers the topics of a profile after its name, and without one those of the line and the other profiles', async () => {
    const { run } = machine({ WEIR_BROKERS: '127.0.0.1:9' });
    const config = join(temporaryDirectory(), 'weir.yaml');
    const profiles = [
      { name: 'prod', options: { brokers: services().plaintext } },
      { name: 'stage', options: { brokers: '127.0.0.1:9' } },
    ];
    writeFileSync(config, JSON.stringify({ version: 1, profiles }), { mode: 0o600 });
    const line = ['topic', 'copy', '--config', config];
    expect(await run(['__complete', 'places', '--', 's', ...line])).toEqual({ ...silent, stdout: 'stage:\n' });
    const { stdout } = await run(['__complete', 'places', '--', `prod:${prefix}`, ...line]);
    expect(stdout.split('\n').length).toBeGreaterThan(1);
    expect(stdout).toMatch(new RegExp(`^(prod:${prefix}.*\\n)+$`));
    expect(await run(['__complete', 'places', '--', `stage:${prefix}`, ...line])).toEqual(silent);
  });

  test('says of a profile what describes it, otherwise its brokers', async () => {
    const { run } = machine();
    const config = join(temporaryDirectory(), 'weir.yaml');
    const profiles = [
      { name: 'told', description: 'Payments', options: { brokers: ['b1.example:9092'] } },
      { name: 'untold', description: '', options: { brokers: ['b2.example:9092'] } },
      { name: 'empty' },
    ];
    writeFileSync(config, JSON.stringify({ profiles }), { mode: 0o644 });
    const { stdout } = await run(['__complete', 'profiles:described', '--', '', 'topic', 'list', '--config', config]);
    expect(stdout).toBe('told\tPayments\nuntold\tb2.example:9092\nempty\n');
  });
});
