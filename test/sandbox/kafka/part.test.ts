import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Engine, Running } from '../../../src/sandbox/kafka/engine.ts';
import { createKafkaPart } from '../../../src/sandbox/kafka/part.ts';
import { type KafkaState, kafkaState } from '../../../src/sandbox/kafka/state.ts';
import { freePorts } from '../../../src/sandbox/ports.ts';
import { temporaryDirectory } from '../../world.ts';
import { newMachine } from '../machine.ts';

const machine = newMachine();

const process = { pid: 1, startedAt: 'then' };
const dead: Running = { process: null, container: null };

/** Starts two brokers, of which these run already, with an engine whose new brokers exit at once. */
async function startWith(running: readonly number[]) {
  const directory = temporaryDirectory();
  const ports = await freePorts(6);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = ports;
  const state = (id: number) => (running.includes(id) ? { process, container: null } : dead);
  const brokers = [
    { id: 1, port: a, internalPort: b, controllerPort: c, ...state(1) },
    { id: 2, port: d, internalPort: e, controllerPort: f, ...state(2) },
  ];
  const seen = { internalPorts: [] as number[], launched: [] as number[], stopped: 0 };
  const engine: Engine = {
    layout: () => ({ directory, bindHost: '127.0.0.1', innerHost: '127.0.0.1' }),
    async prepare(_, nodes) {
      seen.internalPorts = nodes.map(({ internal }) => internal.bind.port);
    },
    async launch(_, node) {
      seen.launched.push(node.id);
      return { process: null, container: `new ${node.id}` };
    },
    isRunning: async (broker) => broker.process !== null,
    async stop(broker) {
      if (broker.container !== null) seen.stopped += 1;
    },
  };
  const part = createKafkaPart(
    { directory, engine, sandbox: 'sandbox' },
    {
      kafkaVersion: '4.1.1',
      engine: 'java',
      clusterId: 'id',
      security: { tls: false, mtls: false, sasl: null },
      user: null,
      brokers,
    },
  );
  const outcome = await part.start(machine).catch((error: Error) => error.message);
  return { ...seen, outcome, before: [b, e] };
}

test('a broker that is missing is started with the ports that the running one knows', async () => {
  const { internalPorts, before, launched, stopped, outcome } = await startWith([1]);
  expect({ internalPorts, launched, stopped }).toEqual({ internalPorts: before, launched: [2], stopped: 1 });
  expect(outcome).toContain('unable to start broker 2: Kafka exited');
});

test('when no broker runs, all get new internal ports, because the old ones may be taken', async () => {
  const { internalPorts, before, launched, stopped } = await startWith([]);
  expect(internalPorts).toHaveLength(2);
  expect(internalPorts.filter((port) => before.includes(port))).toEqual([]);
  expect({ launched, stopped }).toEqual({ launched: [1, 2], stopped: 2 });
});

const plain: KafkaState = {
  kafkaVersion: '4.1.1',
  engine: 'java',
  clusterId: 'id',
  user: null,
  security: { tls: false, mtls: false, sasl: null },
  brokers: [1, 2].map((id) => ({ id, port: 9091 + id, internalPort: 0, controllerPort: 0, ...dead })),
};
const user = { name: 'weir', password: 'secret' };

/** A part whose engine records what it is told. */
function partOf(state: KafkaState, more: Partial<Engine> = {}) {
  const directory = temporaryDirectory();
  const told: string[] = [];
  const engine: Engine = {
    layout: () => ({ directory, bindHost: '127.0.0.1', innerHost: '127.0.0.1' }),
    prepare: async (_, nodes, { clusterId, users }) => {
      told.push(`prepare ${nodes.map(({ id }) => id)} ${clusterId} ${JSON.stringify(users)}`);
    },
    launch: async (_, { id }) => {
      told.push(`launch ${id}`);
      return { process: null, container: `c${id}` };
    },
    isRunning: async ({ container, process: own }) => container !== null || own !== null,
    stop: async ({ container, process: own }, graceMs) => {
      told.push(`stop ${container ?? own?.pid} ${graceMs}`);
    },
    ...more,
  };
  return { directory, told, part: createKafkaPart({ directory, engine, sandbox: 'box' }, state) };
}

test.each([
  ['gently', 5_000],
  ['atOnce', 0],
] as const)('a part that is stopped %s gives every broker %i ms, and forgets what ran', async (how, graceMs) => {
  const brokers = plain.brokers.map((broker) => ({ ...broker, process: { ...process, pid: broker.id } }));
  const { directory, told, part } = partOf({ ...plain, brokers });
  await part.stop(how);
  expect(told).toEqual([`stop 1 ${graceMs}`, `stop 2 ${graceMs}`]);
  expect(await kafkaState.read(directory)).toEqual(plain);
  expect((await part.status()).map(({ state, pid }) => [state, pid])).toEqual([
    ['stopped', undefined],
    ['stopped', undefined],
  ]);
});

test.each<[string, Partial<KafkaState>, (directory: string) => Record<string, string>]>([
  ['no security', {}, () => ({})],
  [
    'TLS',
    { security: { tls: true, mtls: false, sasl: null } },
    (directory) => ({ 'tls.enabled': 'true', 'tls.ca': join(directory, 'certificates/ca.crt') }),
  ],
  [
    'client certificates',
    { security: { tls: true, mtls: true, sasl: null } },
    (directory) => ({
      'tls.enabled': 'true',
      'tls.ca': join(directory, 'certificates/ca.crt'),
      'tls.cert': join(directory, 'certificates/client.crt'),
      'tls.key': join(directory, 'certificates/client.key'),
    }),
  ],
  [
    'SASL',
    { user, security: { tls: false, mtls: false, sasl: 'SCRAM-SHA-512' } },
    () => ({ 'sasl.mechanism': 'SCRAM-SHA-512', user: 'weir', pass: 'secret' }),
  ],
])('the options of a profile for %s', (_, more, expected) => {
  const { directory, part } = partOf({ ...plain, ...more });
  expect(part.options()).toEqual({ brokers: '127.0.0.1:9092,127.0.0.1:9093', ...expected(directory) });
});

test.each<[string, Partial<KafkaState>, string]>([
  ['without SASL nobody', {}, '[]'],
  [
    'with SASL its user',
    { user, security: { tls: false, mtls: false, sasl: 'PLAIN' } },
    '[{"name":"weir","password":"secret"}]',
  ],
])('%s is created, and the state names what runs as soon as it runs', async (_, more, users) => {
  const interrupt = new AbortController();
  const recorded: unknown[] = [];
  const [port = 0, other = 0] = await freePorts(2);
  const brokers = plain.brokers.map((broker, at) => ({ ...broker, port: [port, other][at] ?? 0 }));
  const { directory, told, part } = partOf(
    { ...plain, ...more, brokers },
    {
      launch: async (_machine, { id }) => {
        recorded.push((await kafkaState.read(directory))?.brokers.map(({ container }) => container));
        if (id === 2) interrupt.abort(new Error('Ctrl-C'));
        return { process: null, container: `c${id}` };
      },
    },
  );
  const own = newMachine({ signal: interrupt.signal });
  await expect(part.start(own)).rejects.toThrow('Ctrl-C');
  expect(recorded).toEqual([undefined, ['c1', null]]);
  expect(told).toEqual(['stop undefined 0', 'stop undefined 0', `prepare 1,2 id ${users}`, 'stop c1 0', 'stop c2 0']);
  expect((await kafkaState.read(directory))?.brokers.map(({ container }) => container)).toEqual([null, null]);
  expect(own.steps).toEqual([`starting broker 1 at 127.0.0.1:${port}`, `starting broker 2 at 127.0.0.1:${other}`]);
});

test('a port in use is an error before anything is started', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const brokers = plain.brokers.slice(0, 1).map((broker) => ({ ...broker, port }));
  const { told, part } = partOf({ ...plain, brokers });
  await expect(part.start(machine)).rejects.toMatchObject({
    exitCode: 6,
    code: 'PORT_IN_USE',
    target: String(port),
    hints: [
      `stop the program that listens on port ${port}`,
      expect.stringMatching(/^or start the sandbox on another port: weir sandbox start .*--port PORT$/),
    ],
  });
  server.close();
  expect(told).toEqual([]);
});

test('a broker that runs without answering is starting, and its process or container is shown', async () => {
  const [port = 0, other = 0] = await freePorts(2);
  const running = [
    { ...plain.brokers[0], port, process: { ...process, pid: 7 } },
    { ...plain.brokers[1], port: other, container: 'c2' },
  ] as KafkaState['brokers'];
  const { directory, part } = partOf({ ...plain, brokers: running });
  const log = (id: number) => join(directory, `broker-${id}`, 'kafka.log');
  const row = { part: 'kafka', state: 'starting' };
  expect(await part.status()).toEqual([
    { ...row, id: 1, address: `127.0.0.1:${port}`, pid: 7, container: undefined, log: log(1) },
    { ...row, id: 2, address: `127.0.0.1:${other}`, pid: undefined, container: 'c2', log: log(2) },
  ]);
});
