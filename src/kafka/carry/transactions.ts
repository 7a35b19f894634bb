import { sleepBy } from '../../clock.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { partitionName } from '../../format/partition-name.ts';
import type { Client } from '../protocol/client/client.ts';
import { type Question, questionOf } from '../protocol/client/question.ts';
import { isRetriable, kafkaError, kafkaErrorName, kafkaErrorText } from '../protocol/errors.ts';
import { groupByTopic, rowsByPartition } from '../protocol/partitions/by-topic.ts';
import type { Api } from '../protocol/wire/api.ts';
import { addOffsetsToTxn } from '../protocol/wire/apis/add-offsets-to-txn.ts';
import { addPartitionsToTxn } from '../protocol/wire/apis/add-partitions-to-txn.ts';
import { endTxn } from '../protocol/wire/apis/end-txn.ts';
import { initProducerId } from '../protocol/wire/apis/init-producer-id.ts';
import { txnOffsetCommit } from '../protocol/wire/apis/txn-offset-commit.ts';
import { codes } from '../protocol/wire/error-codes.ts';
import type { Committer } from '../streams/groups/commits.ts';
import type { TopicPartition } from '../streams/groups/subscription.ts';
import type { ProducerIdentity } from '../streams/produce/lane.ts';
import { offsetTopics, refusalOf, type StoredOffset } from './stored-offsets.ts';

/**
 * How long the coordinator leaves a transaction open, in milliseconds: one that is killed is aborted by its next run, or
 * in a group by nobody, and then keeps others from reading the progress.
 */
const timeoutMs = { alone: 60_000, inGroup: 20_000 };
const timeoutHint = `raise transaction.max.timeout.ms of the brokers (on Redpanda transaction_max_timeout_ms) to ${timeoutMs.alone}, or leave out --exactly-once`;
/**
 * While the markers of the transaction before are written, the coordinator refuses the next one. That is no failure: it is
 * waited for even without retries, with short pauses; what takes longer than the patience follows the retry rule. In
 * milliseconds.
 */
const markers = { firstPauseMs: 10, longestPauseMs: 80, patienceMs: 5_000 };

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
  const answer = await askOne(client, initProducerId, request, { transactionalId });
  if (answer.errorCode !== 0) throw transactionError(answer.errorCode, transactionalId, 'start');
  const { producerId, producerEpoch } = answer;
  const stamp = { transactionalId, producerId, producerEpoch };
  const included = new Set<string>();
  let hasOffsets = false;

  async function end(committed: boolean): Promise<void> {
    if (included.size === 0 && !hasOffsets) return;
    const { errorCode } = await askOne(client, endTxn, { ...stamp, committed }, { transactionalId });
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
        if (isForbidden(error) || isUnknownTopic(error)) for (const item of added) included.delete(partitionName(item));
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
        const { errorCode } = await askOne(client, addOffsetsToTxn, { ...stamp, groupId }, { transactionalId });
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
    request: (items: readonly TopicPartition[]) => ({
      v3AndBelowTransactionalId: transactionalId,
      v3AndBelowProducerId: producerId,
      v3AndBelowProducerEpoch: producerEpoch,
      v3AndBelowTopics: groupByTopic(items).map(([name, rows]) => ({
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
    request: (items: readonly StoredOffset[]) => ({
      ...stamp,
      groupId,
      generationId,
      memberId,
      groupInstanceId: instanceId,
      topics: offsetTopics(items),
    }),
    rows: ({ topics }) => rowsByPartition(topics),
  });
}

/** Asks about all items. */
async function askAll<Item, Row>(
  client: Client,
  question: Question<Item, Row>,
  items: readonly Item[],
  transactionalId: string,
): Promise<void> {
  let left = items;
  await afterMarkers(client, async () => {
    const outcomes = await client.ask(question, left, 'once');
    const failed = outcomes.filter(({ error }) => error !== undefined);
    left = failed.map(({ item }) => item);
    return failed.length === 0 || failed.some(({ row }) => row?.errorCode !== codes.CONCURRENT_TRANSACTIONS);
  });
  if (left.length === 0) return;
  const failed = (await client.ask(question, left)).filter(({ error }) => error !== undefined);
  // The others were not looked at because of it.
  const [first] = failed.filter(({ row }) => row?.errorCode !== codes.OPERATION_NOT_ATTEMPTED);
  const { row, error } = first ?? failed[0] ?? {};
  if (error !== undefined) throw (row !== undefined && refusal(row.errorCode, transactionalId)) || error;
}

/** Sends a request to the coordinator. */
async function askOne<Request, Response>(
  client: Client,
  api: Api<Request, Response>,
  request: Request,
  coordinator: { readonly transactionalId: string },
): Promise<Response> {
  let answer: { readonly response: Response } | undefined;
  await afterMarkers(client, async () => {
    try {
      answer = { response: await client.requestOnce(api, request, coordinator) };
    } catch (error) {
      if (!isRetriable(error)) throw error;
      return !(error instanceof CliError && error.code === concurrent);
    }
    return true;
  });
  return answer === undefined ? client.request(api, request, coordinator) : answer.response;
}

const concurrent = 'CONCURRENT_TRANSACTIONS';

/** Repeats an attempt until it is not refused because of the transaction before any more, or for as long as is usual. */
async function afterMarkers(client: Client, attempt: () => Promise<boolean>): Promise<void> {
  const { clock, signal } = client.options.deadline;
  const until = clock.now() + markers.patienceMs;
  for (let pauseMs = markers.firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, markers.longestPauseMs)) {
    if ((await attempt()) || clock.now() >= until) return;
    await sleepBy(clock.after, pauseMs, signal);
  }
}

function isUnknownTopic(error: unknown): boolean {
  return error instanceof CliError && error.code === 'UNKNOWN_TOPIC_OR_PARTITION';
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

/** The same error, unless a broker has refused a batch because its producer has lost the transaction. */
export function fencedIn(error: unknown, transactionalId: string): unknown {
  if (!(error instanceof CliError) || error.target === transactionalId) return error;
  const code = [...fenced].find((one) => kafkaErrorName(one) === error.code);
  return code === undefined ? error : fencedError(code, transactionalId);
}

function transactionError(code: number, transactionalId: string, what: string): CliError {
  if (fenced.has(code)) return fencedError(code, transactionalId);
  const message = `unable to ${what} a transaction as "${transactionalId}": ${kafkaErrorText(code)}`;
  const hints = code === codes.INVALID_TRANSACTION_TIMEOUT ? [timeoutHint] : [];
  return kafkaError(code, message, { target: transactionalId, hints });
}
