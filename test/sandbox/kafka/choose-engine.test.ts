import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseEngine } from '../../../src/sandbox/kafka/choose-engine.ts';
import type { KafkaRequest } from '../../../src/sandbox/kafka/state.ts';
import { temporaryDirectory } from '../../world.ts';
import { newMachine, writeProgram } from '../machine.ts';

const nothing: KafkaRequest = {
  brokers: undefined,
  engine: undefined,
  sasl: undefined,
  kafkaVersion: undefined,
  port: undefined,
  tls: false,
  mtls: false,
  registry: false,
};

const java21 = 'java: echo \'version "21"\'';
const java11 = 'java: echo \'version "11"\'';
const [mvn, docker, podman] = ['mvn: exit 0', 'docker: [ "$*" = version ]', 'podman: [ "$*" = version ]'];
const deadDocker = 'docker: exit 1';

/** A machine with these programs, each as its name and script. */
function machineWith(programs: readonly string[]) {
  const PATH = temporaryDirectory();
  for (const program of programs) {
    const [name = '', script = ''] = program.split(/: (.*)/s);
    writeProgram(PATH, name, script);
  }
  return newMachine({ env: { PATH, XDG_CACHE_HOME: PATH } });
}

test.each<[readonly string[], Partial<KafkaRequest>, string]>([
  [[java21, mvn, docker, podman], {}, 'java'],
  [[java21, docker, podman], {}, 'docker'],
  [[java11, mvn, docker, podman], {}, 'docker'],
  [[mvn, podman], {}, 'podman'],
  [[deadDocker, podman], {}, 'podman'],
  [[java21, mvn, docker, podman], { engine: 'podman' }, 'podman'],
  [[java21, mvn, docker], { engine: 'docker' }, 'docker'],
  [[java21, mvn], { engine: 'simulated' }, 'simulated'],
  [[java21, mvn], { flavour: 'redpanda' }, 'simulated'],
  [[java21, mvn], { tls: true, mtls: true, sasl: 'PLAIN', kafkaVersion: '4.0.0' }, 'java'],
])('with %j and the request %j, the engine is %s', async (programs, request, engine) => {
  const machine = machineWith(programs);
  expect(await chooseEngine(machine, { ...nothing, ...request })).toBe(engine);
  expect(machine.notices).toEqual([]);
});

test.each<[readonly string[], string]>([
  [[], 'no Java, no running Docker and no running Podman'],
  [[java11, mvn], 'only Java 11, no running Docker and no running Podman'],
  [[java21, deadDocker], 'no Maven, no running Docker and no running Podman'],
])('with %j, simulated brokers are chosen with a notice', async (programs, seen) => {
  const machine = machineWith(programs);
  expect(await chooseEngine(machine, nothing)).toBe('simulated');
  expect(machine.notices).toEqual([
    `found ${seen}: starting simulated in-memory brokers instead of Kafka (--engine simulated)`,
  ]);
});

const install = 'install Java 17 or newer and Maven, or Docker, or Podman, then run the command again';
const simulate = 'or start simulated in-memory brokers: weir sandbox start --engine simulated';
const point = 'or point weir at a running broker: weir profile create NAME --set brokers=HOST:PORT';

test.each<[Partial<KafkaRequest>, string, readonly string[]]>([
  [{ engine: 'java' }, 'Kafka on this machine: found no Java', [install, simulate, point]],
  [{ engine: 'docker' }, 'Kafka on this machine: found no running Docker', [install, simulate, point]],
  [{ engine: 'podman' }, 'Kafka on this machine: found no running Podman', [install, simulate, point]],
  [
    { tls: true, sasl: 'PLAIN' },
    'Kafka with --tls and --sasl on this machine: found no Java, no running Docker and no running Podman',
    [install, point],
  ],
  [
    { tls: true, mtls: true, kafkaVersion: '4.0.0', engine: 'java' },
    'Kafka with --tls, --mtls and --kafka-version on this machine: found no Java',
    [install, point],
  ],
])('a request for %j on a bare machine is an error', async (request, what, hints) => {
  await expect(chooseEngine(machineWith([]), { ...nothing, ...request })).rejects.toMatchObject({
    exitCode: 2,
    code: 'NOTHING_TO_RUN_KAFKA',
    message: `unable to start ${what}`,
    hints,
  });
});

test('a program in a directory that is not in PATH is not used', async () => {
  const machine = machineWith([java21, mvn]);
  const bare = { ...machine, env: { ...machine.env, PATH: join(String(machine.env.PATH), 'other') } };
  expect(await chooseEngine(bare, nothing)).toBe('simulated');
});

/** A machine with Java and the libraries of one version of Kafka, but without Maven. */
function machineWithLibraries(kafkaVersion: string) {
  const machine = machineWith([java21]);
  mkdirSync(join(String(machine.env.XDG_CACHE_HOME), 'weir/kafka', kafkaVersion), { recursive: true });
  return machine;
}

test.each([
  ['4.0.0', '4.0.0'],
  ['4.1.1', undefined],
])('Maven is not needed for the libraries that are there: %s for --kafka-version %s', async (stored, kafkaVersion) => {
  expect(await chooseEngine(machineWithLibraries(stored), { ...nothing, engine: 'java', kafkaVersion })).toBe('java');
});

test.each([
  ['4.1.1', '4.0.0'],
  ['4.0.0', undefined],
])('the libraries of another version do not help: %s for --kafka-version %s', async (stored, kafkaVersion) => {
  const chosen = chooseEngine(machineWithLibraries(stored), { ...nothing, engine: 'java', kafkaVersion });
  await expect(chosen).rejects.toThrow('no Maven');
});
