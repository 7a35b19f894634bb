import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type ContainerSpec,
  containerEngine,
  containerScript,
  createArguments,
} from '../../../src/sandbox/kafka/container-engine.ts';
import { nodeOf } from '../../../src/sandbox/kafka/layout.ts';
import type { Node } from '../../../src/sandbox/kafka/properties.ts';
import type { KafkaState } from '../../../src/sandbox/kafka/state.ts';
import { run, temporaryDirectory } from '../../world.ts';

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
