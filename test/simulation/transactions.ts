import { addPartitionsToTxn } from '../../src/kafka/protocol/wire/apis/add-partitions-to-txn.ts';
import { endTxn } from '../../src/kafka/protocol/wire/apis/end-txn.ts';
import { findCoordinator } from '../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { initProducerId } from '../../src/kafka/protocol/wire/apis/init-producer-id.ts';
import { produce } from '../../src/kafka/protocol/wire/apis/produce.ts';
import { batchOf } from '../sandbox/broker/batches.ts';
import { type RawClient, rawClient } from '../sandbox/broker/client.ts';
import { partitionsOf, type World } from './world.ts';

/** The plan for writing transactions. */
export interface TransactionPlan {
  readonly topic: string;
  readonly count: number;
  /** The prefix of the producer names. */
  readonly prefix: string;
}

interface Writing {
  readonly world: World;
  readonly topic: string;
}

/** A transactional producer. */
interface Producer {
  readonly name: string;
  readonly producerId: bigint;
  readonly producerEpoch: number;
  /** The next sequence number by partition. */
  readonly sequences: Map<number, number>;
}

/** The longest duration of a transaction, including the time that the coordinator needs to end it, in milliseconds. */
export const transactionMs = 12_000;
/** How long to wait for an answer, in milliseconds. */
const answerMs = 8_000;
/** How long a producer tries before it gives up, in milliseconds. */
const patienceMs = 60_000;

/**
 * Writes transactions of several producers concurrently, with interleaved records. Some transactions are aborted.
 * Producers connect to brokers directly, bypassing the network. Resolves when all are written or given up; never
 * rejects.
 */
export async function writeTransactions(world: World, { topic, count, prefix }: TransactionPlan): Promise<void> {
  const { clock } = world;
  const writing: Writing = { world, topic };
  const producers = 1 + Math.floor(clock.random() * 3);
  const run = async (index: number): Promise<void> => {
    const producer = await openProducer(writing, `${prefix}-${index}`);
    const own = Math.ceil((count - index) / producers);
    for (let number = 0; number < own; number += 1) {
      await clock.sleep(clock.random() * 20);
      await writeOne(writing, producer, number);
    }
  };
  const all = Array.from({ length: producers }, (_, index) =>
    run(index).catch((error: unknown) => world.tell(`${prefix}-${index} gives up: ${String(error)}`)),
  );
  await Promise.all(all);
  await clock.sleep(500);
}

async function openProducer({ world }: Writing, name: string): Promise<Producer> {
  const request = { transactionalId: name, transactionTimeoutMs: 10_000, producerId: -1n, producerEpoch: -1 };
  let found = { producerId: -1n, producerEpoch: -1 };
  await untilDone(
    world,
    () => coordinatorOf(world, name),
    async (coordinator) => {
      const answer = await coordinator.ask(initProducerId, request);
      found = answer;
      return answer.errorCode;
    },
  );
  return { name, ...found, sequences: new Map() };
}

async function writeOne(writing: Writing, producer: Producer, number: number): Promise<void> {
  const { world, topic } = writing;
  const { clock, cluster } = world;
  const { producerId, producerEpoch, name } = producer;
  const batches = 1 + Math.floor(clock.random() * 3);
  const ofProducer = { transactionalId: name, producerId, producerEpoch };
  const written: string[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const partition = Math.floor(clock.random() * partitionsOf(cluster, topic));
    const values = Array.from(
      { length: 1 + Math.floor(clock.random() * 4) },
      (_, index) => `${name}-${number}-${batch}-${index}`,
    );
    for (const value of values) world.undecided.add(value);
    written.push(...values);
    await untilDone(
      world,
      () => coordinatorOf(world, name),
      async (coordinator) => {
        const { resultsByTopicV3AndBelow: results } = await coordinator.ask(addPartitionsToTxn, {
          v3AndBelowTransactionalId: name,
          v3AndBelowProducerId: producerId,
          v3AndBelowProducerEpoch: producerEpoch,
          v3AndBelowTopics: [{ name: topic, partitions: [partition] }],
        });
        return results[0]?.resultsByPartition[0]?.partitionErrorCode ?? 0;
      },
    );
    await writeBatch(writing, producer, { partition, values });
    await clock.sleep(clock.random() * 20);
  }
  const committed = clock.random() < 0.5;
  if (committed) for (const value of written) world.undecided.delete(value);
  await untilDone(
    world,
    () => coordinatorOf(world, name),
    async (coordinator) => {
      const { errorCode } = await coordinator.ask(endTxn, { ...ofProducer, committed });
      return errorCode;
    },
  );
}

async function writeBatch(
  { world, topic }: Writing,
  { name, producerId, producerEpoch, sequences }: Producer,
  { partition, values }: { readonly partition: number; readonly values: readonly string[] },
): Promise<void> {
  const { control } = world.cluster;
  const sequence = sequences.get(partition) ?? 0;
  const records = batchOf({ values, producerId, epoch: producerEpoch, sequence, isTransactional: true });
  const topicData = [{ name: topic, partitionData: [{ index: partition, records }] }];
  const duplicate = 46;
  await untilDone(
    world,
    () => control.partition(topic, partition).leader,
    async (leader) => {
      const answer = await leader.ask(produce, { transactionalId: name, acks: -1, timeoutMs: 5_000, topicData }, 9);
      const code = answer.responses[0]?.partitionResponses[0]?.errorCode ?? 0;
      return code === duplicate ? 0 : code;
    },
  );
  sequences.set(partition, sequence + values.length);
}

/** Finds the coordinator; the first lookup makes the cluster create the topic for transactions. */
async function coordinatorOf({ cluster, brokers }: World, name: string): Promise<number | undefined> {
  const known = cluster.control.coordinatorOf('transaction', name);
  const asked = brokers.find(({ id }) => cluster.control.isUp(id));
  if (known !== undefined || asked === undefined) return known;
  const finder = rawClient(cluster, asked.id);
  await finder.ask(findCoordinator, { keyType: 1, coordinatorKeys: [name] }, 4);
  finder.close();
  return cluster.control.coordinatorOf('transaction', name);
}

/** Retries while the cluster is not ready. @throws Error when it refuses permanently or does not become ready */
async function untilDone(
  { clock, cluster }: World,
  whom: () => number | undefined | Promise<number | undefined>,
  attempt: (client: RawClient) => Promise<number>,
): Promise<void> {
  const refusals: ReadonlySet<number> = new Set([45, 47, 48, 49, 53, 59, 67, 90]);
  let last = -1;
  for (const until = clock.now() + patienceMs; clock.now() < until; await clock.sleep(50)) {
    const broker = await Promise.resolve(whom()).catch(() => undefined);
    if (broker === undefined || !cluster.control.isUp(broker)) continue;
    const client = rawClient(cluster, broker);
    // The broker may die before it answers, or never answer.
    last = await Promise.race([attempt(client).catch(() => -1), clock.sleep(answerMs).then(() => -1)]);
    client.close();
    if (last === 0) return;
    if (refusals.has(last)) break;
  }
  throw new Error(`the cluster answered ${last}`);
}
