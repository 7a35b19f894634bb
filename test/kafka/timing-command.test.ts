import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { KafkaOptions } from '../../src/kafka/protocol/options.ts';
import { fetch } from '../../src/kafka/protocol/wire/apis/fetch.ts';
import { metadataAnswer } from '../services/scripted-answers.ts';
import { type ScriptedBroker, startScriptedBroker } from '../services/scripted-broker.ts';
import { clientOf, deadlineOf, failureOf, type TestLimits } from '../services/scripted-client.ts';
import { createVirtualClock } from '../simulation/virtual-clock.ts';

const fetchRequest = { maxWaitMs: 150, minBytes: 1, maxBytes: 1, isolationLevel: 0, topics: [] };

/** A client with real sockets whose limits expire when the test says so. */
function clientAt({ address }: ScriptedBroker, limits: TestLimits, options: Partial<KafkaOptions> = {}) {
  const clock = createVirtualClock();
  return { clock, client: clientOf([address], {}, { ...options, deadline: deadlineOf(limits, clock) }) };
}

describe('command_timeout', () => {
  test('ends a request at once, and leaves no connection', async () => {
    await using silent = await startScriptedBroker();
    const { clock, client } = clientAt(silent, { command: 150 });
    let isOver = false;
    const failure = failureOf(client.metadata([])).finally(() => {
      isOver = true;
    });
    await expect.poll(() => silent.of('Metadata').length).toBe(1);
    await clock.runFor(149);
    expect(isOver).toBe(false);
    await clock.runFor(1);
    const error = await failure;
    expect(error.code).toBe('COMMAND_TIMEOUT');
    expect(error.message).toBe(
      `the command timed out (globals.command_timeout=150ms) while waiting for the Metadata response from broker 127.0.0.1:${silent.address.port}`,
    );
    await expect.poll(() => silent.open).toBe(0);
  });

  test('ends a dial', async () => {
    await using broker = await startScriptedBroker({}, { onConnect: 'silent' });
    const tls = { ca: undefined, cert: undefined, key: undefined, insecureSkipVerify: true, keyPrefix: 'tls' };
    const { clock, client } = clientAt(broker, { command: 150 }, { tls });
    const failure = failureOf(client.metadata([]));
    await expect.poll(() => broker.connections).toBe(1);
    await clock.runFor(150);
    expect((await failure).message).toContain('waiting for a connection to broker');
    await expect.poll(() => broker.open).toBe(0);
  });

  test('ends a dedicated connection with its requests', async () => {
    await using broker = await startScriptedBroker();
    const self = { id: 1, host: broker.address.host, port: broker.address.port };
    await using seed = await startScriptedBroker({ Metadata: metadataAnswer({ brokers: [self] }) });
    const { clock, client } = clientAt(seed, { command: 200 });
    const connection = await client.dedicated(1);
    const failure = failureOf(connection.send(fetch, fetchRequest));
    await expect.poll(() => broker.of('Fetch').length).toBe(1);
    await clock.runFor(200);
    expect((await failure).code).toBe('COMMAND_TIMEOUT');
    await expect.poll(() => broker.open + seed.open).toBe(0);
  });

  test('does not limit an open-ended phase, but each request inside it has its limit', async () => {
    await using broker = await startScriptedBroker();
    const { clock, client } = clientAt(broker, { command: 50, overhead: 200, retry: 0 });
    const failure = failureOf(client.deadline.openEnded(() => client.metadata([])));
    await expect.poll(() => broker.of('Metadata').length).toBe(1);
    await clock.runFor(200);
    expect((await failure).code).toBe('REQUEST_TIMEOUT');
    client.close();
  });
});

test('the process ends when the command timeout has fired', async () => {
  await using broker = await startScriptedBroker();
  const child = fileURLToPath(new URL('../services/deadline-child.ts', import.meta.url));
  const args = [child, broker.address.host, String(broker.address.port), '300'];
  // Its other limits are an hour: a timer that is left would keep it until it is killed, which is an error. How long it
  // really takes is in the timing benchmark.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 80_000 });
  const [code, milliseconds] = stdout.split('\n');
  expect(code).toBe('COMMAND_TIMEOUT');
  expect(milliseconds).toMatch(/^\d+\.\d$/);
  expect(stderr).toBe('');
});

test('closing the client rejects what is in flight at once', async () => {
  await using broker = await startScriptedBroker();
  await using client = clientOf([broker.address]);
  const work = failureOf(client.metadata([]));
  await expect.poll(() => broker.of('Metadata').length).toBe(1);
  client.close();
  expect((await work).code).toBe('CLOSED');
  await expect.poll(() => broker.open).toBe(0);
});
