import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { checkUnchanged, engineOf, planKafka } from '../../../src/sandbox/kafka/create.ts';
import type { BrokerState, KafkaRequest, KafkaState } from '../../../src/sandbox/kafka/state.ts';
import { firstFree, freePorts } from '../../../src/sandbox/ports.ts';
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

/** A machine on which Docker runs, and nothing else is installed. */
function dockerMachine() {
  const PATH = temporaryDirectory();
  writeProgram(PATH, 'docker', 'exit 0');
  return newMachine({ env: { PATH } });
}

function stateWith(more: Partial<KafkaState>): KafkaState {
  const broker = { id: 1, port: 9092, internalPort: 1, controllerPort: 2, process: null, container: null };
  const security = { tls: false, mtls: false, sasl: null };
  const kept = { kafkaVersion: '4.1.1', clusterId: 'c', user: null, security, brokers: [broker] };
  return { ...kept, engine: 'java', ...more };
}

const three: readonly BrokerState[] = Array.from({ length: 3 }, (_, at) => ({
  id: at + 1,
  port: 9092 + at,
  internalPort: 0,
  controllerPort: 0,
  process: null,
  container: null,
}));

test.each<[Partial<KafkaRequest>, Partial<KafkaState>, string | undefined]>([
  [{}, { brokers: three, engine: 'docker', security: { tls: true, mtls: true, sasl: 'PLAIN' } }, undefined],
  [{ brokers: 1 }, {}, undefined],
  [{ brokers: 3 }, {}, 'it has one broker'],
  [{ brokers: 1 }, { brokers: three }, 'it has 3 brokers'],
  [{ engine: 'java' }, {}, undefined],
  [{ engine: 'podman' }, {}, 'its engine is java'],
  [{ flavour: 'redpanda' }, {}, 'its flavour is kafka'],
  [{ tls: true }, { security: { tls: true, mtls: false, sasl: null } }, undefined],
  [{ tls: true }, {}, 'it has no TLS'],
  [{ mtls: true }, { security: { tls: true, mtls: true, sasl: null } }, undefined],
  [{ mtls: true }, { security: { tls: true, mtls: false, sasl: null } }, 'it does not ask for client certificates'],
  [{ sasl: 'PLAIN' }, { security: { tls: false, mtls: false, sasl: 'PLAIN' } }, undefined],
  [{ sasl: 'PLAIN' }, {}, 'it has no SASL'],
  [
    { sasl: 'PLAIN' },
    { security: { tls: false, mtls: false, sasl: 'SCRAM-SHA-256' } },
    'its SASL mechanism is SCRAM-SHA-256',
  ],
  [{ kafkaVersion: '4.1.1' }, {}, undefined],
  [{ kafkaVersion: '4.0.0' }, {}, 'it is Kafka 4.1.1'],
  [{ port: 9092 }, {}, undefined],
  [{ port: 9093 }, { brokers: three }, 'it is running on port 9092'],
  [{ brokers: 3, tls: true, port: 1 }, {}, 'it has one broker, it has no TLS, it is running on port 9092'],
])('a request for %j of what is %j: %s', (request, state, difference) => {
  const check = () => checkUnchanged('box', stateWith(state), { ...nothing, ...request });
  if (difference === undefined) return expect(check).not.toThrow();
  return expect(check).toThrow(
    expect.objectContaining({
      exitCode: 6,
      target: 'box',
      message: `sandbox "box" already exists with other settings: ${difference}`,
      hints: [
        ...(difference.endsWith('port 9092')
          ? ['before it can have another port, stop it: weir sandbox stop --name box']
          : []),
        'start it unchanged: weir sandbox start --name box',
        'remove it and its data: weir sandbox purge --name box',
        'or start another sandbox with --name',
      ],
    }),
  );
});

test('a plan has one broker without security unless more is asked for', async () => {
  const [port = 0] = await freePorts(1);
  const plan = await planKafka(dockerMachine(), { ...nothing, port }, new Map());
  expect(plan).toMatchObject({
    kafkaVersion: '4.1.1',
    engine: 'docker',
    user: null,
    security: { tls: false, mtls: false, sasl: null },
    brokers: [{ id: 1, port, process: null, container: null }],
  });
  expect(new Set(plan.brokers.flatMap((one) => [one.port, one.internalPort, one.controllerPort])).size).toBe(3);
});

test('three brokers have consecutive ports, and inner ports of their own', async () => {
  const port = (await firstFree(11_000, 3)) ?? 0;
  const request = { ...nothing, brokers: 3, port, sasl: 'PLAIN', mtls: true, kafkaVersion: '4.0.0' } as const;
  const { brokers, user, ...plan } = await planKafka(dockerMachine(), request, new Map());
  expect(plan).toMatchObject({ kafkaVersion: '4.0.0', security: { tls: true, mtls: true, sasl: 'PLAIN' } });
  expect(brokers.map((one) => [one.id, one.port])).toEqual([
    [1, port],
    [2, port + 1],
    [3, port + 2],
  ]);
  const inner = brokers.flatMap(({ internalPort, controllerPort }) => [internalPort, controllerPort]);
  expect([new Set(inner).size, Math.min(...inner)]).toEqual([6, expect.toSatisfy((least) => least >= 15_000)]);
  expect(user).toEqual({ name: 'weir', password: expect.stringMatching(/^[\w-]{24}$/) });
});

test('simulated brokers need no inner ports', async () => {
  const [port = 0] = await freePorts(1);
  const request = { ...nothing, engine: 'simulated', port } as const;
  const { brokers } = await planKafka(newMachine(), request, new Map());
  expect(brokers).toMatchObject([{ port, internalPort: 0, controllerPort: 0 }]);
});

test('a port that was asked for and is in use is an error with the next free one', async () => {
  const start = (await firstFree(11_100, 5)) ?? 0;
  const server = createServer().listen(start + 1, '127.0.0.1');
  await once(server, 'listening');
  const request = { ...nothing, engine: 'simulated', brokers: 3, port: start } as const;
  await expect(planKafka(newMachine(), request, new Map())).rejects.toMatchObject({
    exitCode: 6,
    code: 'PORT_IN_USE',
    target: String(start + 1),
    message: `unable to start a sandbox: port ${start + 1} is in use`,
    hints: [`choose another port: --port ${start + 2}`],
  });
  server.close();
});

test('a port of another sandbox is named with it, also if there is no other port', async () => {
  const request = { ...nothing, engine: 'simulated', port: 65_535 } as const;
  await expect(planKafka(newMachine(), request, new Map([[65_535, 'a']]))).rejects.toMatchObject({
    exitCode: 6,
    target: '65535',
    hints: ['choose another port with --port'],
    message: 'unable to start a sandbox: port 65535 belongs to the sandbox "a"',
  });
});

test('without a port that was asked for, the next one free is used with a notice', async () => {
  const machine = newMachine();
  const claims = new Map(Array.from({ length: 20 }, (_, at) => [9092 + at, 'a']));
  const { brokers } = await planKafka(machine, { ...nothing, engine: 'simulated' }, claims);
  const port = brokers[0]?.port ?? 0;
  expect(port).toBeGreaterThanOrEqual(9112);
  expect(machine.notices).toEqual([`port 9092 belongs to the sandbox "a": using ${port} (--port sets another)`]);
});

test.each([
  [65_533, undefined],
  [65_534, 'unable to start 3 brokers from port 65534: the highest port is 65535'],
])('three brokers from port %i: %s', async (port, message) => {
  const planned = planKafka(newMachine(), { ...nothing, engine: 'simulated', brokers: 3, port }, new Map());
  if (message === undefined) await expect(planned).resolves.toHaveProperty('brokers.length', 3);
  else await expect(planned).rejects.toMatchObject({ exitCode: 2, message });
});

test('a version that is none is refused before anything else', async () => {
  await expect(planKafka(newMachine(), { ...nothing, kafkaVersion: '4.1' }, new Map())).rejects.toMatchObject({
    exitCode: 2,
    message: 'invalid Kafka version "4.1"',
    hints: ['use a version such as 4.1.1'],
  });
});

test('simulated brokers have no engine, and the others have addresses of their own', () => {
  expect(engineOf({ env: {} }, 'box', stateWith({ engine: 'simulated' }))).toBeUndefined();
  const [java, podman] = (['java', 'podman'] as const).map((engine) => {
    const state = stateWith({ engine, brokers: three });
    return three.slice(1, 2).map((second) => engineOf({ env: {} }, 'box', state)?.layout('/d', state, second))[0];
  });
  expect(java).toEqual({ directory: '/d', bindHost: '127.0.0.1', innerHost: '127.0.0.1' });
  expect(podman).toEqual({ directory: '/sandbox', bindHost: '0.0.0.0', innerHost: 'weir-box-2' });
});
