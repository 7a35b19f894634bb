import { afterEach, describe, expect, test } from 'vitest';
import { validateTopics } from '../../src/kafka/cluster/topics/topics.ts';
import type { Client } from '../../src/kafka/protocol/client/client.ts';
import { createTopics } from '../../src/kafka/protocol/wire/apis/create-topics.ts';
import { fetch } from '../../src/kafka/protocol/wire/apis/fetch.ts';
import { heartbeat } from '../../src/kafka/protocol/wire/apis/heartbeat.ts';
import { joinGroup } from '../../src/kafka/protocol/wire/apis/join-group.ts';
import { listOffsets } from '../../src/kafka/protocol/wire/apis/list-offsets.ts';
import { metadata } from '../../src/kafka/protocol/wire/apis/metadata.ts';
import { produce } from '../../src/kafka/protocol/wire/apis/produce.ts';
import { startFullListener } from '../services/full-listener.ts';
import { createTopicsAnswer, handshakeAnswer, heartbeatAnswer, metadataAnswer } from '../services/scripted-answers.ts';
import {
  type Script,
  type ScriptedBroker,
  type ScriptedOptions,
  startScriptedBroker,
} from '../services/scripted-broker.ts';
import { clientOf, deadlineOf, failureOf } from '../services/scripted-client.ts';
import { virtualClient } from '../services/virtual-client.ts';
import { createVirtualClock, type VirtualClock } from '../simulation/virtual-clock.ts';
// Loading it takes time that is not virtual.
import '../../src/kafka/protocol/transport/sasl.ts';

const started: ScriptedBroker[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((broker) => broker.close()));
});

async function scripted(script: Script = {}, options: ScriptedOptions = {}): Promise<ScriptedBroker> {
  const broker = await startScriptedBroker(script, options);
  started.push(broker);
  return broker;
}

/** The virtual time until the work fails, in milliseconds, and the error. */
async function timed(clock: VirtualClock, work: Promise<unknown>) {
  const from = clock.now();
  const error = await clock.runUntil(failureOf(work));
  return { error, milliseconds: clock.now() - from };
}

const joinRequest = {
  groupId: 'g',
  sessionTimeoutMs: 1_000,
  rebalanceTimeoutMs: 150,
  memberId: '',
  protocolType: 'consumer',
  protocols: [],
};
const fetchRequest = { maxWaitMs: 150, minBytes: 1, maxBytes: 1, isolationLevel: 0, topics: [] };
const topicRequest = {
  topics: [{ name: 't', numPartitions: 1, replicationFactor: 1, configs: [] }],
  timeoutMs: 150,
  validateOnly: false,
};

describe('an answer is awaited for', () => {
  const rules: readonly (readonly [string, number, string, (client: Client) => Promise<unknown>])[] = [
    [
      'list-offsets, which has no timeout of its own: exactly the overhead',
      100,
      'ListOffsets request to broker one:9092 timed out after 100ms (globals.request_timeout_overhead=100ms)',
      (client) => client.request(listOffsets, { topics: [] }, 'any'),
    ],
    [
      'metadata: exactly the overhead',
      100,
      'Metadata request to broker one:9092 timed out after 100ms (globals.request_timeout_overhead=100ms)',
      (client) => client.request(metadata, { topics: [] }, 'any'),
    ],
    [
      'join-group: its rebalance timeout + the overhead',
      250,
      'JoinGroup request to broker one:9092 timed out after 250ms (150ms inside the request + globals.request_timeout_overhead=100ms)',
      (client) => client.request(joinGroup, joinRequest, 'any'),
    ],
    [
      'create-topics: its timeout_ms + the overhead',
      250,
      'CreateTopics request to broker one:9092 timed out after 250ms (150ms inside the request + globals.request_timeout_overhead=100ms); the request may have been carried out',
      (client) => client.request(createTopics, topicRequest, 'any'),
    ],
    [
      'fetch: its max_wait + the overhead',
      250,
      'Fetch request to broker one:9092 timed out after 250ms (150ms inside the request + globals.request_timeout_overhead=100ms)',
      (client) => client.request(fetch, fetchRequest, 'any'),
    ],
  ];

  test.each(rules)('%s', async (_rule, limitMs, message, send) => {
    const { clock, links, client } = virtualClient({}, { overhead: 100, retry: 0 });
    const { error, milliseconds } = await timed(clock, send(client));
    expect(error.message).toBe(message);
    expect(error).toMatchObject({ code: 'REQUEST_TIMEOUT', exitCode: 5 });
    expect(error.hints).toContain('raise the limit with -X globals.request_timeout_overhead=DURATION');
    expect({ milliseconds, connections: links.connections }).toEqual({ milliseconds: limitMs, connections: 1 });
    client.close();
  });

  test('API versions: exactly the overhead, and the step is named', async () => {
    const { clock, links, client } = virtualClient({ ApiVersions: 'silent' }, { overhead: 100, retry: 0 });
    const { error, milliseconds } = await timed(clock, client.metadata([]));
    expect(error.message).toContain('accepted the connection, but the ApiVersions request');
    expect(error.message).toContain('timed out after 100ms');
    expect({ milliseconds, connections: links.connections }).toEqual({ milliseconds: 100, connections: 1 });
    client.close();
  });

  test.each(['SaslHandshake', 'SaslAuthenticate'])('%s: exactly the overhead', async (api) => {
    const script = api === 'SaslHandshake' ? {} : { SaslHandshake: handshakeAnswer(0, ['PLAIN']) };
    const sasl = { mechanism: 'PLAIN', username: 'u', password: 'p' } as const;
    const { clock, links, client } = virtualClient(script, { overhead: 100, retry: 0 }, { sasl });
    const { error, milliseconds } = await timed(clock, client.metadata([]));
    expect(error.message).toContain(`${api} request to broker`);
    expect(error.code).toBe('REQUEST_TIMEOUT');
    expect({ milliseconds, connections: links.connections }).toEqual({ milliseconds: 100, connections: 1 });
    client.close();
  });

  test('no longer once it has arrived, however late within the limit', async () => {
    const answer = metadataAnswer({ brokers: [{ id: 1, host: '127.0.0.1', port: 1 }] });
    const { clock, client } = virtualClient({ Metadata: { answer, afterMs: 99 } }, { overhead: 100, retry: 0 });
    expect((await clock.runUntil(client.metadata([]))).clusterId).toBe('scripted');
    client.close();
  });

  test('and a late one is dropped without affecting the next request', async () => {
    const late = { answer: heartbeatAnswer(25), afterMs: 150 };
    const { clock, links, client } = virtualClient({ Heartbeat: [late, heartbeatAnswer(0)] }, { overhead: 100 });
    const request = { groupId: 'g', generationId: 1, memberId: 'm' };
    const answer = await clock.runUntil(client.request(heartbeat, request, 'any'));
    expect(answer.errorCode).toBe(0);
    // The first connection lacked an answer, so it is not used again.
    expect(links.of('Heartbeat').map(({ connection }) => connection)).toEqual([1, 2]);
    client.close();
  });

  test('for each of several requests in flight separately', async () => {
    const Metadata = metadataAnswer({ brokers: [{ id: 1, host: 'two', port: 9092 }] });
    const { clock, client } = virtualClient((host) => (host === 'two' ? {} : { Metadata }), {
      overhead: 100,
      retry: 0,
    });
    const connection = await clock.runUntil(client.dedicated(1));
    const slow = timed(clock, connection.send(fetch, { ...fetchRequest, maxWaitMs: 400 }));
    const fast = failureOf(connection.send(listOffsets, { topics: [] }));
    expect(await slow).toMatchObject({
      ...{ milliseconds: 500, error: { message: expect.stringContaining('timed out after 500ms') } },
    });
    expect((await fast).message).toContain('timed out after 100ms');
    client.close();
  });

  test('of 1000h does not fire at once', async () => {
    const answer = metadataAnswer({ brokers: [] });
    const broker = await scripted({ Metadata: { answer, afterMs: 100 } });
    const hours = 1_000 * 3_600_000;
    await using client = clientOf([broker.address], { dial: hours, overhead: hours, retry: hours, command: hours });
    expect((await client.metadata([])).clusterId).toBe('scripted');
  });

  test('not at all if the broker never answers: produce with acks=0', async () => {
    const Metadata = metadataAnswer({ brokers: [{ id: 1, host: 'two', port: 9092 }] });
    const { clock, client } = virtualClient((host) => (host === 'two' ? {} : { Metadata }), { overhead: 50, retry: 0 });
    const connection = await clock.runUntil(client.dedicated(1));
    const request = { acks: 0, timeoutMs: 0, topicData: [] };
    expect(await clock.runUntil(connection.send(produce, request), 0)).toBeUndefined();
    client.close();
  });
});

describe('dial_timeout', () => {
  test('limits a TLS handshake that is never answered, and is named in the error', async () => {
    const broker = await scripted({}, { onConnect: 'silent' });
    const clock = createVirtualClock();
    const tls = { ca: undefined, cert: undefined, key: undefined, insecureSkipVerify: true, keyPrefix: 'tls' };
    const deadline = deadlineOf({ dial: 100, retry: 0 }, clock);
    await using client = clientOf([broker.address], {}, { tls, deadline });
    const failure = failureOf(client.metadata([]));
    // The first bytes of the handshake.
    await expect.poll(() => broker.received[0]?.length ?? 0).toBeGreaterThan(0);
    expect(await endsAfter(clock, 100, failure)).toBe(true);
    const error = await failure;
    expect(error.message).toBe(
      `unable to connect to broker 127.0.0.1:${broker.address.port}: TLS: handshake timed out after 100ms (globals.dial_timeout=100ms)`,
    );
    expect(error).toMatchObject({ code: 'DIAL_TIMEOUT', exitCode: 5 });
    expect(error.hints).toContain('raise the limit with -X globals.dial_timeout=DURATION');
    expect(broker.connections).toBe(1);
  });

  // Where the kernel drops what does not fit into the queue of a listener.
  if (process.platform === 'linux') {
    test('limits a TCP connection that is never accepted', async () => {
      await using listener = await startFullListener();
      const clock = createVirtualClock();
      const deadline = deadlineOf({ dial: 200, retry: 0 }, clock);
      await using client = clientOf([listener.address], {}, { deadline });
      const failure = failureOf(client.metadata([]));
      expect(await endsAfter(clock, 200, failure)).toBe(true);
      expect((await failure).message).toBe(
        `unable to connect to broker 127.0.0.1:${listener.address.port}: TCP: connection timed out after 200ms (globals.dial_timeout=200ms)`,
      );
    });
  }
});

/** Whether work on real sockets waits until the last millisecond of a limit in virtual time, and not longer. */
async function endsAfter(clock: VirtualClock, limitMs: number, work: Promise<unknown>): Promise<boolean> {
  let isOver = false;
  const over = work.then(() => {
    isOver = true;
  });
  await clock.runFor(limitMs - 1);
  const wasOver = isOver;
  await clock.runFor(1);
  await over;
  return !wasOver;
}

describe('retry_timeout', () => {
  test('continues only while the broker answers with a retriable error', async () => {
    const Heartbeat = [heartbeatAnswer(14), heartbeatAnswer(14), heartbeatAnswer(0)];
    const { clock, links, client } = virtualClient({ Heartbeat });
    const request = { groupId: 'g', generationId: 1, memberId: 'm' };
    expect((await clock.runUntil(client.request(heartbeat, request, 'any'))).errorCode).toBe(0);
    expect([links.of('Heartbeat').length, links.connections]).toEqual([3, 1]);
    client.close();
  });

  test('ends with the last error', async () => {
    const { clock, links, client } = virtualClient({ Heartbeat: heartbeatAnswer(14) }, { retry: 300 });
    const request = { groupId: 'g', generationId: 1, memberId: 'm' };
    const { error } = await timed(clock, client.request(heartbeat, request, 'any'));
    expect(error.message).toContain('COORDINATOR_LOAD_IN_PROGRESS');
    expect(error.message).toContain('globals.retry_timeout=300ms');
    expect(error).toMatchObject({ code: 'RETRY_TIMEOUT', exitCode: 5 });
    expect(links.of('Heartbeat').map(({ after }) => after)).toEqual([0, 250, 750]);
    expect(error.message).toContain('after 3 attempts');
    client.close();
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
    const call = { topics: [{ topic: 't', partitions: 1, replicas: 1, configs: [] }], ifNotExists: false };
    expect(await validateTopics(client, call)).toMatchObject([{ topic: 't', error: null }]);
    // NOT_CONTROLLER: the controller is looked up again.
    expect(seed.of('Metadata')).toHaveLength(2);
  });
});
