import { once } from 'node:events';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isRunning } from '../../../src/files/process-id.ts';
import {
  type Asker,
  launchBroker,
  logOf,
  prepare,
  untilReady,
  writeConfigurations,
} from '../../../src/sandbox/kafka/cluster.ts';
import type { Node } from '../../../src/sandbox/kafka/properties.ts';
import { freePorts } from '../../../src/sandbox/ports.ts';
import { stop } from '../../../src/sandbox/process.ts';
import { temporaryDirectory } from '../../world.ts';
import { newMachine, writeProgram } from '../machine.ts';

const machine = newMachine();

/** Waits for a broker that has exited and left this log. */
async function waitForDead(log: readonly string[]): Promise<unknown> {
  const directory = temporaryDirectory();
  const [port = 0] = await freePorts(1);
  const listener = { name: 'INTERNAL', bind: { host: '127.0.0.1', port } };
  const node = { id: 2, directory, seenAs: directory, listeners: [], internal: listener, controller: listener };
  await writeFile(logOf(directory), `${log.join('\n')}\n`);
  const waiting = untilReady(machine, [{ node, sandbox: 'box', isAlive: async () => false }], ({ bind }) => bind);
  return await waiting.catch((error: Error) => ({ ...error, message: error.message.replace(directory, 'DIRECTORY') }));
}

test.each([
  [
    'the port that was in use, although other errors follow it',
    ['INFO starting', 'Exception: Address already in use ', '[main] ERROR Exiting Kafka', 'INFO App info unregistered'],
    'Exception: Address already in use',
  ],
  [
    'its last error',
    ['[main] ERROR first', '[main] ERROR Exiting Kafka', 'INFO App info unregistered'],
    '[main] ERROR Exiting Kafka',
  ],
  ['its last line, without an error', ['INFO starting', 'Killed'], 'Killed'],
])('a broker that exits while it starts is reported with %s', async (_, log, reason) => {
  expect(await waitForDead(log)).toMatchObject({
    exitCode: 1,
    message: `unable to start broker 2: Kafka exited: ${reason}`,
    hints: [expect.stringMatching(/^read its log: .*kafka\.log$/)],
  });
});

test('a broker that exits because its port was taken names the port', async () => {
  const line = 'KafkaException: Socket server failed to bind to 127.0.0.1:9092: Address already in use.';
  const cause = 'Caused by: java.net.BindException: Address already in use';
  expect(await waitForDead([line, cause, '[main] ERROR Exiting Kafka'])).toMatchObject({
    exitCode: 6,
    code: 'PORT_IN_USE',
    message: 'unable to start the sandbox "box": port 9092 is in use',
  });
});

test('a broker that exits without a log is reported', async () => {
  const directory = temporaryDirectory();
  const listener = { name: 'INTERNAL', bind: { host: '127.0.0.1', port: 1 } };
  const node = { id: 1, directory, seenAs: directory, listeners: [], internal: listener, controller: listener };
  await expect(
    untilReady(machine, [{ node, sandbox: 'box', isAlive: async () => false }], ({ bind }) => bind),
  ).rejects.toMatchObject({
    exitCode: 1,
    hints: [`read its log: ${join(directory, 'kafka.log')}`],
  });
});

/** A listener at this port, and a node with it as its only one. */
function nodeAt(directory: string, internal: number, client?: number): Node {
  const at = (name: string, port: number) => ({ name, bind: { host: '127.0.0.1', port } });
  return {
    id: 1,
    directory,
    seenAs: directory,
    controller: at('CONTROLLER', 1),
    internal: at('INTERNAL', internal),
    listeners: client === undefined ? [] : [at('CLIENT', client)],
  };
}

/** A broker that knows this many brokers, which can change, and its port. */
async function brokerKnowing(known: { count: number }) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write(Buffer.from([0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, known.count])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

const ask: Asker = ({ bind }) => bind;

test('a cluster is ready when every broker answers on every listener and knows the others', async () => {
  const known = { count: 1 };
  await using broker = await brokerKnowing(known);
  let looks = 0;
  const isAlive = async (): Promise<boolean> => {
    looks += 1;
    if (looks === 3) known.count = 2;
    return true;
  };
  const directory = temporaryDirectory();
  const started = [1, 2].map(() => ({ node: nodeAt(directory, broker.port, broker.port), sandbox: 'box', isAlive }));
  await untilReady(newMachine(), started, ask);
  expect([known.count, looks]).toEqual([2, 4]);
});

test('a broker that exits is named, even while another one is waited for', async () => {
  await using broker = await brokerKnowing({ count: 1 });
  const directory = temporaryDirectory();
  const alive = { node: nodeAt(directory, broker.port), sandbox: 'box', isAlive: async () => true };
  const dead = { ...alive, node: { ...alive.node, id: 2 }, isAlive: async () => false };
  await expect(untilReady(newMachine(), [alive, dead], ask)).rejects.toThrow('unable to start broker 2: Kafka exited');
});

test('waiting for a cluster ends with the reason of the signal', async () => {
  const [port = 0] = await freePorts(1);
  const interrupt = new AbortController();
  const isAlive = async (): Promise<boolean> => {
    interrupt.abort(new Error('Ctrl-C'));
    return true;
  };
  const started = { node: nodeAt(temporaryDirectory(), port), sandbox: 'box', isAlive };
  await expect(untilReady(newMachine({ signal: interrupt.signal }), [started], ask)).rejects.toThrow('Ctrl-C');
});

test.each([
  ['INTERNAL', 0],
  ['CLIENT', 1],
])('a listener %s that never answers is named after two minutes, with the log', async (name, count) => {
  await using broker = await brokerKnowing({ count });
  const [silent = 0] = await freePorts(1);
  const directory = temporaryDirectory();
  await writeFile(logOf(directory), 'first\nlast\n');
  const node = count === 0 ? nodeAt(directory, silent) : nodeAt(directory, broker.port, silent);
  let elapsed = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => elapsed);
  const isAlive = async (): Promise<boolean> => {
    expect(elapsed).toBeLessThanOrEqual(120_001);
    elapsed += elapsed === 120_000 ? 1 : 60_000;
    return true;
  };
  const waiting = untilReady(newMachine(), [{ node, sandbox: 'box', isAlive }], ask);
  await expect(waiting).rejects.toMatchObject({
    exitCode: 5,
    message: `broker 1 was started but its listener ${name} did not answer within 120s`,
    hints: [`read its log: ${join(directory, 'kafka.log')}`],
    cause: new Error('first\nlast'),
  });
  clock.mockRestore();
  expect(elapsed).toBe(120_001);
});

test('configurations are private, and each node has its own', async () => {
  const directory = temporaryDirectory();
  const nodes = [1, 2].map((id) => ({ ...nodeAt(join(directory, `broker-${id}`), 20_000 + id), id }));
  await writeConfigurations(nodes);
  for (const { id, directory: own } of nodes) {
    const file = join(own, 'server.properties');
    expect([statSync(own).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readFileSync(file, 'utf8')).toContain(`\nnode.id=${id}\n`);
  }
});

test('a preparation that fails at one node ends when the others have ended, too', async () => {
  const [directory, place] = [temporaryDirectory(), temporaryDirectory()];
  const script = `grep -q broker-1 "\${1#@}" && exit 1; sleep 0.5; echo whole > '${join(place, 'second')}'`;
  const java = writeProgram(place, 'java', script);
  const nodes = [1, 2].map((id) => ({ ...nodeAt(join(directory, `broker-${id}`), 20_000 + id), id }));
  const own = newMachine({ env: { PATH: process.env.PATH } });
  const preparing = prepare(own, { java, libraries: '/jars', heapMb: 1 }, nodes, { clusterId: 'c', users: [] });
  await expect(preparing).rejects.toThrow('unable to format the data directory of Kafka');
  expect(readFileSync(join(place, 'second'), 'utf8')).toBe('whole\n');
});

test.each([
  ['plaintext', undefined, ['-XX:TieredStopAtLevel=1']],
  ['TLS', { keystore: '/k' }, []],
])('a broker with %s is launched with its own configuration, log and working directory', async (_, tls, quick) => {
  const directory = temporaryDirectory();
  const java = writeProgram(temporaryDirectory(), 'java', 'pwd; echo "$OWN"; printf "%s\\n" "$@"; exec sleep 60');
  const node = nodeAt(directory, 1, 2);
  const listeners = node.listeners.map((listener) => ({ ...listener, ...(tls && { tls }) }));
  const own = newMachine({ env: { PATH: process.env.PATH, OWN: 'variable' } });
  const launched = await launchBroker(own, { java, libraries: '/jars', heapMb: 384 }, { directory, listeners });
  const lines = () => readFileSync(logOf(directory), 'utf8').trimEnd().split('\n');
  await expect.poll(lines).toHaveLength(15 + quick.length);
  const isAlive = () => isRunning(launched);
  expect(await isAlive()).toBe(true);
  expect(lines()).toEqual([
    realpathSync(directory),
    'variable',
    '-Xmx384m',
    ...quick,
    '-XX:+UseSerialGC',
    '-XX:-UsePerfData',
    '-Xshare:auto',
    '-Djava.awt.headless=true',
    '-Dorg.slf4j.simpleLogger.showDateTime=true',
    '-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd HH:mm:ss,SSS',
    '-Dorg.slf4j.simpleLogger.log.org.apache.kafka.common.config=warn',
    '-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaConfig=warn',
    '-cp',
    '/jars/*',
    'kafka.Kafka',
    join(directory, 'server.properties'),
  ]);
  await stop(launched, { graceMs: 0 });
  expect(await isAlive()).toBe(false);
});
