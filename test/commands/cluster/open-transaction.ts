import { realClock } from '../../../src/clock.ts';
import { addPartitionsToTxn } from '../../../src/kafka/protocol/wire/apis/add-partitions-to-txn.ts';
import { findCoordinator } from '../../../src/kafka/protocol/wire/apis/find-coordinator.ts';
import { initProducerId } from '../../../src/kafka/protocol/wire/apis/init-producer-id.ts';
import { batchOf } from '../../sandbox/broker/batches.ts';
import type { RawClient } from '../../sandbox/broker/client.ts';
import { services } from '../../services/services.ts';
import { append, connectReal } from '../../simulation/sides.ts';

/**
 * Answers of a coordinator that is starting, or is ending the producer's last transaction, and of a broker that does
 * not lead a new partition yet.
 */
const busy: ReadonlySet<number | undefined> = new Set([3, 6, 14, 15, 16, 51]);

/** The identity of a producer with an open transaction. */
export interface TransactionalProducer {
  /** As JSON has it: a new Kafka assigns small ids. */
  readonly producerId: number;
  readonly epoch: number;
}

/**
 * Opens a transaction with one record on a partition of a topic, and leaves it open. An open transaction of the same id
 * is aborted.
 */
export async function openTransaction(
  id: string,
  topic: string,
  partition = 0,
  broker = services().plaintext,
): Promise<TransactionalProducer> {
  const client = await connectReal(broker);
  try {
    const { producerId, producerEpoch } = await identityOf(client, id);
    await untilFree(async () => {
      const request = {
        v3AndBelowTransactionalId: id,
        v3AndBelowProducerId: producerId,
        v3AndBelowProducerEpoch: producerEpoch,
        v3AndBelowTopics: [{ name: topic, partitions: [partition] }],
      };
      const answer = await client.ask(addPartitionsToTxn, request, 3);
      const [added] = answer.resultsByTopicV3AndBelow[0]?.resultsByPartition ?? [];
      return added && { errorCode: added.partitionErrorCode };
    });
    const batch = batchOf({
      ...{ values: ['a'], timestamps: [BigInt(Date.now())], producerId, epoch: producerEpoch, sequence: 0 },
      isTransactional: true,
    });
    await untilFree(() => append(client, topic, batch, { transactionalId: id, partition }));
    return { producerId: Number(producerId), epoch: producerEpoch };
  } finally {
    client.close();
  }
}

async function identityOf(client: RawClient, id: string) {
  await untilFree(
    async () => (await client.ask(findCoordinator, { keyType: 1, coordinatorKeys: [id] }, 4)).coordinators[0],
  );
  const request = { transactionalId: id, transactionTimeoutMs: 600_000, producerId: -1n, producerEpoch: -1 };
  return untilFree(() => client.ask(initProducerId, request, 4));
}

/** Repeats a request until the broker is ready; such answers mean that nothing was done. */
async function untilFree<T extends { readonly errorCode: number }>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer?.errorCode === 0) return answer;
    if (!busy.has(answer?.errorCode)) throw new Error(`error ${answer?.errorCode}`);
    await realClock.sleep(5);
  }
}
