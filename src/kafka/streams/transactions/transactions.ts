import { CliError, exitCodes, type ItemError, usageError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { answered, itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import { describeTransactions as describeTransactionsApi } from '../../protocol/wire/apis/describe-transactions.ts';
import { listTransactions as listTransactionsApi } from '../../protocol/wire/apis/list-transactions.ts';
import { writeTxnMarkers } from '../../protocol/wire/apis/write-txn-markers.ts';
import type {
  AbortCall,
  DescribedTransactionRow,
  ListedTransaction,
  ListTransactionsCall,
} from './transaction-rows.ts';

/** Lists transactional ids with one request to every broker, sorted by id. */
export async function listTransactions(
  client: Client,
  call: ListTransactionsCall,
  producerIds: readonly bigint[] = [],
): Promise<ListedTransaction[]> {
  const { brokers } = await client.metadata([]);
  const question = listing(call, producerIds);
  const nodes = brokers.map(({ id }) => id);
  // Asked once: a broker that is down must not keep the answers of the others waiting.
  const all = await client.ask(question, nodes, 'once');
  const old = all.find(({ error }) => call.longerThanMs !== undefined && error?.code === 'UNSUPPORTED_VERSION');
  if (old !== undefined) throw cannotSelect(old.item);
  const outcomes = answered(all);
  const rows = outcomes.flatMap((outcome): ListedTransaction[] => {
    const { item: broker, row } = outcome;
    const error = itemErrorOf(outcome);
    if (error !== null) return [{ broker, transaction_id: null, producer_id: null, state: null, error }];
    const [unknown] = row?.unknownStateFilters ?? [];
    if (unknown !== undefined) throw usageError(`broker ${broker} does not know the transaction state "${unknown}"`);
    return (row?.transactionStates ?? []).map(({ transactionalId, producerId, transactionState: state }) => {
      return { broker, transaction_id: transactionalId, producer_id: producerId, state, error };
    });
  });
  return rows.sort((a, b) => compare(a.transaction_id, b.transaction_id) || a.broker - b.broker);
}

function cannotSelect(broker: number): Error {
  const message = `unable to select transactions by age: broker ${broker} does not support it`;
  return new CliError(exitCodes.failure, message, {
    code: 'UNSUPPORTED_VERSION',
    hints: ['list the transactions without --older-than'],
  });
}

function listing({ states, longerThanMs }: ListTransactionsCall, producerIds: readonly bigint[]) {
  // Version 0 cannot select by age: its answer would be taken for a selection.
  const min = longerThanMs === undefined ? listTransactionsApi.min : 1;
  return questionOf({
    api: { ...listTransactionsApi, min },
    what: (broker: number) => `list the transactions of broker ${broker}`,
    target: (node: number) => ({ node }),
    // Each broker is asked about itself only.
    keyOf: () => '',
    request: () => ({ stateFilters: states, producerIdFilters: producerIds, durationFilter: longerThanMs ?? -1n }),
    rows: (response) => [['', response] as const],
  });
}

/** @throws CliError when a broker could not be asked: the list is then incomplete */
export function checkComplete(rows: readonly ListedTransaction[]): void {
  const failed = rows.find(({ error }) => error !== null);
  if (!failed?.error) return;
  const { code, message, retryable, exit_code: exitCode } = failed.error;
  throw new CliError(exitCode, `unable to list the transactions of broker ${failed.broker}: ${message}`, {
    code,
    retryable,
  });
}

/** Describes transactional ids with one request per coordinator, sorted by id; an empty list means all. */
export async function describeTransactions(client: Client, ids: readonly string[]): Promise<DescribedTransactionRow[]> {
  const listed = ids.length > 0 ? [] : await listTransactions(client, { states: [], longerThanMs: undefined });
  const names = ids.length > 0 ? ids : listed.flatMap(({ transaction_id: id }) => id ?? []);
  const outcomes = await client.ask(description, [...new Set(names)]);
  const isRedpanda = (await client.isRedpanda()) === true;
  const rows = (outcomes.length > 0 ? answered(outcomes) : []).map((outcome): DescribedTransactionRow => {
    const { item: id, node, row } = outcome;
    const error = itemErrorOf(outcome);
    if (error !== null || row === undefined)
      return { ...blank, coordinator_id: node ?? null, transaction_id: id, error };
    return {
      coordinator_id: node ?? null,
      transaction_id: id,
      producer_id: row.producerId,
      producer_epoch: row.producerEpoch,
      state: row.transactionState,
      timeout: row.transactionTimeoutMs,
      error,
      // Redpanda does not know the start, and answers with the last update (handlers/describe_transactions.cc:51).
      start_timestamp: isRedpanda || row.transactionStartTimeMs < 0n ? null : row.transactionStartTimeMs,
      partitions: row.topics
        .flatMap(({ topic, partitions }) => partitions.map((partition) => ({ topic, partition })))
        .sort((a, b) => compare(a.topic, b.topic) || a.partition - b.partition),
    };
  });
  const failed = listed.filter(({ error }) => error !== null);
  return [
    ...rows.sort((a, b) => compare(a.transaction_id, b.transaction_id)),
    ...failed.map(({ broker, error }) => ({ ...blank, coordinator_id: broker, error })),
  ];
}

const blank = {
  coordinator_id: null,
  transaction_id: null,
  producer_id: null,
  producer_epoch: null,
  state: null,
  start_timestamp: null,
  timeout: null,
  partitions: [],
  error: null,
} satisfies DescribedTransactionRow;

const description = questionOf({
  api: describeTransactionsApi,
  what: (id: string) => `describe the transactional id "${id}"`,
  target: (transactionalId: string) => ({ transactionalId }),
  keyOf: (id) => id,
  request: (items) => ({ transactionalIds: items }),
  rows: ({ transactionStates }) => transactionStates.map((row) => [row.transactionalId, row] as const),
});

/** Writes abort markers for transactions; returns null or an error for each, in the order of the call. */
export async function abortTransactions(client: Client, calls: readonly AbortCall[]): Promise<(ItemError | null)[]> {
  return (await client.ask(abortion, calls)).map(itemErrorOf);
}

const abortion = questionOf({
  api: writeTxnMarkers,
  what: ({ producerId, topic, partition }: AbortCall) =>
    `abort the transaction of producer ${producerId} on topic "${topic}" partition ${partition}`,
  target: ({ topic, partition }: AbortCall) => ({ topic, partition }),
  keyOf: ({ producerId, topic, partition }) => `${producerId} ${partition} ${topic}`,
  request: (items) => ({
    markers: items.map(({ topic, partition, ...producer }) => ({
      ...producer,
      transactionResult: false,
      topics: [{ name: topic, partitionIndexes: [partition] }],
    })),
  }),
  rows: ({ markers }) =>
    markers.flatMap(({ producerId, topics }) =>
      topics.flatMap(({ name, partitions }) =>
        partitions.map((row) => [`${producerId} ${row.partitionIndex} ${name}`, row] as const),
      ),
    ),
});

/** Null comes last. */
function compare(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
