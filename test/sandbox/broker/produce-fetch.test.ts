import { expect, test } from 'vitest';
import { fetch } from '../../../src/kafka/protocol/wire/apis/fetch.ts';
import { produce } from '../../../src/kafka/protocol/wire/apis/produce.ts';
import type { Settings } from '../../../src/sandbox/broker/settings.ts';
import { createVirtualClock } from '../../simulation/virtual-clock.ts';
import { batchOf } from './batches.ts';
import { type RawClient, rawClient } from './client.ts';
import { createModelCluster } from './control.ts';

function clusterOf(brokers: number, settings: Partial<Settings> = {}) {
  const clock = createVirtualClock(1);
  const cluster = createModelCluster({
    clock,
    brokers: Array.from({ length: brokers }, (_broker, index) => ({
      id: index + 1,
      host: `b${index + 1}`,
      port: 9092,
    })),
    settings,
  });
  return { clock, cluster, control: cluster.control };
}

const send = async (client: RawClient, records: Buffer, acks = -1, timeoutMs = 1_000) => {
  const answer = await client.ask(
    produce,
    { acks, timeoutMs, topicData: [{ name: 't', partitionData: [{ index: 0, records }] }] },
    12,
  );
  const { errorCode, baseOffset } = answer.responses[0]?.partitionResponses[0] ?? { errorCode: -2, baseOffset: -2 };
  return errorCode === 0 ? Number(baseOffset) : `error ${errorCode}`;
};

const read = async (client: RawClient, offset: number, more: { maxWaitMs?: number; epoch?: number } = {}) => {
  const answer = await client.ask(
    fetch,
    {
      maxWaitMs: more.maxWaitMs ?? 0,
      minBytes: 1,
      maxBytes: 1_000_000,
      isolationLevel: 0,
      topics: [
        {
          topic: 't',
          partitions: [
            { partition: 0, fetchOffset: offset, partitionMaxBytes: 100_000, currentLeaderEpoch: more.epoch ?? -1 },
          ],
        },
      ],
    },
    12,
  );
  const [partition] = answer.responses[0]?.partitions ?? [];
  return {
    code: partition?.errorCode,
    highWatermark: Number(partition?.highWatermark),
    size: partition?.records?.length,
  };
};

test('records are committed, and readable, only when every replica in the ISR has them', async () => {
  const { clock, control, cluster } = clusterOf(3, { replicationDelayMs: 50 });
  control.createTopic({ name: 't', replicas: 3 });
  const leader = rawClient(cluster, control.partition('t', 0).leader);
  expect(await send(leader, batchOf({ values: ['a', 'b'] }), 1)).toBe(0);
  expect(await read(leader, 0)).toEqual({ code: 0, highWatermark: 0, size: 0 });
  const acked = send(leader, batchOf({ values: ['c'] }), -1);
  const waited = await clock.runUntil(acked);
  expect([waited, clock.now()]).toEqual([2, 50]);
  expect(control.partition('t', 0)).toMatchObject({ highWatermark: 3, endOffset: 3, isr: [1, 2, 3] });
  expect(control.log('t', 0).map(({ offset, value }) => `${offset}${value}`)).toEqual(['0a', '1b', '2c']);
  await clock.runUntilIdle();
  expect([clock.pending, control.defects]).toEqual([0, []]);
});

test('acks=0 is never answered: a failure closes the connection', async () => {
  const { control, cluster } = clusterOf(1);
  control.createTopic({ name: 't' });
  const client = rawClient(cluster, 1);
  control.fault({ api: 'Produce', action: { kind: 'refuse', code: 6 } });
  await expect(send(client, batchOf({ values: ['a'] }), 0)).rejects.toThrow('the connection was closed');
  expect(client.unexpected).toEqual([]);
  expect(control.partition('t', 0)).toMatchObject({ endOffset: 0 });
});

test('acks=all times out after the append while a follower is held, and fails below min.insync.replicas', async () => {
  const { clock, control, cluster } = clusterOf(2, { replicaLagTimeMs: 5_000 });
  control.createTopic({ name: 't', replicas: 2, configs: { 'min.insync.replicas': '2' } });
  const { leader } = control.partition('t', 0);
  const client = rawClient(cluster, leader);
  control.holdReplication('t', 0, 3 - leader);
  expect(await clock.runUntil(send(client, batchOf({ values: ['a'] })))).toBe('error 7');
  expect(control.partition('t', 0)).toMatchObject({ highWatermark: 0, endOffset: 1 });
  const caught = send(rawClient(cluster, leader), batchOf({ values: ['b'] }), -1, 60_000);
  await clock.runFor(5_000);
  expect(control.partition('t', 0).isr).toEqual([leader]);
  expect(await send(client, batchOf({ values: ['c'] }))).toBe('error 19');
  expect(await send(client, batchOf({ values: ['d'] }), 1)).toBe(2);
  control.releaseReplication('t', 0, 3 - leader);
  expect(await clock.runUntil(caught)).toBe(1);
  expect(control.partition('t', 0)).toMatchObject({ highWatermark: 3, isr: [1, 2] });
});

test('a leader that dies with unreplicated records loses them, and its log is truncated when it returns', async () => {
  const { clock, control, cluster } = clusterOf(2, { failoverDelayMs: 300, replicationDelayMs: 20 });
  control.createTopic({ name: 't', replicas: 2 });
  const { leader } = control.partition('t', 0);
  const other = 3 - leader;
  const first = rawClient(cluster, leader);
  expect(await clock.runUntil(send(first, batchOf({ values: ['a'] })))).toBe(0);
  await clock.runUntilIdle();
  expect(await send(first, batchOf({ values: ['lost'] }), 1)).toBe(1);
  control.kill(leader);
  expect([first.isClosed, cluster.connect(leader, { send: () => {}, close: () => {} })]).toEqual([true, undefined]);
  const second = rawClient(cluster, other);
  expect(await send(second, batchOf({ values: ['early'] }))).toBe('error 6');
  await clock.runFor(300);
  expect(control.partition('t', 0)).toMatchObject({ leader: other, leaderEpoch: 1, isr: [other] });
  expect(await send(second, batchOf({ values: ['b'] }))).toBe(1);
  control.start(leader);
  await clock.runUntilIdle();
  expect(control.partition('t', 0)).toMatchObject({ isr: [1, 2], highWatermark: 2 });
  control.moveLeader('t', 0, leader);
  // Committed records stay committed, although no follower has fetched from the new leader yet.
  expect(control.partition('t', 0).highWatermark).toBe(2);
  await clock.runUntilIdle();
  expect(control.log('t', 0).map(({ value }) => String(value))).toEqual(['a', 'b']);
  expect(await read(second, 0, { epoch: 1 })).toMatchObject({ code: 74 });
  expect(await read(second, 0, { epoch: 3 })).toMatchObject({ code: 75 });
  expect(control.defects).toEqual([]);
});

test('an unclean election loses committed records and only happens when it is requested', async () => {
  const { clock, control, cluster } = clusterOf(2, { failoverDelayMs: 10, replicaLagTimeMs: 100 });
  control.createTopic({ name: 't', replicas: 2 });
  const { leader } = control.partition('t', 0);
  const client = rawClient(cluster, leader);
  control.holdReplication('t', 0, 3 - leader);
  await send(client, batchOf({ values: ['a'] }), 1);
  await clock.runFor(200);
  control.kill(leader);
  await clock.runFor(200);
  expect(control.partition('t', 0)).toMatchObject({ leader: -1, isr: [leader] });
  control.electUnclean('t', 0);
  expect(control.partition('t', 0)).toMatchObject({ leader: 3 - leader, endOffset: 0 });
});

test('a fetch waits for records and returns when they arrive', async () => {
  const { clock, control, cluster } = clusterOf(1);
  control.createTopic({ name: 't' });
  const reader = rawClient(cluster, 1);
  const writer = rawClient(cluster, 1);
  const early = read(reader, 0, { maxWaitMs: 500 });
  await clock.runFor(100);
  await send(writer, batchOf({ values: ['a'] }), 1);
  expect(await clock.runUntil(early)).toMatchObject({ code: 0, highWatermark: 1 });
  expect(clock.now()).toBe(100);
  const late = read(reader, 1, { maxWaitMs: 500 });
  expect(await clock.runUntil(late)).toEqual({ code: 0, highWatermark: 1, size: 0 });
  expect(clock.now()).toBe(600);
  expect(await read(reader, 2)).toMatchObject({ code: 1 });
  const gone = read(reader, 1, { maxWaitMs: 500 });
  await clock.settle();
  reader.close();
  await expect(gone).rejects.toThrow('closed');
  expect(clock.pending).toBe(0);
});

test('a throttling broker answers immediately and then ignores the client for the throttle time', async () => {
  const { clock, control, cluster } = clusterOf(1);
  control.createTopic({ name: 't' });
  control.throttle([{ api: 'Produce', milliseconds: 400 }]);
  const client = rawClient(cluster, 1);
  expect(await send(client, batchOf({ values: ['a'] }), 1)).toBe(0);
  await clock.runUntil(send(client, batchOf({ values: ['b'] }), 1));
  expect(clock.now()).toBe(400);
});
