import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { fetch } from '../../src/kafka/protocol/fetch.ts';
import { metadataAnswer } from '../services/scripted-answers.ts';
import { startScriptedBroker } from '../services/scripted-broker.ts';
import { clientOf, failureOf } from '../services/scripted-client.ts';

// Far below a noticeable hang, far above what a busy machine needs.
const generousMs = 2_000;

const fetchRequest = { maxWaitMs: 150, minBytes: 1, maxBytes: 1, readCommitted: false, rack: '', topics: [] };

describe('command_timeout', () => {
  test('ends a request, a dial and a pause alike, at once, and leaves no connection', async () => {
    await using silent = await startScriptedBroker();
    await using client = clientOf([silent.address], { command: 150 });
    const from = performance.now();
    const error = await failureOf(client.metadata([]));
    const milliseconds = performance.now() - from;
    expect(error.code).toBe('COMMAND_TIMEOUT');
    expect(error.message).toBe(
      `the command timed out (globals.command_timeout=150ms) while waiting for the Metadata response from broker 127.0.0.1:${silent.address.port}`,
    );
    expect(milliseconds).toBeLessThan(150 + generousMs);
    await expect.poll(() => silent.open).toBe(0);
  });

  test('ends a dial', async () => {
    await using broker = await startScriptedBroker({}, { onConnect: 'silent' });
    const tls = { ca: undefined, cert: undefined, key: undefined, insecureSkipVerify: true, keyPrefix: 'tls' };
    await using client = clientOf([broker.address], { command: 150 }, { tls });
    const error = await failureOf(client.metadata([]));
    expect(error.message).toContain('waiting for a connection to broker');
    await expect.poll(() => broker.open).toBe(0);
  });

  test('ends a dedicated connection with its requests', async () => {
    await using broker = await startScriptedBroker();
    const self = { id: 1, host: broker.address.host, port: broker.address.port };
    await using seed = await startScriptedBroker({ Metadata: metadataAnswer({ brokers: [self] }) });
    await using client = clientOf([seed.address], { command: 200 });
    const connection = await client.dedicated(1);
    const error = await failureOf(connection.send(fetch, fetchRequest));
    expect(error.code).toBe('COMMAND_TIMEOUT');
    await expect.poll(() => broker.open + seed.open).toBe(0);
  });

  test('does not limit an open-ended phase, but each request inside it has its limit', async () => {
    await using broker = await startScriptedBroker();
    await using client = clientOf([broker.address], { command: 50, overhead: 200, retry: 0 });
    const error = await failureOf(client.deadline.openEnded(() => client.metadata([])));
    expect(error.code).toBe('REQUEST_TIMEOUT');
  });
});

test('the process ends when the command timeout has fired', async () => {
  await using broker = await startScriptedBroker();
  const child = fileURLToPath(new URL('../services/deadline-child.ts', import.meta.url));
  const args = [child, broker.address.host, String(broker.address.port), '300'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
  const [code, milliseconds] = stdout.split('\n');
  expect(code).toBe('COMMAND_TIMEOUT');
  // 200 ms are allowed; how long it really takes is in the timing benchmark.
  expect(Number(milliseconds)).toBeLessThan(generousMs);
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
