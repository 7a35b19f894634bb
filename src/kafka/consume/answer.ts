import { CliError, exitCodes } from '../../errors.ts';
import { isRetriable, kafkaError, kafkaErrorKind, kafkaErrorText } from '../errors.ts';
import type { AbortedTransaction, FetchedPartition, FetchResponse } from '../protocol/fetch.ts';
import { noteEpochs } from './epochs.ts';
import { endOfBatches, type PartitionPosition } from './position.ts';

/** A position and the offset it was at when the Fetch was sent. */
interface Asked {
  readonly position: PartitionPosition;
  readonly offset: bigint;
}

/** How a Fetch ended. */
export type FetchArrival = {
  readonly node: number;
  readonly asked: readonly Asked[];
  /** When it was sent, on the clock of `performance.now`. */
  readonly startedAt: number;
} & (
  | { readonly type: 'answered'; readonly response: FetchResponse }
  | { readonly type: 'failed'; readonly error: unknown }
);

/** Records of one partition, with what is needed to judge them. */
export interface FetchedChunk {
  readonly position: PartitionPosition;
  /** Records below it were not asked for: a batch comes whole. */
  readonly from: bigint;
  /** The position's offset behind these records. */
  readonly to: bigint;
  readonly records: Buffer;
  readonly logStartOffset: bigint;
  readonly lastStableOffset: bigint;
  readonly highWatermark: bigint;
  readonly abortedTransactions: readonly AbortedTransaction[];
}

/** A Fetch answer, taken in. */
export interface AcceptedFetch {
  readonly chunks: readonly FetchedChunk[];
  /** Positions whose offset the broker does not have. */
  readonly outOfRange: readonly PartitionPosition[];
}

interface AcceptOptions {
  readonly retryMs: number;
  readonly readCommitted: boolean;
}

const offsetOutOfRange = 1;

/**
 * Moves the positions of an answer behind what came, and marks those that need another leader.
 * @throws CliError for an error that the retry rule does not, or no longer, repeat
 */
export function acceptFetch(
  arrival: FetchArrival & { readonly type: 'answered' },
  options: AcceptOptions,
): AcceptedFetch {
  const asked = new Map(arrival.asked.map((item) => [`${item.position.topic}/${item.position.partition}`, item]));
  const isEmpty = arrival.response.partitions.every((answer) => answer.records.length === 0);
  const chunks: FetchedChunk[] = [];
  const outOfRange: PartitionPosition[] = [];
  for (const answer of arrival.response.partitions) {
    const item = asked.get(`${answer.topic}/${answer.partition}`);
    if (item === undefined || item.position.done) continue;
    const { position } = item;
    asked.delete(`${answer.topic}/${answer.partition}`);
    if (answer.errorCode === offsetOutOfRange) {
      // A follower may lag behind or be ahead in its deleting: only the leader's word counts.
      if (position.replica < 0) outOfRange.push(position);
      position.replica = -1;
    } else if (answer.errorCode !== 0)
      failPosition(position, partitionError(answer), arrival.startedAt, options.retryMs);
    else {
      recover(position, answer, arrival.node);
      if (answer.records.length > 0) chunks.push(advance(item, answer));
      else if (isEmpty) finishWhenNothingIsLeft(position, answer, options.readCommitted);
    }
  }
  if (arrival.response.throttleMs > 0) return { chunks, outOfRange };
  for (const { position } of asked.values()) {
    if (!position.done) failPosition(position, missingError(position), arrival.startedAt, options.retryMs);
  }
  return { chunks, outOfRange };
}

/**
 * Marks every position of a Fetch that failed as a whole.
 * @throws its error, when the retry rule does not, or no longer, repeat it
 */
export function failFetch(arrival: FetchArrival & { readonly type: 'failed' }, retryMs: number): void {
  for (const { position } of arrival.asked) {
    if (!position.done) failPosition(position, arrival.error, arrival.startedAt, retryMs);
  }
}

function failPosition(position: PartitionPosition, error: unknown, startedAt: number, retryMs: number): void {
  position.failedSince ??= startedAt;
  if (!isRetriable(error) || performance.now() - position.failedSince >= retryMs) throw error;
  position.failures += 1;
  position.leader = -1;
  position.replica = -1;
}

function recover(position: PartitionPosition, answer: FetchedPartition, node: number): void {
  position.failedSince = undefined;
  position.failures = 0;
  if (answer.preferredReadReplica >= 0 && answer.preferredReadReplica !== node) {
    position.replica = answer.preferredReadReplica;
  }
}

function advance({ position, offset }: Asked, answer: FetchedPartition): FetchedChunk {
  const end = endOfBatches(answer.records);
  if (end === undefined) throw noBatchError(position, offset, answer.records);
  // A lie of the broker would send reading back: the printer says it, with what is whole printed before.
  if (end.offset > position.offset) position.offset = end.offset;
  if (end.leaderEpoch >= 0 && end.leaderEpoch !== position.lastEpoch) {
    noteEpochs(position, answer.records);
    position.lastEpoch = end.leaderEpoch;
  }
  const { records, logStartOffset, lastStableOffset, highWatermark, abortedTransactions } = answer;
  return {
    ...{ position, from: offset, to: position.offset, records, logStartOffset },
    ...{ lastStableOffset, highWatermark, abortedTransactions },
  };
}

/** The answer begins with a batch that is cut off, or with no batch at all. */
function noBatchError({ topic, partition }: PartitionPosition, offset: bigint, records: Buffer): CliError {
  const place = `unable to read topic "${topic}" partition ${partition} at offset ${offset}`;
  const length = records.length < 12 ? undefined : records.readInt32BE(8);
  if (length !== undefined && length < 14) {
    const message = `${place}: the batch length ${length} is too small`;
    return new CliError(exitCodes.failure, message, { code: 'CORRUPT_MESSAGE', target: topic });
  }
  return new CliError(exitCodes.failure, `${place}: the batch is larger than the fetch size`, {
    target: topic,
    hints: ['raise --fetch-max-partition-bytes and --fetch-max-bytes'],
  });
}

/** A broker answers for every partition it is asked about, unless it throttles. */
function missingError({ topic, partition }: PartitionPosition): CliError {
  const message = `unable to read topic "${topic}" partition ${partition}: the broker's answer leaves it out`;
  return new CliError(exitCodes.failure, message, { target: topic, retryable: true });
}

/**
 * A range whose last offsets hold no record (compacted, aborted, deleted) is read to its end when the
 * broker had room for anything in its answer, sent nothing, and its log reaches beyond that end.
 */
function finishWhenNothingIsLeft(position: PartitionPosition, answer: FetchedPartition, readCommitted: boolean): void {
  const readable = readCommitted ? answer.lastStableOffset : answer.highWatermark;
  if (position.end !== undefined && readable >= position.end) position.done = true;
}

function partitionError(answer: FetchedPartition): CliError {
  const { topic, partition, errorCode } = answer;
  const message = `unable to read topic "${topic}" partition ${partition}: ${kafkaErrorText(errorCode)}`;
  // A partition that was there a moment ago: the metadata may be stale.
  return kafkaError(errorCode, message, { target: topic, retryable: kafkaErrorKind(errorCode).retriable });
}
