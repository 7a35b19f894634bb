import { describe, expect, test } from 'vitest';
import { heartbeat } from '../../../../src/kafka/protocol/wire/apis/heartbeat.ts';
import { joinGroup } from '../../../../src/kafka/protocol/wire/apis/join-group.ts';
import { metadata } from '../../../../src/kafka/protocol/wire/apis/metadata.ts';
import { deadAddress } from '../../../services/dead-address.ts';
import { coordinatorAnswer, heartbeatAnswer, metadataAnswer } from '../../../services/scripted-answers.ts';
import { type ScriptedBroker, startScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf, deadlineOf, failureOf } from '../../../services/scripted-client.ts';
import { virtualClient } from '../../../services/virtual-client.ts';

const request = { groupId: 'g', generationId: 1, memberId: 'm' };
const joinRequest = {
  groupId: 'g',
  sessionTimeoutMs: 1_000,
  rebalanceTimeoutMs: 60_000,
  memberId: '',
  protocolType: 'consumer',
  protocols: [],
};
const node = (id: number, broker: ScriptedBroker) => ({ id, ...broker.address });
const nobody = metadataAnswer({ brokers: [] });

describe('seed brokers', () => {
  test('that are dead are skipped at once, in the order of the list', async () => {
    await using broker = await startScriptedBroker({ Metadata: nobody });
    await using first = await deadAddress();
    await using second = await deadAddress();
    await using client = clientOf([first.address, second.address, broker.address], { retry: 0 });
    expect((await client.metadata([])).clusterId).toBe('scripted');
    expect(broker.connections).toBe(1);
  });

  test('that do not answer the first request are skipped, too', async () => {
    const brokers = ['silent', 'two'].map((host) => ({ host, port: 9092 }));
    const { clock, links, client } = virtualClient(
      (host) => (host === 'silent' ? { ApiVersions: 'silent' } : { Metadata: nobody }),
      { overhead: 100, retry: 0 },
      { brokers },
    );
    await clock.runUntil(client.metadata([]));
    expect(links.of('ApiVersions').map(({ address, after }) => [address, after])).toEqual([
      ['silent', 0],
      ['two', 100],
    ]);
    client.close();
  });

  test('that are all dead are one failure, which names each of them', async () => {
    await using first = await deadAddress();
    await using second = await deadAddress();
    await using client = clientOf([first.address, second.address], { retry: 0 });
    const error = await failureOf(client.metadata([]));
    expect(error.message).toBe(
      `unable to connect to any of 2 brokers: broker 127.0.0.1:${first.address.port}: TCP: connection refused; broker 127.0.0.1:${second.address.port}: TCP: connection refused`,
    );
    expect(error).toMatchObject({ exitCode: 5, code: 'CONNECTION_REFUSED', retryable: true });
  });

  test('that are all dead are retried by the retry rule', async () => {
    await using dead = await deadAddress();
    const refused = Promise.withResolvers<void>();
    await using client = clientOf([dead.address], {}, { deadline: deadlineOf({}, undefined, () => refused.resolve()) });
    const work = client.metadata([]);
    await refused.promise;
    await dead.release();
    await using _broker = await startScriptedBroker({ Metadata: nobody }, { port: dead.address.port });
    expect((await work).clusterId).toBe('scripted');
  });

  test('are not needed once a connection is open', async () => {
    await using broker = await startScriptedBroker({ Metadata: nobody });
    await using client = clientOf([broker.address]);
    await Promise.all([client.metadata([]), client.metadata('all'), client.metadata([])]);
    await client.request(metadata, { topics: [] }, 'any');
    expect(broker.connections).toBe(1);
    expect(broker.of('ApiVersions')).toHaveLength(1);
    expect(broker.of('Metadata')).toHaveLength(4);
  });

  test('that are gone are replaced by the brokers that the cluster reported', async () => {
    await using other = await startScriptedBroker({ Metadata: nobody });
    const seed = await startScriptedBroker({ Metadata: metadataAnswer({ brokers: [node(2, other)] }) });
    await using client = clientOf([seed.address], { retry: 0 });
    await client.metadata([]);
    await seed.close();
    await expect.poll(() => client.metadata([]).then(() => other.of('Metadata').length)).toBeGreaterThan(0);
  });
});

describe('a listener that is advertised', () => {
  test('and cannot be reached is named, with the broker that advertised it and the source', async () => {
    await using held = await deadAddress();
    const dead = held.address;
    await using seed = await startScriptedBroker({ Metadata: metadataAnswer({ brokers: [{ id: 7, ...dead }] }) });
    await using client = clientOf([seed.address], { retry: 0 });
    const error = await failureOf(client.request(heartbeat, request, { node: 7 }));
    expect(error.message).toBe(
      `unable to connect to broker 7 (127.0.0.1:${dead.port}): TCP: connection refused (broker 7 advertises the listener 127.0.0.1:${dead.port}, according to seed broker 127.0.0.1:${seed.address.port})`,
    );
    expect(error.hints).toContain('set advertised.listeners of broker 7 to an address that this machine can reach');
    expect(error).toMatchObject({ exitCode: 5, target: `127.0.0.1:${dead.port}` });
  });

  test('that was reached before, or is that of a seed broker, is not blamed: the broker is down', async () => {
    const reached = await startScriptedBroker({ Heartbeat: heartbeatAnswer(0) });
    await using held = await deadAddress();
    const dead = held.address;
    const brokers = [node(7, reached), { id: 8, ...dead }];
    await using seed = await startScriptedBroker({ Metadata: metadataAnswer({ brokers }) });
    await using client = clientOf([seed.address, dead], { retry: 0 });
    await client.request(heartbeat, request, { node: 7 });
    await reached.close();
    // The first failure is that of the connection in use.
    await failureOf(client.request(heartbeat, request, { node: 7 }));
    for (const id of [7, 8]) {
      const error = await failureOf(client.request(heartbeat, request, { node: id }));
      expect(error.message).toMatch(/^unable to connect to broker \d \(127\.0\.0\.1:\d+\): TCP: connection refused$/);
      expect(error.hints.filter((hint) => hint.includes('advertised.listeners'))).toEqual([]);
    }
  });

  test('is looked up again before the next attempt, since the broker may have moved', async () => {
    await using held = await deadAddress();
    const dead = held.address;
    await using moved = await startScriptedBroker({ Heartbeat: heartbeatAnswer(0) });
    const answers = [metadataAnswer({ brokers: [{ id: 7, ...dead }] }), metadataAnswer({ brokers: [node(7, moved)] })];
    await using seed = await startScriptedBroker({ Metadata: answers });
    await using client = clientOf([seed.address]);
    expect((await client.request(heartbeat, request, { node: 7 })).errorCode).toBe(0);
    expect(seed.of('Metadata')).toHaveLength(2);
  });

  test('of the same address as the seed is reached over the open connection', async () => {
    await using broker = await startScriptedBroker({
      Heartbeat: heartbeatAnswer(0),
      Metadata: () => metadataAnswer({ brokers: [node(1, broker)] }),
    });
    await using client = clientOf([broker.address]);
    await client.request(heartbeat, request, 'controller');
    expect(broker.connections).toBe(1);
  });

  test.each(['', '::1]:22 HTTP/1.1\r\nA: b', 'a b', '::1]/[', '::1%b.example', 'x'.repeat(255)])(
    'whose host is none is not connected to: %j',
    async (host) => {
      await using seed = await startScriptedBroker({
        Metadata: metadataAnswer({ brokers: [{ id: 7, host, port: 9092 }] }),
      });
      await using client = clientOf([seed.address], { retry: 0 });
      const error = await failureOf(client.request(heartbeat, request, { node: 7 }));
      expect(error.message).toBe(`broker 7 advertises no valid listener: "${host}:9092"`);
      expect(error).toMatchObject({ exitCode: 5, code: 'BROKER_NOT_AVAILABLE' });
    },
  );

  test('of a broker that is not in the cluster is an error that says so', async () => {
    await using seed = await startScriptedBroker({ Metadata: nobody });
    await using client = clientOf([seed.address], { retry: 0 });
    const error = await failureOf(client.request(heartbeat, request, { node: 9 }));
    expect(error.message).toBe(
      `broker 9 is not in the cluster, according to seed broker 127.0.0.1:${seed.address.port}`,
    );
  });
});

describe('a coordinator', () => {
  test('is looked up once and kept', async () => {
    await using coordinator = await startScriptedBroker({ Heartbeat: heartbeatAnswer(0) });
    await using seed = await startScriptedBroker({ FindCoordinator: coordinatorAnswer('g', node(3, coordinator)) });
    await using client = clientOf([seed.address]);
    for (const _time of [1, 2, 3]) await client.request(heartbeat, request, { group: 'g' });
    expect(seed.of('FindCoordinator')).toHaveLength(1);
    expect(coordinator.of('Heartbeat')).toHaveLength(3);
  });

  test('that has moved (NOT_COORDINATOR) is looked up again', async () => {
    await using old = await startScriptedBroker({ Heartbeat: heartbeatAnswer(16) });
    await using now = await startScriptedBroker({ Heartbeat: heartbeatAnswer(0) });
    await using seed = await startScriptedBroker({
      FindCoordinator: [coordinatorAnswer('g', node(3, old)), coordinatorAnswer('g', node(4, now))],
    });
    await using client = clientOf([seed.address]);
    expect((await client.request(heartbeat, request, { group: 'g' })).errorCode).toBe(0);
    expect([old.of('Heartbeat').length, now.of('Heartbeat').length]).toEqual([1, 1]);
    expect(seed.of('FindCoordinator')).toHaveLength(2);
  });

  test('that died between two requests, so that connecting fails, is looked up again', async () => {
    const old = await startScriptedBroker({ Heartbeat: heartbeatAnswer(0) });
    await using now = await startScriptedBroker({ Heartbeat: heartbeatAnswer(0) });
    await using seed = await startScriptedBroker({
      Metadata: nobody,
      FindCoordinator: [coordinatorAnswer('g', node(3, old)), coordinatorAnswer('g', node(4, now))],
    });
    await using client = clientOf([seed.address]);
    await client.request(heartbeat, request, { group: 'g' });
    await old.close();
    expect((await client.request(heartbeat, request, { group: 'g' })).errorCode).toBe(0);
    expect(now.of('Heartbeat')).toHaveLength(1);
  });

  test('that cuts the connection of a seed broker, whose id is unknown there, is looked up again', async () => {
    await using now = await startScriptedBroker({ Heartbeat: heartbeatAnswer(0) });
    const first: ScriptedBroker = await startScriptedBroker({
      Heartbeat: 'drop',
      FindCoordinator: ({ before }) => coordinatorAnswer('g', before === 0 ? node(1, first) : node(2, now)),
    });
    await using client = clientOf([first.address]);
    expect((await client.request(heartbeat, request, { group: 'g' })).errorCode).toBe(0);
    expect([first.of('Heartbeat').length, now.of('Heartbeat').length]).toEqual([1, 1]);
    await first.close();
  });

  test('answers other requests while it holds a JoinGroup', async () => {
    await using coordinator = await startScriptedBroker({ Heartbeat: heartbeatAnswer(0), JoinGroup: 'silent' });
    await using seed = await startScriptedBroker({ Metadata: metadataAnswer({ brokers: [node(3, coordinator)] }) });
    await using client = clientOf([seed.address]);
    await client.metadata([]);
    // Both connect at the same time.
    const joining = failureOf(client.requestOnce(joinGroup, joinRequest, { node: 3 }));
    expect((await client.request(heartbeat, request, { node: 3 })).errorCode).toBe(0);
    await expect.poll(() => coordinator.of('JoinGroup').length).toBe(1);
    expect(coordinator.of('Heartbeat')[0]?.connection).not.toBe(coordinator.of('JoinGroup')[0]?.connection);
    client.close();
    expect(await joining).toMatchObject({ code: 'CLOSED' });
  });

  test('that does not exist yet is waited for by the retry rule', async () => {
    await using coordinator = await startScriptedBroker({ Heartbeat: heartbeatAnswer(0) });
    const there = coordinatorAnswer('g', node(3, coordinator));
    const nowhere = coordinatorAnswer('g', { id: -1, host: '', port: -1 }, 15);
    await using seed = await startScriptedBroker({ FindCoordinator: [nowhere, there] });
    await using client = clientOf([seed.address]);
    expect((await client.request(heartbeat, request, { group: 'g' })).errorCode).toBe(0);
  });

  test('that the user may not look up is an authorization error, tried once', async () => {
    const forbidden = coordinatorAnswer('g', { id: -1, host: '', port: -1 }, 30);
    await using seed = await startScriptedBroker({ FindCoordinator: forbidden });
    await using client = clientOf([seed.address]);
    const error = await failureOf(client.request(heartbeat, request, { group: 'g' }));
    expect(error.message).toContain('unable to find the coordinator of group "g": GROUP_AUTHORIZATION_FAILED');
    expect(error.exitCode).toBe(4);
    expect(seed.of('FindCoordinator')).toHaveLength(1);
  });
});

test('a cluster without a controller is asked again', async () => {
  await using controller = await startScriptedBroker({ Heartbeat: heartbeatAnswer(0) });
  const brokers = [node(1, controller)];
  await using seed = await startScriptedBroker({
    Metadata: [metadataAnswer({ brokers, controller: -1 }), metadataAnswer({ brokers, controller: 1 })],
  });
  await using client = clientOf([seed.address]);
  await client.request(heartbeat, request, 'controller');
  expect(seed.of('Metadata')).toHaveLength(2);
});
