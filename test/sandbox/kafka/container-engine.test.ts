import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type ContainerSpec,
  containerEngine,
  containerScript,
  createArguments,
  owner,
} from '../../../src/sandbox/kafka/container-engine.ts';
import { nodeOf } from '../../../src/sandbox/kafka/layout.ts';
import type { Node } from '../../../src/sandbox/kafka/properties.ts';
import type { KafkaState } from '../../../src/sandbox/kafka/state.ts';
import { run, temporaryDirectory } from '../../world.ts';
import { newMachine, writeProgram } from '../machine.ts';

const root = join(import.meta.dirname, '../../..');

const docker: ContainerSpec = {
  program: 'docker',
  sandbox: 'demo',
  kafkaVersion: '4.1.1',
  user: { uid: 1000, gid: 100 },
};
const broker = { id: 1, port: 9092, internalPort: 20_001, controllerPort: 30_001, process: null, container: null };
const state: KafkaState = {
  kafkaVersion: '4.1.1',
  engine: 'docker',
  clusterId: 'abc',
  security: { tls: false, mtls: false, sasl: 'SCRAM-SHA-256' },
  user: { name: 'weir', password: 'secret' },
  brokers: [broker],
};

function node(spec: ContainerSpec): Node {
  const engine = containerEngine(spec, {});
  return nodeOf('/state/demo/kafka', state, broker, engine.layout('/state/demo/kafka', state, broker));
}

test('the arguments that create a Docker container', () => {
  expect(createArguments(docker, node(docker)).join(' ')).toBe(
    'create --name weir-demo-1 --network weir-demo --publish 127.0.0.1:9092:9092 --publish 127.0.0.1:20001:20001 ' +
      '--volume /state/demo/kafka:/sandbox --user 1000:100 --env KAFKA_HEAP_OPTS=-Xmx512m ' +
      '--env LOG_DIR=/sandbox/broker-1/logs --entrypoint /bin/bash apache/kafka:4.1.1 /sandbox/broker-1/run.sh',
  );
});

test('the arguments that create a Podman container keep the user as the owner of the files', () => {
  const words = createArguments({ ...docker, program: 'podman' }, node(docker)).join(' ');
  expect(words).toContain('--volume /state/demo/kafka:/sandbox:Z --userns keep-id');
  expect(words).not.toContain('--user ');
});

test('a broker in a container listens everywhere, and announces this machine to clients and its name to brokers', () => {
  expect(node(docker)).toMatchObject({
    seenAs: '/sandbox/broker-1',
    listeners: [{ bind: { host: '0.0.0.0', port: 9092 }, advertised: { host: '127.0.0.1', port: 9092 } }],
    internal: { advertised: { host: 'weir-demo-1', port: 20_001 } },
    controller: { advertised: { host: 'weir-demo-1', port: 30_001 } },
  });
});

test('the password is in the script, never in the arguments of the command', () => {
  const script = containerScript(node(docker), { clusterId: 'abc', users: [{ name: 'weir', password: 'secret' }] });
  expect(script).toContain("'SCRAM-SHA-256=[name=weir,password=secret]'");
  expect(script).toContain("exec /opt/kafka/bin/kafka-server-start.sh '/sandbox/broker-1/server.properties'");
  expect(createArguments(docker, node(docker)).join(' ')).not.toContain('secret');
});

test('a container that exits immediately is an error with the end of its log, and is removed', async () => {
  const home = temporaryDirectory();
  const calls = join(home, 'calls');
  const program = `#!/bin/sh
echo "$@" >> ${calls}
case "$1" in
  create) echo container-1 ;;
  inspect) echo false ;;
esac
`;
  await writeFile(join(home, 'docker'), program);
  await chmod(join(home, 'docker'), 0o755);
  await symlink('/bin/sh', join(home, 'sh'));
  // Nothing else is in this PATH, because Java would be preferred.
  const env = { PATH: home, XDG_STATE_HOME: join(home, 'state') };
  const outcome = await run('sandbox start --name boxed', { home, env });
  expect(outcome).toMatchObject({ stdout: '', exitCode: 1 });
  expect(outcome.stderr).toContain('unable to start broker 1: Kafka exited');
  const told = await readFile(calls, 'utf8');
  expect(told).toMatch(/^version\n/);
  expect(told).toContain('\nnetwork create weir-boxed\n');
  expect(told).toMatch(/\ncreate --name weir-boxed-1 /);
  expect(told).toContain('\nstart container-1\n');
  expect(told).toContain('\nrm --force container-1\n');
  expect(told).toMatch(/\nnetwork rm weir-boxed\n$/);
});

/** An engine whose program does this, and the calls that it receives. */
function recordingEngine(script: string) {
  const PATH = temporaryDirectory();
  const file = join(PATH, 'calls');
  writeProgram(PATH, 'docker', `echo "$@" >> ${file}\n${script}`);
  const calls = () => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []);
  return { engine: containerEngine(docker, { PATH }), machine: newMachine({ env: { PATH } }), calls };
}

test('a program in the working directory is not taken for that of the engine', () => {
  const [PATH, foreign, calls] = [temporaryDirectory(), temporaryDirectory(), join(temporaryDirectory(), 'calls')];
  writeProgram(PATH, 'docker', `echo own >> ${calls}`);
  writeProgram(foreign, 'docker', `echo foreign >> ${calls}`);
  // An empty entry is the working directory, where Windows always looks.
  const script = `
    const { containerEngine } = await import(${JSON.stringify(join(root, 'src/sandbox/kafka/container-engine.ts'))});
    const engine = containerEngine({ program: 'docker', sandbox: 's', kafkaVersion: '4.1.1' }, { PATH: ${JSON.stringify(`:${PATH}`)} });
    await engine.stop({ container: 'c' }, 0);`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: foreign });
  expect(readFileSync(calls, 'utf8')).toBe('own\nown\nown\n');
});

test('a container is created and started, and its id is the last line', async () => {
  const { engine, machine, calls } = recordingEngine('echo pulling; echo id-1; echo');
  expect(await engine.launch(machine, node(docker))).toEqual({ process: null, container: 'id-1' });
  expect(calls()).toEqual([createArguments(docker, node(docker)).join(' '), 'start id-1']);
});

test('a container that cannot be started is removed, with the reason', async () => {
  const { engine, machine, calls } = recordingEngine(
    '[ "$1" = create ] && echo id-1\n[ "$1" = start ] && { echo first >&2; echo "no space" >&2; exit 1; }\nexit 0',
  );
  await expect(engine.launch(machine, node(docker))).rejects.toMatchObject({
    exitCode: 1,
    message: 'unable to start Kafka: docker start failed: no space',
  });
  expect(calls().slice(1)).toEqual(['start id-1', 'rm --force id-1']);
});

test.each([
  ['true', 'echo " true"', true],
  ['false', 'echo false', false],
  ['an error', 'echo true; exit 1', false],
])('a container runs only if its engine says so: %s', async (_, script, runs) => {
  const { engine, calls } = recordingEngine(script);
  expect(await engine.isRunning({ process: null, container: 'id-1' })).toBe(runs);
  expect(calls()).toEqual(['inspect --format {{.State.Running}} id-1']);
});

test('a broker without a container does not run and needs no stop', async () => {
  const { engine, calls } = recordingEngine('echo true');
  expect(await engine.isRunning({ process: null, container: null })).toBe(false);
  await engine.stop({ process: null, container: null }, 0);
  expect(calls()).toEqual([]);
});

test.each([
  [0, 0],
  [1, 1],
  [5_000, 5],
  [5_001, 6],
])('a container has %i ms to stop as %i s, and is removed with its network even if that fails', async (ms, s) => {
  const { engine, calls } = recordingEngine('exit 1');
  await engine.stop({ process: null, container: 'id-1' }, ms);
  expect(calls()).toEqual([`stop --time ${s} id-1`, 'rm --force id-1', 'network rm weir-demo']);
});

test('a prepared node has a script that only its owner can read and run, also when one was there before', async () => {
  const { engine, machine, calls } = recordingEngine('[ "$1" != network ]');
  const directory = join(temporaryDirectory(), 'broker-1');
  const own = { ...node(docker), directory };
  const script = join(directory, 'run.sh');
  await engine.prepare(machine, [own], { clusterId: 'abc', users: [] });
  chmodSync(script, 0o600);
  await engine.prepare(machine, [own], { clusterId: 'abc', users: [] });
  expect([statSync(directory).mode & 0o777, statSync(script).mode & 0o777]).toEqual([0o700, 0o700]);
  expect(readFileSync(script, 'utf8')).toBe(
    `exec >>'/sandbox/broker-1/kafka.log' 2>&1
/opt/kafka/bin/kafka-storage.sh 'format' '--ignore-formatted' '--cluster-id' 'abc' '--config' '/sandbox/broker-1/server.properties' && exec /opt/kafka/bin/kafka-server-start.sh '/sandbox/broker-1/server.properties'
`,
  );
  expect(statSync(join(directory, 'server.properties')).mode & 0o777).toBe(0o600);
  const once = ['image inspect apache/kafka:4.1.1', 'network create weir-demo'];
  expect([calls(), machine.steps]).toEqual([[...once, ...once], []]);
});

test('an image that is missing is pulled; if that fails, nothing is created', async () => {
  const { engine, machine, calls } = recordingEngine('echo denied >&2; exit 1');
  const own = { ...node(docker), directory: join(temporaryDirectory(), 'broker-1') };
  await expect(engine.prepare(machine, [own], { clusterId: 'abc', users: [] })).rejects.toMatchObject({
    message: 'unable to start Kafka: docker pull failed: denied',
  });
  expect(calls()).toEqual(['image inspect apache/kafka:4.1.1', 'pull apache/kafka:4.1.1']);
  expect(machine.steps).toEqual(['pulling image apache/kafka:4.1.1']);
});

test('a container whose creation is interrupted is not started, but removed', async () => {
  const { engine, machine, calls } = recordingEngine('echo id-1');
  const signal = AbortSignal.abort(new Error('Ctrl-C'));
  await expect(engine.launch({ ...machine, signal }, node(docker))).rejects.toThrow('Ctrl-C');
  expect(calls().slice(1)).toEqual(['rm --force id-1']);
});

test('without user ids a container runs as the user of its image', () => {
  const { user, ...anyone } = docker;
  expect(createArguments(anyone, node(docker))).not.toContain('--user');
  const { uid, gid } = userInfo();
  expect(owner()).toEqual({ user: { uid, gid } });
});
