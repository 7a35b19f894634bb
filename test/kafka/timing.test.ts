import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, test } from 'vitest';
import type { Client } from '../../src/kafka/client/client.ts';
import { createTopics } from '../../src/kafka/protocol/create-topics.ts';
import { fetch } from '../../src/kafka/protocol/fetch.ts';
import { heartbeat } from '../../src/kafka/protocol/heartbeat.ts';
import { joinGroup } from '../../src/kafka/protocol/join-group.ts';
import { listOffsets } from '../../src/kafka/protocol/list-offsets.ts';
import { metadata } from '../../src/kafka/protocol/metadata.ts';
import { produce } from '../../src/kafka/protocol/produce.ts';
import { createTopics as createTopicRows } from '../../src/kafka/topics/topics.ts';
import { startFullListener } from '../services/full-listener.ts';
import { createTopicsAnswer, heartbeatAnswer, metadataAnswer } from '../services/scripted-answers.ts';
import {
  type Script,
  type ScriptedBroker,
  type ScriptedOptions,
  startScriptedBroker,
} from '../services/scripted-broker.ts';
import { clientOf, failureOf } from '../services/scripted-client.ts';

const started: ScriptedBroker[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((broker) => broker.close()));
});

async function scripted(script: Script = {}, options: ScriptedOptions = {}): Promise<ScriptedBroker> {
  const broker = await startScriptedBroker(script, options);
  started.push(broker);
  return broker;
}

/** Time until the work fails, in milliseconds, and the error. */
async function timed(work: () => Promise<unknown>) {
  const from = performance.now();
  const error = await failureOf(work());
  return { error, milliseconds: performance.now() - from };
}

// Far below a noticeable hang, far above what a busy machine needs.
const generousMs = 2_000;

const joinRequest = {
  group: 'g',
  sessionTimeoutMs: 1_000,
  rebalanceTimeoutMs: 150,
  memberId: '',
  instanceId: undefined,
  protocols: [],
  reason: '',
};
const fetchRequest = { maxWaitMs: 150, minBytes: 1, maxBytes: 1, readCommitted: false, rack: '', topics: [] };
const topicRequest = {
  topics: [{ name: 't', partitions: 1, replicas: 1, configs: [] }],
  timeoutMs: 150,
  validateOnly: false,
};

describe('an answer is awaited for', () => {
  const rules: readonly (readonly [string, number, string, (client: Client) => Promise<unknown>])[] = [
    [
      'list-offsets, which has no timeout of its own: exactly the overhead',
      100,
      'ListOffsets request to broker ADDRESS timed out after 100ms (globals.request_timeout_overhead=100ms)',
      (client) => client.request(listOffsets, { isolation: 'uncommitted', topics: [] }, 'any'),
    ],
    [
      'metadata: exactly the overhead',
      100,
      'Metadata request to broker ADDRESS timed out after 100ms (globals.request_timeout_overhead=100ms)',
      (client) => client.request(metadata, { topics: [] }, 'any'),
    ],
    [
      'join-group: its rebalance timeout + the overhead',
      250,
      'JoinGroup request to broker ADDRESS timed out after 250ms (150ms inside the request + globals.request_timeout_overhead=100ms)',
      (client) => client.request(joinGroup, joinRequest, 'any'),
    ],
    [
      'create-topics: its timeout_ms + the overhead',
      250,
      'CreateTopics request to broker ADDRESS timed out after 250ms (150ms inside the request + globals.request_timeout_overhead=100ms)',
      (client) => client.request(createTopics, topicRequest, 'any'),
    ],
    [
      'fetch: its max_wait + the overhead',
      250,
      'Fetch request to broker ADDRESS timed out after 250ms (150ms inside the request + globals.request_timeout_overhead=100ms)',
      (client) => client.request(fetch, fetchRequest, 'any'),
    ],
  ];

  test.each(rules)('%s', async (_rule, limitMs, message, send) => {
    const broker = await scripted();
    await using client = clientOf([broker.address], { overhead: 100, retry: 0 });
    const { error, milliseconds } = await timed(() => send(client));
    expect(error.message).toBe(message.replace('ADDRESS', `127.0.0.1:${broker.address.port}`));
    expect(error).toMatchObject({ code: 'REQUEST_TIMEOUT', exitCode: 5 });
    expect(error.hints).toContain('raise the limit with -X globals.request_timeout_overhead=DURATION');
    expect(milliseconds).toBeGreaterThanOrEqual(limitMs - 1);
    expect(milliseconds).toBeLessThan(limitMs + generousMs);
    expect(broker.connections).toBe(1);
  });

  test('API versions: exactly the overhead, and the step is named', async () => {
    const broker = await scripted({ ApiVersions: 'silent' });
    await using client = clientOf([broker.address], { overhead: 100, retry: 0 });
    const { error, milliseconds } = await timed(() => client.metadata([]));
    expect(error.message).toContain('ApiVersions request to broker');
    expect(error.message).toContain('timed out after 100ms');
    expect(milliseconds).toBeGreaterThanOrEqual(99);
    expect(broker.connections).toBe(1);
  });

  test.each(['SaslHandshake', 'SaslAuthenticate'])('%s: exactly the overhead', async (api) => {
    const { handshakeAnswer } = await import('../services/scripted-answers.ts');
    const broker = await scripted(api === 'SaslHandshake' ? {} : { SaslHandshake: handshakeAnswer(0, ['PLAIN']) });
    const sasl = { mechanism: 'PLAIN', username: 'u', password: 'p' } as const;
    await using client = clientOf([broker.address], { overhead: 100, retry: 0 }, { sasl });
    const { error, milliseconds } = await timed(() => client.metadata([]));
    expect(error.message).toContain(`${api} request to broker`);
    expect(error.code).toBe('REQUEST_TIMEOUT');
    expect(milliseconds).toBeGreaterThanOrEqual(99);
    expect(broker.connections).toBe(1);
  });

  test('no longer once it has arrived, however late within the limit', async () => {
    const answer = metadataAnswer({ brokers: [{ id: 1, host: '127.0.0.1', port: 1 }] });
    const broker = await scripted({ Metadata: { answer, afterMs: 150 } });
    await using client = clientOf([broker.address], { overhead: 10_000, retry: 0 });
    expect((await client.metadata([])).clusterId).toBe('scripted');
  });

  test('and a late one is dropped without affecting the next request', async () => {
    const late = { answer: heartbeatAnswer(25), afterMs: 150 };
    const broker = await scripted({ Heartbeat: [late, heartbeatAnswer(0)] });
    await using client = clientOf([broker.address], { overhead: 100, retry: 60_000 });
    const request = { group: 'g', generation: 1, memberId: 'm', instanceId: undefined };
    const answer = await client.request(heartbeat, request, 'any');
    expect(answer.errorCode).toBe(0);
    // The first connection lacked an answer, so it is not used again.
    expect(broker.of('Heartbeat').map(({ connection }) => connection)).toEqual([1, 2]);
  });

  test('for each of several requests in flight separately', async () => {
    const answer = metadataAnswer({ brokers: [] });
    const broker = await scripted({ Metadata: { answer, afterMs: 200 } });
    const [host, port] = [broker.address.host, broker.address.port];
    const self = await scripted({ Metadata: metadataAnswer({ brokers: [{ id: 1, host, port }] }) });
    await using client = clientOf([self.address], { overhead: 100, retry: 0 });
    const connection = await client.dedicated(1);
    const slow = failureOf(connection.send(fetch, { ...fetchRequest, maxWaitMs: 400 }));
    const fast = timed(() => connection.send(listOffsets, { isolation: 'uncommitted', topics: [] }));
    expect((await fast).error.message).toContain('timed out after 100ms');
    expect((await slow).message).toContain('timed out after 500ms');
  });

  test('of 1000h does not fire at once', async () => {
    const answer = metadataAnswer({ brokers: [] });
    const broker = await scripted({ Metadata: { answer, afterMs: 100 } });
    const hours = 1_000 * 3_600_000;
    await using client = clientOf([broker.address], { dial: hours, overhead: hours, retry: hours, command: hours });
    expect((await client.metadata([])).clusterId).toBe('scripted');
  });

  test('not at all if the broker never answers: produce with acks=0', async () => {
    const broker = await scripted({ Metadata: metadataAnswer({ brokers: [] }) });
    const [host, port] = [broker.address.host, broker.address.port];
    const self = await scripted({ Metadata: metadataAnswer({ brokers: [{ id: 1, host, port }] }) });
    await using client = clientOf([self.address], { overhead: 50, retry: 0 });
    const connection = await client.dedicated(1);
    const request = { transactionalId: undefined, acks: 0, timeoutMs: 0, topics: [] } as const;
    expect(await connection.send(produce, request)).toBeUndefined();
  });
});

describe('dial_timeout', () => {
  test('limits a TLS handshake that is never answered, and is named in the error', async () => {
    const broker = await scripted({}, { onConnect: 'silent' });
    const tls = { ca: undefined, cert: undefined, key: undefined, insecureSkipVerify: true, keyPrefix: 'tls' };
    await using client = clientOf([broker.address], { dial: 100, retry: 0 }, { tls });
    const { error, milliseconds } = await timed(() => client.metadata([]));
    expect(error.message).toBe(
      `unable to connect to broker 127.0.0.1:${broker.address.port}: TLS: handshake timed out after 100ms (globals.dial_timeout=100ms)`,
    );
    expect(error).toMatchObject({ code: 'DIAL_TIMEOUT', exitCode: 5 });
    expect(error.hints).toContain('raise the limit with -X globals.dial_timeout=DURATION');
    expect(milliseconds).toBeGreaterThanOrEqual(99);
    expect(broker.connections).toBe(1);
  });

  // Where the kernel drops what does not fit into the queue of a listener.
  if (process.platform === 'linux') {
    test('limits a TCP connection that is never accepted', async () => {
      await using listener = await startFullListener();
      await using client = clientOf([listener.address], { dial: 200, retry: 0 });
      const { error, milliseconds } = await timed(() => client.metadata([]));
      expect(error.message).toBe(
        `unable to connect to broker 127.0.0.1:${listener.address.port}: TCP: connection timed out after 200ms (globals.dial_timeout=200ms)`,
      );
      expect(milliseconds).toBeGreaterThanOrEqual(199);
      expect(milliseconds).toBeLessThan(200 + generousMs);
    });
  }
});

describe('retry_timeout', () => {
  test('continues only while the broker answers with a retriable error', async () => {
    const broker = await scripted({ Heartbeat: [heartbeatAnswer(14), heartbeatAnswer(14), heartbeatAnswer(0)] });
    await using client = clientOf([broker.address]);
    const request = { group: 'g', generation: 1, memberId: 'm', instanceId: undefined };
    expect((await client.request(heartbeat, request, 'any')).errorCode).toBe(0);
    expect(broker.of('Heartbeat')).toHaveLength(3);
    expect(broker.connections).toBe(1);
  });

  test('ends with the last error', async () => {
    const broker = await scripted({ Heartbeat: heartbeatAnswer(14) });
    await using client = clientOf([broker.address], { retry: 300 });
    const request = { group: 'g', generation: 1, memberId: 'm', instanceId: undefined };
    const error = await failureOf(client.request(heartbeat, request, 'any'));
    expect(error.message).toContain('COORDINATOR_LOAD_IN_PROGRESS');
    expect(error.message).toContain('globals.retry_timeout=300ms');
    expect(error).toMatchObject({ code: 'RETRY_TIMEOUT', exitCode: 5 });
    const tries = broker.of('Heartbeat').length;
    expect(tries).toBeGreaterThanOrEqual(2); // 0 ms, and one after the first pause of 200 to 300 ms
    expect(error.message).toContain(`after ${tries} attempts`);
  });

  test('resends a read that was cut off over a new connection', async () => {
    const broker = await scripted({ Metadata: ['drop', metadataAnswer({ brokers: [] })] });
    await using client = clientOf([broker.address]);
    await client.metadata([]);
    expect(broker.of('Metadata').map(({ connection }) => connection)).toEqual([1, 2]);
  });

  test('does not resend what may have been carried out', async () => {
    const broker = await scripted({ CreateTopics: ['drop', createTopicsAnswer('t', 0)] });
    await using client = clientOf([broker.address]);
    const error = await failureOf(client.request(createTopics, topicRequest, 'any'));
    expect(error).toMatchObject({ code: 'CONNECTION_LOST', exitCode: 5, retryable: false });
    expect(error.hints).toContain('check whether the request was carried out before you repeat it');
    expect(broker.of('CreateTopics')).toHaveLength(1);
    expect(broker.connections).toBe(1);
  });

  test('resends a change when the broker says that it did nothing', async () => {
    const broker = await scripted({ CreateTopics: [createTopicsAnswer('t', 41), createTopicsAnswer('t', 0)] });
    const self = { id: 1, host: broker.address.host, port: broker.address.port };
    const seed = await scripted({ Metadata: metadataAnswer({ brokers: [self] }) });
    await using client = clientOf([seed.address]);
    const call = { topics: ['t'], partitions: 1, replicas: 1, configs: [], dryRun: true, ifNotExists: false };
    expect(await createTopicRows(client, call)).toMatchObject([{ topic: 't', status: 'OK' }]);
    // NOT_CONTROLLER: the controller is looked up again.
    expect(seed.of('Metadata')).toHaveLength(2);
  });
});
