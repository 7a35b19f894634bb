import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startOf } from '../../../src/files/process-id.ts';
import { freePorts, isFree } from '../../../src/sandbox/ports.ts';
import { firstPid, newPerson } from './sandbox-world.ts';

test('a sandbox is started, used, killed, started again with its data, stopped, and purged', async () => {
  const me = newPerson();
  const [port] = await freePorts(1);
  await me.haveProfile('mine');

  const started = await me.run(`sandbox start --port ${port}`);
  expect(started).toMatchObject({ exitCode: 0 });
  expect(started.stdout).toContain(`Started: Apache Kafka 4.1.1 at 127.0.0.1:${port}\n`);
  expect(started.stdout).toContain('Try next:\n  weir cluster info\n');
  expect(started.stderr).toContain('back with: weir profile use mine\n');
  expect(await me.profileFile()).toContain('current_profile: sandbox\n');
  expect((await stat(join(me.state, 'sandbox'))).mode & 0o777).toBe(0o700);

  expect(await me.run('topic create orders -p 3')).toMatchObject({ exitCode: 0 });

  const before = await me.json('sandbox status');
  const [again, third] = await Promise.all([me.json('sandbox start'), me.json('sandbox start')]);
  for (const row of [again, third]) expect(row).toMatchObject({ before: 'running', state: 'running' });
  expect(firstPid(again)).toBe(firstPid(before));

  const logs = await me.run('sandbox logs -n 2');
  expect(logs.stdout.trimEnd().split('\n')).toHaveLength(2);

  process.kill(firstPid(before), 'SIGKILL');
  await expect.poll(() => startOf(firstPid(before))).toBeUndefined();
  expect(await me.run('sandbox status')).toMatchObject({ exitCode: 10 });
  const restarted = await me.json('sandbox start');
  expect(restarted).toMatchObject({ before: 'stopped', state: 'running' });
  expect((await me.run('topic list')).stdout).toContain('orders');

  expect(await me.run('sandbox stop')).toMatchObject({
    stdout: 'The sandbox "sandbox" is stopped; its data is kept.\n',
    exitCode: 0,
  });
  expect(await startOf(firstPid(restarted))).toBeUndefined();
  expect(await me.run('sandbox stop')).toMatchObject({ exitCode: 0 });
  expect(await me.run('sandbox status')).toMatchObject({ exitCode: 10 });

  expect(await me.run('sandbox purge')).toMatchObject({
    stdout: 'The sandbox "sandbox" was removed; the current profile is "mine".\n',
    exitCode: 0,
  });
  expect(readdirSync(me.state)).toEqual([]);
  expect(await me.run('sandbox status')).toMatchObject({ exitCode: 3 });
  expect(await me.profileFile()).toBe('version: 1\ncurrent_profile: mine\nprofiles:\n  - name: mine\n');
});

test('logs -f shows what is added until Ctrl-C', async () => {
  const me = newPerson();
  await me.haveStopped({ process: null });
  const log = join(me.state, 'sandbox/kafka/broker-1/kafka.log');
  await mkdir(dirname(log));
  await writeFile(log, 'an old line\n');
  let kill: (signal: 'SIGINT') => void = () => undefined;
  const followed = me.run('sandbox logs -f -n 1', {
    onStart: (send) => {
      kill = send;
    },
    onStdout: (text) => {
      if (text.includes('a new line')) kill('SIGINT');
      else void writeFile(log, 'a new line\n', { flag: 'a' });
    },
  });
  expect((await followed).stdout).toContain('\na new line\n');
  expect((await followed).exitCode).toBe(130);
});

test('a profile that was not created for the sandbox is not overwritten', async () => {
  const me = newPerson();
  await me.haveProfile('sandbox');
  const outcome = await me.run('sandbox start');
  expect(outcome).toMatchObject({ stdout: '', exitCode: 6 });
  expect(outcome.stderr).toContain('profile "sandbox" already exists');
  expect(existsSync(join(me.state, 'sandbox'))).toBe(false);
});

test('a port in use is an error that names it, and nothing is left', async () => {
  const me = newPerson();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const outcome = await me.run(`sandbox start --port ${port}`);
  server.close();
  expect(outcome).toMatchObject({ stdout: '', exitCode: 6 });
  expect(outcome.stderr).toMatch(new RegExp(`port ${port} is in use\\nhint: choose another port: --port \\d+\\n`));
  expect(existsSync(join(me.state, 'sandbox'))).toBe(false);
});

test('purge asks on a terminal, and anything but yes keeps the sandbox', async () => {
  const me = newPerson();
  await me.haveStopped({ process: null });
  const terminal = { stdin: true, stderr: true };
  const kept = await me.run('sandbox purge', { terminal, stdin: 'n\n' });
  expect(kept.stderr).toContain('Remove the sandbox "sandbox" (');
  expect(kept).toMatchObject({ stdout: '', exitCode: 1 });
  expect(await me.run('sandbox purge', { terminal, stdin: 'y\n' })).toMatchObject({ exitCode: 0 });
  expect(readdirSync(me.state)).toEqual([]);
});

test('a state file that is broken is an error that names it, and purge removes it', async () => {
  const me = newPerson();
  await me.haveStopped({ process: null });
  const file = join(me.state, 'sandbox/kafka/kafka.json');
  for (const text of ['{"brokers"', 'null', '{}']) {
    await writeFile(file, text);
    const outcome = await me.run('sandbox start');
    expect(outcome).toMatchObject({ stdout: '', exitCode: 1 });
    expect(outcome.stderr).toContain(`unable to read ${file}`);
  }
  expect(await me.run('sandbox purge')).toMatchObject({ exitCode: 0 });
  expect(readdirSync(me.state)).toEqual([]);
});

test('without --port a sandbox takes the next free port if 9092 is in use, and says so', async () => {
  const server = createServer();
  const listens = async (): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
    server.listen({ port: 9092, host: '127.0.0.1', exclusive: true });
    return await promise.finally(() => server.removeAllListeners());
  };
  let isOurs = await listens();
  let outcome = await newPerson().run('sandbox start --dry-run');
  // It does not matter who uses the port, but another test may give it back meanwhile.
  while (!isOurs && (await isFree(9092))) {
    isOurs = await listens();
    outcome = await newPerson().run('sandbox start --dry-run');
  }
  server.close();
  expect(outcome.stdout).toMatch(/^Would start: Apache Kafka 4\.1\.1 at 127\.0\.0\.1:(?!9092)\d+\n$/);
  expect(outcome.stderr).toMatch(/port 9092 is in use: using \d+ \(--port sets another\)\n/);
});

test('a pid of another program in an old state file is left alone', async () => {
  const me = newPerson();
  const foreign = spawn('sleep', ['60']);
  await once(foreign, 'spawn');
  await me.haveStopped({ process: { pid: foreign.pid ?? 0, startedAt: 'another time' } });

  expect(await me.run('sandbox status')).toMatchObject({ exitCode: 10 });
  expect(await me.run('sandbox stop')).toMatchObject({ exitCode: 0 });
  expect(await me.run('sandbox purge')).toMatchObject({ exitCode: 0 });
  expect(foreign.exitCode ?? foreign.signalCode).toBeNull();
  expect(await startOf(foreign.pid ?? 0)).toBeDefined();
  foreign.kill('SIGKILL');
});

test.each([
  ['at once', ''],
  ['while the data directory is formatted', 'format.args'],
  ['while the broker starts', 'kafka.log'],
])('Ctrl-C %s leaves nothing behind', async (_, file) => {
  const me = newPerson();
  const [port] = await freePorts(1);
  let looking: NodeJS.Timeout | undefined;
  const onStart = (kill: (signal: 'SIGINT') => void) => {
    const look = (): void => {
      if (file !== '' && !existsSync(join(me.state, 'sandbox/kafka/broker-1', file))) return;
      clearInterval(looking);
      kill('SIGINT');
    };
    looking = setInterval(look, 1);
    look();
  };
  const outcome = await me.run(`sandbox start --port ${port}`, { onStart });
  clearInterval(looking);
  expect(outcome.exitCode).toBe(130);
  expect(existsSync(me.state) ? readdirSync(me.state) : []).toEqual([]);
  expect(existsSync(join(me.home, 'config/weir/weir.yaml'))).toBe(false);
  const ours = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(me.home));
  expect(ours).toEqual([]);
});

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

test('--dry-run says what would be started and starts nothing', async () => {
  const me = newPerson();
  const [port] = await freePorts(1);
  const outcome = await me.run(`sandbox start --mtls --port ${port} --dry-run`);
  expect(outcome).toMatchObject({ exitCode: 0, stdout: `Would start: Apache Kafka 4.1.1 at 127.0.0.1:${port}\n` });
  expect(existsSync(me.state)).toBe(false);
});

test.each([
  ['sandbox start --name ../x', 2, 'invalid sandbox name "../x"'],
  ['sandbox start --kafka-version ../..', 2, 'invalid Kafka version "../.."'],
  ['sandbox start --brokers 2', 2, '--brokers'],
  ['sandbox start --brokers 3 --port 65534', 2, 'the highest port is 65535'],
  ['sandbox stop --name nobody', 3, 'sandbox "nobody" does not exist'],
  ['sandbox logs --name nobody', 3, 'sandbox "nobody" does not exist'],
  ['sandbox purge --name nobody', 3, 'sandbox "nobody" does not exist'],
])('%s exits with %i', async (line, exitCode, text) => {
  const outcome = await newPerson().run(line);
  expect(outcome).toMatchObject({ stdout: '', exitCode });
  expect(outcome.stderr).toContain(text);
});

test('without Java, Docker and Podman, TLS fails and says what to install', async () => {
  const outcome = await newPerson().run('sandbox start --tls', { env: { PATH: '', JAVA_HOME: '' } });
  expect(outcome).toMatchObject({ stdout: '', exitCode: 2 });
  expect(outcome.stderr).toContain('install Java 17 or newer and Maven, or Docker, or Podman');
  expect(outcome.stderr).toContain('weir profile create NAME --set brokers=HOST:PORT');
});
