import { CliError, exitCodes } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { describeProducers } from './producers.ts';
import type {
  DescribedTransactionRow,
  FindHangingCall,
  HangingTransaction,
  ListedTransaction,
  OpenTransaction,
  Producer,
} from './transaction-rows.ts';
import { checkComplete, describeTransactions, listTransactions } from './transactions.ts';

/** A transaction that a partition considers open. */
type OpenProducer = Producer & {
  readonly partition: number;
  readonly producer_id: bigint;
  readonly producer_epoch: number;
  readonly coordinator_epoch: number;
  readonly last_timestamp: bigint;
  readonly transaction_start_offset: bigint;
};

/**
 * Finds hanging transactions, with the rules of Kafka's own tool (KIP-664).
 * @throws CliError when a coordinator cannot be asked, which makes it impossible to tell
 */
export async function findHanging(client: Client, call: FindHangingCall): Promise<HangingTransaction[]> {
  const isRedpanda = (await client.isRedpanda()) === true;
  const described = await describeProducers(client, call);
  const producers = described.filter(({ topic }) => !isRedpanda || topic !== groupTopic);
  const now = BigInt(client.options.deadline.clock.wallTime());
  const all = producers.filter(isOpen);
  const open = all.filter((one) => now - one.last_timestamp > call.olderThanMs);
  const ids = [...new Set(all.map(({ producer_id: id }) => id))];
  const listed = ids.length === 0 ? [] : await listTransactions(client, everyState, ids);
  checkComplete(listed);
  if (isRedpanda) checkKnown(open, listed);
  const transactionIds = listed.flatMap(({ transaction_id: id }) => id ?? []);
  const transactions = transactionIds.length === 0 ? [] : await describeTransactions(client, transactionIds);
  const hanging = hangingOf(open, listed, transactions).map(
    ([one, transactionId]): HangingTransaction => ({
      topic: one.topic,
      partition: one.partition,
      producer_id: one.producer_id,
      producer_epoch: one.producer_epoch,
      coordinator_epoch: one.coordinator_epoch,
      start_offset: one.transaction_start_offset,
      last_timestamp: one.last_timestamp,
      duration: now - one.last_timestamp,
      transaction_id: transactionId,
      error: null,
    }),
  );
  for (const one of all) {
    if (open.includes(one)) continue;
    const transactionalId = listed.find((row) => row.producer_id === one.producer_id)?.transaction_id ?? null;
    const { topic, partition, transaction_start_offset: startOffset } = one;
    call.onYounger({ topic, partition, startOffset, ageMs: Number(now - one.last_timestamp), transactionalId });
  }
  return [...hanging, ...producers.filter(({ error }) => error !== null).map(failedRow)];
}

/**
 * @throws CliError if Redpanda lists no transaction of a producer. A broker that has no replica of any partition of the
 * transaction log lists nothing, without an error (`cluster/tx_gateway_frontend.cc`), so the producer may have one.
 */
function checkKnown(open: readonly OpenProducer[], listed: readonly ListedTransaction[]): void {
  const known = new Set(listed.map(({ producer_id: id }) => id));
  const unknown = open.find((one) => !known.has(one.producer_id));
  if (unknown === undefined) return;
  const { producer_id: id, topic, partition } = unknown;
  const what = `the transaction of producer ${id} on topic "${topic}" partition ${partition} hangs`;
  throw new CliError(
    exitCodes.failure,
    `unable to tell whether ${what}: brokers of Redpanda do not list all transactions`,
    {
      code: 'TRANSACTIONS_NOT_LISTED',
      target: topic,
      hints: ['Redpanda aborts a transaction itself when its timeout is over'],
    },
  );
}

/**
 * Where transactions write the offsets of groups. Redpanda reports those that are open there, but not as a part of their
 * transaction (26: src/v/kafka/server/handlers/describe_producers.cc:96 and describe_transactions.cc:48).
 */
const groupTopic = '__consumer_offsets';

const everyState = { states: [], longerThanMs: undefined };

function isOpen(row: Producer): row is OpenProducer {
  return row.transaction_start_offset !== null && row.transaction_start_offset >= 0n;
}

/**
 * The open transactions that hang: no coordinator knows the producer, or its coordinator does not have the partition
 * in the transaction. A transactional id that cannot be described proves nothing.
 */
export function hangingOf<Open extends Pick<OpenProducer, 'topic' | 'partition' | 'producer_id'>>(
  open: readonly Open[],
  listed: readonly ListedTransaction[],
  described: readonly DescribedTransactionRow[],
): (readonly [open: Open, transactionId: string | null])[] {
  const idsByProducer = new Map(listed.map(({ producer_id: producer, transaction_id: id }) => [producer, id]));
  const byId = new Map(described.map((row) => [row.transaction_id, row]));
  return open
    .map((one) => [one, idsByProducer.get(one.producer_id) ?? null] as const)
    .filter(([{ topic, partition }, id]) => {
      if (id === null) return true;
      const transaction = byId.get(id);
      if (transaction === undefined || transaction.error !== null) return false;
      return !transaction.partitions.some((item) => item.topic === topic && item.partition === partition);
    });
}

function failedRow({ topic, partition, error }: Producer): HangingTransaction {
  return {
    topic,
    partition,
    producer_id: null,
    producer_epoch: null,
    coordinator_epoch: null,
    start_offset: null,
    last_timestamp: null,
    duration: null,
    transaction_id: null,
    error,
  };
}

/** Finds the open transactions of a partition. @throws CliError when its producers cannot be read */
export async function findOpenTransactions(
  client: Client,
  topic: string,
  partition: number,
): Promise<OpenTransaction[]> {
  const producers = await describeProducers(client, { topics: [topic], partitions: [partition] });
  const failed = producers.find(({ error }) => error !== null);
  if (failed?.error) {
    const { code, message, retryable, exit_code: exitCode } = failed.error;
    const what = `unable to describe the producers of topic "${topic}" partition ${partition}`;
    throw new CliError(exitCode, `${what}: ${code}: ${message}`, { code, retryable, target: topic });
  }
  const open = producers.filter(isOpen);
  const ids = open.map(({ producer_id: id }) => id);
  const listed = ids.length === 0 ? [] : await listTransactions(client, everyState, ids);
  return open.map((one) => {
    const { transaction_id: transactionalId, state } = listed.find((row) => row.producer_id === one.producer_id) ?? {};
    return {
      topic,
      partition,
      producerId: one.producer_id,
      producerEpoch: one.producer_epoch,
      // A producer that no coordinator has served has no epoch of one; Kafka's tool sends 0, too.
      coordinatorEpoch: Math.max(0, one.coordinator_epoch),
      startOffset: one.transaction_start_offset,
      lastTimestamp: one.last_timestamp,
      known: typeof transactionalId === 'string' ? { transactionalId, state: state ?? '' } : null,
    };
  });
}
