import { sleepBy } from '../../clock.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { partitionName } from '../../format/partition-name.ts';
import type { Client } from '../client/client.ts';
import { type Located, type Question, questionOf } from '../client/question.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import type { Committer } from '../groups/commits.ts';
import type { TopicPartition } from '../groups/subscription.ts';
import type { ProducerIdentity } from '../produce/lane.ts';
import { groupByTopic } from '../topics/by-topic.ts';
import { addOffsetsToTxn } from '../wire/apis/add-offsets-to-txn.ts';
import { addPartitionsToTxn } from '../wire/apis/add-partitions-to-txn.ts';
import { endTxn } from '../wire/apis/end-txn.ts';
import { initProducerId } from '../wire/apis/init-producer-id.ts';
import { txnOffsetCommit } from '../wire/apis/txn-offset-commit.ts';
import { codes } from '../wire/error-codes.ts';
import { offsetTopics, refusalOf, type StoredOffset } from './stored-progress.ts';

/**
 * How long the coordinator leaves a transaction open, in milliseconds: one that is killed is aborted by its next run, or
 * in a group by nobody, and then keeps others from reading the progress.
 */
const timeoutMs = { alone: 60_000, inGroup: 20_000 };
/** The pause while the markers of the transaction before are written, in milliseconds. */
const markerPauseMs = 10;

/** The transactions of one producer (KIP-98), one after the other. */
export interface Transactions {
  readonly transactionalId: string;
  readonly identity: ProducerIdentity;
  /** Adds partitions to the transaction, before anything is written to them in it. */
  include(partitions: readonly TopicPartition[]): Promise<void>;
  /** Whether the transaction has partitions. */
  readonly isOpen: boolean;
  /** Commits the transaction together with offsets of a group. */
  commit(committer: Committer, offsets: readonly StoredOffset[]): Promise<void>;
  /** Aborts the transaction, if there is one. */
  abort(): Promise<void>;
}

/** Starts with a new epoch, which ends the transaction that an earlier process has left open, and fences it. */
export async function openTransactions(
  client: Client,
  transactionalId: string,
  among: 'alone' | 'inGroup',
): Promise<Transactions> {
  const request = { transactionalId, transactionTimeoutMs: timeoutMs[among] };
  const answer = await client.request(initProducerId, request, { transactionalId });
  if (answer.errorCode !== 0) throw transactionError(answer.errorCode, transactionalId, 'start');
  const { producerId, producerEpoch } = answer;
  const stamp = { transactionalId, producerId, producerEpoch };
  const included = new Set<string>();
  let hasOffsets = false;

  async function end(committed: boolean): Promise<void> {
    if (included.size === 0 && !hasOffsets) return;
    const { errorCode } = await client.request(endTxn, { ...stamp, committed });
    if (errorCode !== 0) throw transactionError(errorCode, transactionalId, committed ? 'commit' : 'abort');
    included.clear();
    hasOffsets = false;
  }
  return {
    transactionalId,
    identity: { producerId, producerEpoch },
    async include(partitions) {
      const added = partitions.filter((item) => !included.has(partitionName(item)));
      if (added.length === 0) return;
      for (const item of added) included.add(partitionName(item));
      try {
        await askAll(client, additionOf(stamp), added, transactionalId);
      } catch (error) {
        // Brokers then have included none of them.
        if (isForbidden(error)) for (const item of added) included.delete(partitionName(item));
        throw error;
      }
    },
    get isOpen() {
      return included.size > 0;
    },
    async commit(committer, offsets) {
      if (offsets.length > 0) {
        hasOffsets = true;
        const { group: groupId } = committer;
        const { errorCode } = await client.request(addOffsetsToTxn, { ...stamp, groupId });
        if (errorCode !== 0) throw transactionError(errorCode, transactionalId, 'commit');
        await askAll(client, offsetsOf(stamp, committer), offsets, transactionalId);
      }
      await end(true);
    },
    abort: () => end(false),
  };
}

interface Stamp extends ProducerIdentity {
  readonly transactionalId: string;
}

function additionOf({ transactionalId, producerId, producerEpoch }: Stamp) {
  return questionOf({
    api: addPartitionsToTxn,
    what: (item: TopicPartition) => `add topic "${item.topic}" partition ${item.partition} to a transaction`,
    target: () => ({ transactionalId }),
    keyOf: (item: TopicPartition) => partitionName(item),
    request: (items: readonly Located<TopicPartition>[]) => ({
      v3AndBelowTransactionalId: transactionalId,
      v3AndBelowProducerId: producerId,
      v3AndBelowProducerEpoch: producerEpoch,
      v3AndBelowTopics: groupByTopic(items.map(({ item }) => item)).map(([name, rows]) => ({
        name,
        partitions: rows.map(({ partition }) => partition),
      })),
    }),
    rows: ({ resultsByTopicV3AndBelow: topics }) =>
      topics.flatMap(({ name, resultsByPartition }) =>
        resultsByPartition.map(({ partitionIndex, partitionErrorCode: errorCode }) => {
          const row = { errorCode };
          return [partitionName({ topic: name, partition: partitionIndex }), row] as const;
        }),
      ),
  });
}

function offsetsOf(stamp: Stamp, { group: groupId, generation: generationId, memberId, instanceId }: Committer) {
  return questionOf({
    api: txnOffsetCommit,
    what: ({ topic, partition }: StoredOffset) =>
      `store the progress of topic "${topic}" partition ${partition} in group "${groupId}"`,
    target: () => ({ group: groupId }),
    keyOf: (item: StoredOffset) => partitionName(item),
    request: (items: readonly Located<StoredOffset>[]) => ({
      ...stamp,
      groupId,
      generationId,
      memberId,
      groupInstanceId: instanceId,
      topics: offsetTopics(items.map(({ item }) => item)),
    }),
    rows: ({ topics }) =>
      topics.flatMap(({ name, partitions }) =>
        partitions.map((row) => [partitionName({ topic: name, partition: row.partitionIndex }), row] as const),
      ),
  });
}

/** Asks about all items; while the transaction before is being ended, only a moment is waited for. */
async function askAll<Item, Row>(
  client: Client,
  question: Question<Item, Row>,
  items: readonly Item[],
  transactionalId: string,
): Promise<void> {
  const { clock, limits, signal } = client.options.deadline;
  const until = clock.now() + limits.retryMs;
  for (let left = items; ; ) {
    const outcomes = await client.ask(question, left, 'once');
    const failed = outcomes.filter(({ error }) => error !== undefined);
    if (failed.length === 0) return;
    const isEnding = failed.every(({ row }) => row?.errorCode === codes.CONCURRENT_TRANSACTIONS);
    left = failed.map(({ item }) => item);
    if (isEnding && clock.now() < until) {
      await sleepBy(clock.after, markerPauseMs, signal);
      continue;
    }
    for (const { row, error } of await client.ask(question, left)) {
      if (error === undefined) continue;
      throw (row !== undefined && refusal(row.errorCode, transactionalId)) || error;
    }
    return;
  }
}

/** Whether the principal must not write to one of the topics; the broker names another one, which it has not looked at. */
export function isForbidden(error: unknown): boolean {
  return error instanceof CliError && forbidden.has(error.code);
}

const forbidden: ReadonlySet<string> = new Set(['TOPIC_AUTHORIZATION_FAILED', 'OPERATION_NOT_ATTEMPTED']);

const fenced: ReadonlySet<number> = new Set([
  codes.INVALID_PRODUCER_EPOCH,
  codes.PRODUCER_FENCED,
  codes.INVALID_PRODUCER_ID_MAPPING,
  codes.INVALID_TXN_STATE,
]);

function refusal(code: number, transactionalId: string): CliError | undefined {
  return fenced.has(code) ? fencedError(code, transactionalId) : refusalOf(code, transactionalId);
}

/** The error for a producer whose id another process has taken over, or whose transaction took too long. */
export function fencedError(code: number, transactionalId: string): CliError {
  const why = kafkaErrorText(code);
  const message = `the transaction was lost to another process, or to a timeout (${why})`;
  return new CliError(exitCodes.conflict, message, {
    code: 'PRODUCER_FENCED',
    target: transactionalId,
    hints: ['if no other process does the same, repeat the command: it continues after the last transaction'],
  });
}

function transactionError(code: number, transactionalId: string, what: string): CliError {
  if (fenced.has(code)) return fencedError(code, transactionalId);
  const message = `unable to ${what} a transaction as "${transactionalId}": ${kafkaErrorText(code)}`;
  return kafkaError(code, message, { target: transactionalId });
}
