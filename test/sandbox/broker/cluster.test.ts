import { expect, test } from 'vitest';
import { addPartitionsToTxn } from '../../../src/kafka/protocol/wire/apis/add-partitions-to-txn.ts';
import { alterPartitionReassignments } from '../../../src/kafka/protocol/wire/apis/alter-partition-reassignments.ts';
import { endTxn } from '../../../src/kafka/protocol/wire/apis/end-txn.ts';
import { fetch } from '../../../src/kafka/protocol/wire/apis/fetch.ts';
import { findCoordinator } from '../../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { initProducerId } from '../../../src/kafka/protocol/wire/apis/init-producer-id.ts';
import { listPartitionReassignments } from '../../../src/kafka/protocol/wire/apis/list-partition-reassignments.ts';
import { metadata } from '../../../src/kafka/protocol/wire/apis/metadata.ts';
import { produce } from '../../../src/kafka/protocol/wire/apis/produce.ts';
import { defaultSettings, type Settings } from '../../../src/sandbox/broker/settings.ts';
import { startProcessorTime } from '../../processor-time.ts';
import { createVirtualClock, type VirtualClock } from '../../simulation/virtual-clock.ts';
import { batchOf } from './batches.ts';
import { type RawClient, rawClient } from './client.ts';
import { createModelCluster, type ModelCluster } from './control.ts';

function clusterOf(settings: Partial<Settings> = {}, seed = 1): { clock: VirtualClock; cluster: ModelCluster } {
  const clock = createVirtualClock(seed);
  const brokers = [1, 2, 3].map((id) => ({ id, host: `b${id}`, port: 9092, rack: `r${id}` }));
  return { clock, cluster: createModelCluster({ clock, brokers, settings }) };
}

const send = (client: RawClient, records: Buffer, transactionalId?: string) =>
  client.ask(
    produce,
    { transactionalId, acks: -1, timeoutMs: 1_000, topicData: [{ name: 't', partitionData: [{ index: 0, records }] }] },
    11,
  );

const read = async (client: RawClient, what: { offset?: number; rack?: string; committed?: boolean } = {}) => {
  const partitions = [{ partition: 0, fetchOffset: what.offset ?? 0, partitionMaxBytes: 10_000 }];
  const answer = await client.ask(
    fetch,
    {
      maxWaitMs: 0,
      minBytes: 0,
      maxBytes: 10_000,
      isolationLevel: what.committed === true ? 1 : 0,
      topics: [{ topic: 't', partitions }],
      rackId: what.rack ?? '',
    },
    12,
  );
  return answer.responses[0]?.partitions[0];
};

test('each broker reports a metadata change after its own delay', async () => {
  const { clock, cluster } = clusterOf({ metadataDelayMs: 10 });
  cluster.control.setMetadataDelay(2, 500);
  await clock.runUntilIdle();
  cluster.control.createTopic({ name: 't', replicas: 3 });
  const told = async (broker: number) =>
    (await rawClient(cluster, broker).ask(metadata, { topics: undefined })).topics.map(({ name }) => name);
  await clock.runFor(10);
  expect([await told(1), await told(2)]).toEqual([['t'], []]);
  await clock.runFor(500);
  expect(await told(2)).toEqual(['t']);
  cluster.control.kill(1);
  await clock.runUntilIdle();
  const { brokers, topics, controllerId } = await rawClient(cluster, 2).ask(metadata, { topics: undefined });
  expect(brokers.map(({ nodeId }) => nodeId)).toEqual([2, 3]);
  expect([topics[0]?.partitions[0]?.leaderId, topics[0]?.partitions[0]?.offlineReplicas, controllerId]).toEqual([
    2,
    [1],
    2,
  ]);
});

test("the time of a canceled move does not end the partition's next one", async () => {
  const { clock, cluster } = clusterOf({
    flavour: 'redpanda',
    redpanda: { ...defaultSettings.redpanda, moveMs: 1_000 },
  });
  cluster.control.createTopic({ name: 't', replicas: 1 });
  await clock.runFor(10);
  const client = rawClient(cluster, 1);
  const others = [1, 2, 3].filter((id) => !cluster.control.partition('t', 0).replicas.includes(id));
  const move = async (replicas: readonly number[] | undefined) => {
    const topics = [{ name: 't', partitions: [{ partitionIndex: 0, replicas }] }];
    const answer = await client.ask(alterPartitionReassignments, { timeoutMs: 1_000, topics }, 0);
    expect(answer.responses[0]?.partitions).toMatchObject([{ errorCode: 0 }]);
  };
  const moving = async () =>
    (await client.ask(listPartitionReassignments, { timeoutMs: 1_000, topics: undefined }, 0)).topics;
  await move(others.slice(0, 1));
  await clock.runFor(500);
  await move(undefined);
  await move(others.slice(1));
  await clock.runFor(600);
  expect(await moving()).toHaveLength(1);
  await clock.runFor(500);
  expect(await moving()).toEqual([]);
});

test('a consumer is redirected to the replica in its rack, which serves records up to its high watermark', async () => {
  const { clock, cluster } = clusterOf({ rackAware: true, replicationDelayMs: 50 });
  cluster.control.createTopic({ name: 't', replicas: 3 });
  const leader = rawClient(cluster, 1);
  await clock.runUntil(send(leader, batchOf({ values: ['a'] })));
  expect(await read(leader, { rack: 'r2' })).toMatchObject({ preferredReadReplica: 2 });
  expect(await read(leader, { rack: 'r1' })).toMatchObject({ preferredReadReplica: -1 });
  const follower = rawClient(cluster, 2);
  expect(await read(follower)).toMatchObject({ errorCode: 0, highWatermark: 0n });
  await clock.runUntilIdle();
  expect(await read(follower)).toMatchObject({ errorCode: 0, highWatermark: 1n });
  expect((await read(follower))?.records?.length).toBeGreaterThan(0);
});

async function transaction(clock: VirtualClock, cluster: ModelCluster, id: string) {
  const any = rawClient(cluster, 2);
  let broker = -1;
  while (broker < 0) {
    const { coordinators } = await any.ask(findCoordinator, { keyType: 1, coordinatorKeys: [id] });
    broker = coordinators[0]?.nodeId ?? -1;
    await clock.runFor(10);
  }
  const client = rawClient(cluster, broker);
  const init = { transactionalId: id, transactionTimeoutMs: 5_000 };
  const { producerId, producerEpoch } = await client.ask(initProducerId, init);
  const own = { transactionalId: id, producerId, producerEpoch };
  await client.ask(addPartitionsToTxn, {
    v3AndBelowTransactionalId: id,
    v3AndBelowProducerId: producerId,
    v3AndBelowProducerEpoch: producerEpoch,
    v3AndBelowTopics: [{ name: 't', partitions: [0] }],
  });
  const batch = (sequence: number) =>
    batchOf({ values: ['v'], producerId, epoch: producerEpoch, sequence, isTransactional: true });
  return { broker, client, own, batch };
}

test('a transaction survives its coordinator and is ended by the next one', async () => {
  const { clock, cluster } = clusterOf({ coordinatorLoadMs: 100, failoverDelayMs: 50 });
  cluster.control.createTopic({ name: 't', replicas: 3 });
  const { broker, own, batch } = await transaction(clock, cluster, 'x');
  const { leader } = cluster.control.partition('t', 0);
  await clock.runUntil(send(rawClient(cluster, leader), batch(0), 'x'));
  cluster.control.stop(broker);
  await clock.runFor(1);
  const next = cluster.control.coordinatorOf('transaction', 'x') ?? -1;
  expect(next).not.toBe(broker);
  const client = rawClient(cluster, next);
  expect(await client.ask(endTxn, { ...own, committed: true })).toMatchObject({ errorCode: 14 });
  await clock.runFor(100);
  expect(await client.ask(endTxn, { ...own, committed: true })).toMatchObject({ errorCode: 0 });
  await clock.runUntilIdle();
  const log = cluster.control.log('t', 0);
  expect(log.map(({ isControl, isAborted }) => [isControl, isAborted])).toEqual([
    [false, false],
    [true, false],
  ]);
  expect([clock.pending, cluster.control.defects]).toEqual([0, []]);
});

test('a transaction that is never ended is aborted after its timeout', async () => {
  const { clock, cluster } = clusterOf();
  cluster.control.createTopic({ name: 't', replicas: 3 });
  const { batch } = await transaction(clock, cluster, 'x');
  const leader = rawClient(cluster, 1);
  await clock.runUntil(send(leader, batch(0), 'x'));
  expect(await read(leader, { committed: true })).toMatchObject({ lastStableOffset: 0n });
  await clock.runUntilIdle();
  expect(await read(leader, { committed: true })).toMatchObject({
    lastStableOffset: 2n,
    abortedTransactions: [{ firstOffset: 0n }],
  });
  expect(cluster.control.log('t', 0).map(({ isAborted }) => isAborted)).toEqual([true, false]);
});

test('an expired producer may start with any sequence, and its earlier duplicates are not detected', async () => {
  const { clock, cluster } = clusterOf();
  cluster.control.createTopic({ name: 't' });
  const leader = rawClient(cluster, 1);
  const write = async (sequence: number) => {
    // Kafka numbers producers from 0.
    const answer = await clock.runUntil(send(leader, batchOf({ values: ['v'], producerId: 0n, epoch: 0, sequence })));
    const [one] = answer.responses[0]?.partitionResponses ?? [];
    return [one?.errorCode, Number(one?.baseOffset)];
  };
  expect([await write(0), await write(1), await write(1), await write(3)]).toEqual([
    [0, 0],
    [0, 1],
    [0, 1],
    [45, -1],
  ]);
  cluster.control.expireProducers('t', 0);
  expect([await write(1), await write(1), await write(0)]).toEqual([
    [0, 2],
    [0, 2],
    [45, -1],
  ]);
});

test('the next leader knows the producer state, which is truncated together with the records', async () => {
  const { clock, cluster } = clusterOf({ failoverDelayMs: 10 });
  const { control } = cluster;
  control.createTopic({ name: 't', replicas: 2 });
  const batch = (sequence: number) => batchOf({ values: ['v'], producerId: 9n, epoch: 0, sequence });
  const base = async (broker: number, sequence: number) =>
    (await clock.runUntil(send(rawClient(cluster, broker), batch(sequence)))).responses[0]?.partitionResponses[0];
  await base(1, 0);
  await clock.runUntilIdle();
  control.holdReplication('t', 0, 2);
  expect(await base(1, 1)).toMatchObject({ errorCode: 7 });
  control.kill(1);
  await clock.runUntilIdle();
  expect(await base(2, 0)).toMatchObject({ errorCode: 0, baseOffset: 0n });
  expect(await base(2, 1)).toMatchObject({ errorCode: 0, baseOffset: 1n });
  control.start(1);
  control.releaseReplication('t', 0, 2);
  await clock.runUntilIdle();
  control.moveLeader('t', 0, 1);
  expect(await base(1, 1)).toMatchObject({ errorCode: 0, baseOffset: 1n });
  expect(await base(1, 2)).toMatchObject({ errorCode: 0, baseOffset: 2n });
});

test('a seed always produces the same bytes', async () => {
  const run = async (seed: number): Promise<string> => {
    const { clock, cluster } = clusterOf({ autoCreateTopics: true, partitions: 2, replicas: 2 }, seed);
    const client = rawClient(cluster, 1);
    await client.ask(metadata, { topics: [{ name: 'auto' }] });
    await clock.runFor(10);
    return JSON.stringify(await client.ask(metadata, { topics: [{ name: 'auto' }] }));
  };
  expect(await run(3)).toBe(await run(3));
  expect(await run(3)).not.toBe(await run(4));
});

test('twenty thousand small requests do not get slower as the log grows', async () => {
  const { cluster } = clusterOf();
  cluster.control.createTopic({ name: 't' });
  const client = rawClient(cluster, 1);
  const taken = startProcessorTime();
  for (let round = 0; round < 10_000; round += 1) {
    await client.ask(
      produce,
      {
        acks: 1,
        timeoutMs: 1,
        topicData: [{ name: 't', partitionData: [{ index: 0, records: batchOf({ values: ['v'] }) }] }],
      },
      11,
    );
    await read(client, { offset: round });
  }
  // The limit is generous, because this tests growth with the log, not speed.
  expect(taken()).toBeLessThan(15_000);
});
