import { addPartitionsToTxn } from '../../src/sandbox/broker/apis/add-partitions-to-txn.ts';
import { endTxn } from '../../src/sandbox/broker/apis/end-txn.ts';
import { findCoordinator } from '../../src/sandbox/broker/apis/find-coordinator.ts';
import { initProducerId } from '../../src/sandbox/broker/apis/init-producer-id.ts';
import { produce } from '../../src/sandbox/broker/apis/produce.ts';
import { batchOf } from '../sandbox/broker/batches.ts';
import { type RawClient, rawClient } from '../sandbox/broker/client.ts';
import type { World } from './world.ts';

/** A transactional producer as the cluster knows it. */
interface Producer {
  readonly name: string;
  readonly coordinator: RawClient;
  readonly producerId: number;
  readonly producerEpoch: number;
  /** The next sequence number, by partition. */
  readonly sequences: Map<number, number>;
}

/**
 * Writes transactions of a few producers, one after the other or at the same time, on a cluster that is well: what is
 * read afterwards is what counts. Some are aborted; the records of one producer lie between those of others.
 */
export async function writeTransactions(world: World, topic: string, count: number): Promise<void> {
  const { clock } = world;
  const producers: Producer[] = [];
  for (let index = 0; index < 1 + Math.floor(clock.random() * 3); index += 1) {
    producers.push(await openProducer(world, `tx-${index}`));
  }
  await Promise.all(
    producers.map(async (producer, index) => {
      const own = Math.ceil((count - index) / producers.length);
      for (let number = 0; number < own; number += 1) {
        await clock.sleep(clock.random() * 20);
        await writeOne(world, topic, { producer, number });
      }
    }),
  );
  for (const { coordinator } of producers) coordinator.close();
  await clock.sleep(200);
}

async function openProducer({ cluster, clock }: World, name: string): Promise<Producer> {
  for (;;) {
    // The first look makes the cluster create the topic that transactions are kept in.
    const finder = rawClient(cluster, 1);
    await finder.ask(findCoordinator, { keyType: 1, coordinatorKeys: [name] }, 4);
    finder.close();
    const node = cluster.control.coordinatorOf('transaction', name) ?? 1;
    const coordinator = rawClient(cluster, node);
    const request = { transactionalId: name, transactionTimeoutMs: 60_000, producerId: -1, producerEpoch: -1 };
    const { errorCode, producerId, producerEpoch } = await coordinator.ask(initProducerId, request);
    if (errorCode === 0) return { name, coordinator, producerId, producerEpoch, sequences: new Map() };
    coordinator.close();
    await clock.sleep(100);
  }
}

async function writeOne(
  world: World,
  topic: string,
  { producer, number }: { readonly producer: Producer; readonly number: number },
): Promise<void> {
  const { clock, cluster } = world;
  const { coordinator, producerId, producerEpoch, name } = producer;
  const partitions = partitionCount(world, topic);
  const batches = 1 + Math.floor(clock.random() * 3);
  for (let batch = 0; batch < batches; batch += 1) {
    const partition = Math.floor(clock.random() * partitions);
    const request = {
      transactionalId: name,
      producerId,
      producerEpoch,
      topics: [{ name: topic, partitions: [partition] }],
    };
    await untilDone(world, async () => {
      const { results } = await coordinator.ask(addPartitionsToTxn, request);
      return results[0]?.results[0]?.errorCode ?? 0;
    });
    const sequence = producer.sequences.get(partition) ?? 0;
    const size = 1 + Math.floor(clock.random() * 4);
    const values = Array.from({ length: size }, (_, index) => `${name}-${number}-${batch}-${index}`);
    const records = batchOf({ values, producerId, epoch: producerEpoch, sequence, isTransactional: true });
    const leader = rawClient(cluster, cluster.control.partition(topic, partition).leader);
    const topicData = [{ name: topic, partitionData: [{ index: partition, records }] }];
    await untilDone(world, async () => {
      const answer = await leader.ask(produce, { transactionalId: name, acks: -1, timeoutMs: 5_000, topicData }, 9);
      return answer.responses[0]?.partitionResponses[0]?.errorCode ?? 0;
    });
    leader.close();
    producer.sequences.set(partition, sequence + size);
    await clock.sleep(clock.random() * 20);
  }
  const committed = clock.random() < 0.5;
  await untilDone(world, async () => {
    const { errorCode } = await coordinator.ask(endTxn, {
      transactionalId: name,
      producerId,
      producerEpoch,
      committed,
    });
    return errorCode;
  });
}

function partitionCount({ cluster }: World, topic: string): number {
  let count = 0;
  for (;;) {
    try {
      cluster.control.partition(topic, count);
      count += 1;
    } catch {
      return count;
    }
  }
}

/** Asks again while the transaction before is still being ended. */
async function untilDone({ clock }: World, attempt: () => Promise<number>): Promise<void> {
  const concurrent = 51;
  for (;;) {
    const code = await attempt();
    if (code === 0) return;
    if (code !== concurrent) throw new Error(`a transaction was refused with ${code}`);
    await clock.sleep(20);
  }
}
