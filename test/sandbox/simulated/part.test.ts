import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isRunning } from '../../../src/files/process-id.ts';
import { type KafkaState, kafkaState } from '../../../src/sandbox/kafka/state.ts';
import { freePorts } from '../../../src/sandbox/ports.ts';
import { programOf } from '../../../src/sandbox/program.ts';
import { readSimulatedOptions, simulatedSettings } from '../../../src/sandbox/simulated/options.ts';
import { createSimulatedPart } from '../../../src/sandbox/simulated/part.ts';
import { temporaryDirectory } from '../../world.ts';
import { newMachine } from '../machine.ts';

/** A part with two brokers whose program is this script for Node.js, or the real one. */
async function partWith(script?: string) {
  const directory = temporaryDirectory();
  const ports = await freePorts(2);
  const entry = script === undefined ? programOf('simulated') : join(temporaryDirectory(), 'entry.mjs');
  if (script !== undefined) writeFileSync(entry, script);
  const brokers = ports.map((port, at) => {
    return { id: at + 1, port, internalPort: 0, controllerPort: 0, process: null, container: null };
  });
  const state: KafkaState = {
    kafkaVersion: '4.1.1',
    engine: 'simulated',
    clusterId: 'id',
    user: null,
    brokers,
    security: { tls: false, mtls: false, sasl: null },
  };
  const part = createSimulatedPart({ directory, entry, sandbox: 'box' }, state);
  onTestFinished(() => part.stop('atOnce'));
  const process = async () => (await kafkaState.read(directory))?.brokers.map((broker) => broker.process);
  return { directory, ports, part, state, process };
}

test('brokers have private options, a log each, one process, and the options of a profile', async () => {
  const { directory, ports, part, process } = await partWith();
  const machine = newMachine();
  await part.start(machine);
  const addresses = ports.map((port) => `127.0.0.1:${port}`).join(',');
  expect(machine.steps).toEqual([`starting the simulated Kafka at ${addresses}`]);
  expect(part.options()).toEqual({ brokers: ports.map((port) => `127.0.0.1:${port}`).join(',') });
  const [first, second] = (await process()) ?? [];
  expect(first).toEqual(second);
  const log = (id: number) => join(directory, `broker-${id}`, 'kafka.log');
  expect(await part.status()).toEqual(
    ports.map((port, at) => ({
      part: 'kafka',
      id: at + 1,
      address: `127.0.0.1:${port}`,
      state: 'running',
      pid: first?.pid,
      container: undefined,
      log: log(at + 1),
    })),
  );
  const options = join(directory, 'options.json');
  expect([statSync(options).mode & 0o777, statSync(join(directory, 'broker-1')).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(JSON.parse(readFileSync(options, 'utf8'))).toEqual({
    flavour: 'kafka',
    brokers: ports.map((port, at) => ({ id: at + 1, host: '127.0.0.1', port, log: log(at + 1) })),
    listening: join(directory, 'listening'),
  });
  expect(readFileSync(log(2), 'utf8')).toMatch(
    new RegExp(
      `^\\d{4}-.*Z broker 2 is listening at 127\\.0\\.0\\.1:${ports[1]} and keeps its data in memory only\\n$`,
    ),
  );
  await part.start(machine);
  expect([machine.steps.length, await process()]).toEqual([1, [first, first]]);
  await part.stop('gently');
  expect([first && (await isRunning(first)), await process()]).toEqual([false, [null, null]]);
  expect((await part.status()).map(({ state, pid }) => [state, pid])).toEqual(
    Array.from({ length: 2 }, () => ['stopped', undefined]),
  );
});

test.each([
  [
    'the line with its error',
    'console.error("at x\\nTypeError [X]: bad\\n    at y"); process.exit(1)',
    'TypeError [X]: bad',
  ],
  ['its last line', 'console.error("one\\n two "); process.exit(1)', 'two'],
  ['nothing', 'process.exit(0)', ''],
])('a program that exits is reported with %s, and nothing is left running', async (_, script, line) => {
  const { directory, part, process } = await partWith(script);
  await expect(part.start(newMachine())).rejects.toMatchObject({
    exitCode: 1,
    message: `unable to start the simulated Kafka: the program exited: ${line}`,
    hints: [`read its log: ${join(directory, 'output.log')}`],
  });
  expect(await process()).toEqual([null, null]);
});

test('a program whose port was taken names the port', async () => {
  const { part } = await partWith(
    'console.error("Error: listen EADDRINUSE: address already in use 127.0.0.1:77"); process.exit(1)',
  );
  await expect(part.start(newMachine())).rejects.toMatchObject({ code: 'PORT_IN_USE', target: '77' });
});

const silent = 'setInterval(() => {}, 1000)';

test('a program that never listens is given up after thirty seconds, and stopped', async () => {
  const { directory, part, process } = await partWith(silent);
  writeFileSync(join(directory, 'listening'), '');
  let elapsed = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    elapsed += elapsed < 45_000 ? 15_000 : 1;
    return elapsed - 15_000;
  });
  const failure = part.start(newMachine()).finally(() => clock.mockRestore());
  await expect(failure).rejects.toMatchObject({
    exitCode: 5,
    message: 'started the simulated Kafka, but it did not answer within 30s',
    hints: [`read its log: ${join(directory, 'output.log')}`],
  });
  expect(existsSync(join(directory, 'listening'))).toBe(false);
  expect(await process()).toEqual([null, null]);
});

test('Ctrl-C while the program starts stops it, and a program that runs without listening is starting', async () => {
  const { part, process } = await partWith(silent);
  const interrupt = new AbortController();
  const started = part.start(newMachine({ signal: interrupt.signal }));
  await expect.poll(async () => (await process())?.[0]).toMatchObject({ pid: expect.any(Number) });
  const [running] = (await process()) ?? [];
  expect((await part.status()).map(({ state }) => state)).toEqual(['starting', 'starting']);
  interrupt.abort(new Error('Ctrl-C'));
  await expect(started).rejects.toThrow();
  expect([running && (await isRunning(running)), await process()]).toEqual([false, [null, null]]);
});

test.each([
  ['', 'JSON'],
  ['null', 'the options name no brokers'],
  ['{"brokers":[],"listening":"x"}', 'the options name no brokers'],
  ['{"brokers":[{}]}', 'the options name no file to create'],
])('the options %j are refused: %s', (text, message) => {
  expect(() => readSimulatedOptions(text)).toThrow(message);
});

test('simulated brokers have the settings of the real ones', () => {
  expect([1, 3, 5].map((brokers) => simulatedSettings(brokers))).toEqual(
    [1, 3, 3].map((replicas) => ({
      autoCreateTopics: false,
      initialRebalanceDelayMs: 0,
      coordinatorPartitions: 8,
      replicas,
      features: ['weir.simulated'],
    })),
  );
});

test.each([
  ['/src/sandbox/program.ts', '/src/sandbox/simulated/entry.ts'],
  ['/dist/chunks/a.js', '/dist/simulated-brokers.js'],
  ['/dist/weir.js', '/dist/simulated-brokers.js'],
])('the program for %s is %s', (own, program) => expect(programOf('simulated', own)).toBe(program));
