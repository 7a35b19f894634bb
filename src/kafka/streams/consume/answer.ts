import { CliError, exitCodes } from '../../../errors.ts';
import { grouped } from '../../../format/count.ts';
import { kafkaError, kafkaErrorKind, kafkaErrorText } from '../../protocol/errors.ts';
import type { ResponseOf } from '../../protocol/wire/api.ts';
import type { fetch } from '../../protocol/wire/apis/fetch.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import type { AbortedTransaction } from './aborted-transactions.ts';
import { noteEpochs } from './epochs.ts';
import type { FetchSession, SessionRequest } from './fetch-session.ts';
import { type PartitionPosition, surveyBatches } from './position.ts';

/** The answer for one partition. Records are a view into it; the last batch may be cut off. */
export type FetchedPartition = ResponseOf<typeof fetch>['responses'][number]['partitions'][number];

/** Whether a partition's answer holds records. */
export function hasRecords({ records }: FetchedPartition): boolean {
  return records !== undefined && records.length > 0;
}

/** The fetched records of one partition, with the data needed to process them. */
export interface FetchedChunk {
  readonly position: PartitionPosition;
  /** Records below this offset were not asked for; brokers send whole batches. */
  readonly from: bigint;
  /** The position's offset after these records. */
  readonly to: bigint;
  /** The position's `jumps` when these records arrived. */
  readonly jumps: number;
  readonly records: Buffer;
  readonly logStartOffset: bigint;
  readonly lastStableOffset: bigint;
  readonly highWatermark: bigint;
  readonly abortedTransactions: readonly AbortedTransaction[];
}

/** The state of reading from one broker. */
export interface FetchedBroker {
  readonly node: number;
  readonly session: FetchSession;
  /**
   * Positions for which no record arrived although their end is not reached: nothing may be left, the answer may have
   * had no room, or the log may not be replicated that far.
   */
  readonly silent: Set<PartitionPosition>;
}

/** A Fetch answer, with its request and broker. */
export interface FetchAnswer {
  readonly broker: FetchedBroker;
  readonly request: SessionRequest;
  readonly response: ResponseOf<typeof fetch>;
  readonly readCommitted: boolean;
  /** The size in bytes up to which one partition was asked for. */
  readonly maxBytes: number;
}

/** A position that could not be read, with the reason. */
export interface FailedPosition {
  readonly position: PartitionPosition;
  readonly error: CliError;
}

/** The result of processing a Fetch answer. */
export interface AcceptedFetch {
  readonly chunks: readonly FetchedChunk[];
  /** Positions whose offset the leader does not have. */
  readonly outOfRange: readonly PartitionPosition[];
  /** Positions to read from another replica, or from the leader again. */
  readonly redirected: readonly PartitionPosition[];
  readonly failed: readonly FailedPosition[];
  /** Positions that may be at their end; see `confirmEnds` in range-end.ts. */
  readonly silent: readonly PartitionPosition[];
}

type Accepting = { readonly [Part in keyof AcceptedFetch]: AcceptedFetch[Part][number][] };

/**
 * Processes an answer without a top-level error: moves positions past their records, and sorts the others by what to do
 * about them. An error of one partition does not affect the records of another.
 */
export function acceptFetch(answer: FetchAnswer): AcceptedFetch {
  const { broker, request, response } = answer;
  const accepted: Accepting = { chunks: [], outOfRange: [], redirected: [], failed: [], silent: [] };
  const unanswered = new Set(request.positions);
  const isEmpty = !response.responses.some(({ partitions }) => partitions.some(hasRecords));
  for (const { topic, topicId, partitions } of response.responses) {
    const of = { topic, topicId: topicId === noUuid ? undefined : topicId };
    for (const fetched of partitions) {
      const position = broker.session.asked(of, fetched.partitionIndex);
      if (position === undefined || position.done) continue;
      unanswered.delete(position);
      acceptPartition(answer, { position, fetched, isEmpty }, accepted);
    }
  }
  acceptMissing(answer, unanswered, accepted);
  if (isEmpty && response.throttleTimeMs === 0) {
    for (const position of broker.silent) accepted.silent.push(position);
    broker.silent.clear();
  }
  return accepted;
}

interface PartitionAnswer {
  readonly position: PartitionPosition;
  readonly fetched: FetchedPartition;
  /** Whether the answer holds no records of any partition. */
  readonly isEmpty: boolean;
}

function acceptPartition(answer: FetchAnswer, of: PartitionAnswer, accepted: Accepting): void {
  const { broker, readCommitted } = answer;
  const { position, fetched, isEmpty } = of;
  // The latest answer decides: a position is either confirmed or reset, never both at once.
  broker.silent.delete(position);
  if (fetched.errorCode === codes.OFFSET_OUT_OF_RANGE) {
    // Only the leader's answer counts: a follower may lag behind, or may have deleted records earlier. If the leader
    // redirects to such a follower again, it is asked for its offsets, to avoid an endless loop between the two.
    const isLeaders = position.replica < 0 || position.isFarFromReplica;
    accepted[isLeaders ? 'outOfRange' : 'redirected'].push(position);
    position.isFarFromReplica = !isLeaders;
    position.replica = -1;
    return;
  }
  if (fetched.errorCode !== 0) {
    accepted.failed.push({ position, error: partitionError(position, fetched.errorCode) });
    return;
  }
  if (fetched.preferredReadReplica >= 0 && fetched.preferredReadReplica !== broker.node) {
    // No success yet: the leader may name a replica that never answers, and would end the count of its failures.
    position.replica = fetched.preferredReadReplica;
    accepted.redirected.push(position);
  } else recover(position);
  const readable = readCommitted ? fetched.lastStableOffset : fetched.highWatermark;
  if (hasRecords(fetched)) advance(answer, of, accepted);
  else if (position.end !== undefined && fetched.preferredReadReplica < 0) broker.silent.add(position);
  if (!isEmpty) {
    broker.session.took(position, {
      hasRecords: hasRecords(fetched),
      isBehind: position.offset < readable,
    });
  }
}

/** Handles partitions missing from an answer: an error in a full, unthrottled answer; no news in a session. */
function acceptMissing(
  { broker, request, response }: FetchAnswer,
  missing: Set<PartitionPosition>,
  accepted: Accepting,
): void {
  if (request.isFull && response.throttleTimeMs > 0) return;
  for (const position of missing) {
    if (position.done) continue;
    if (request.isFull) {
      broker.silent.delete(position);
      accepted.failed.push({ position, error: missingError(position) });
    } else {
      recover(position);
      if (position.end !== undefined) broker.silent.add(position);
    }
  }
}

function recover(position: PartitionPosition): void {
  position.failedSince = undefined;
  position.failures = 0;
}

function advance(answer: FetchAnswer, { position, fetched }: PartitionAnswer, accepted: Accepting): void {
  const { offset: from } = position;
  const { records: sent = noRecords, abortedTransactions = [] } = fetched;
  const { end, damage } = surveyBatches(sent, from);
  if (damage !== undefined) {
    const offset = end !== undefined && end.offset > from ? end.offset : from;
    accepted.failed.push({ position, error: headerError(position, offset, damage.reason) });
  }
  if (end === undefined) {
    if (damage === undefined) accepted.failed.push({ position, error: noBatchError(answer, position, sent) });
    return;
  }
  const records = damage === undefined ? sent : sent.subarray(0, damage.at);
  position.silentSince = undefined;
  position.isFarFromReplica = false;
  // A broker that returns a lower offset would loop the reader; the printer reports it after what is complete.
  if (end.offset > from) position.offset = end.offset;
  if (end.leaderEpoch >= 0 && end.leaderEpoch !== position.lastEpoch) {
    noteEpochs(position, records, from);
    position.lastEpoch = end.leaderEpoch;
  }
  if (end.offset > largestOffset) accepted.failed.push({ position, error: lastOffsetError(position) });
  const { logStartOffset, lastStableOffset, highWatermark } = fetched;
  accepted.chunks.push({
    position,
    from,
    to: position.offset,
    jumps: position.jumps,
    records,
    logStartOffset,
    lastStableOffset,
    highWatermark,
    abortedTransactions,
  });
}

const noRecords = Buffer.alloc(0);
/** The size of the offset and the length of a batch, which precede what the length counts. */
const prefixBytes = 12;
const largestOffset = 2n ** 63n - 1n;

/** Makes the error for a partition whose offsets are exhausted: no offset follows the largest one. */
function lastOffsetError({ topic, partition }: PartitionPosition): CliError {
  const message = `unable to read more of topic "${topic}" partition ${partition}: no offset follows ${largestOffset}`;
  return new CliError(exitCodes.failure, message, { code: 'CORRUPT_MESSAGE', target: topic });
}

/** Makes the error for a batch whose header cannot be right; `offset` is where reading stopped. */
function headerError({ topic, partition }: PartitionPosition, offset: bigint, reason: string): CliError {
  const message = `unable to read topic "${topic}" partition ${partition} at offset ${offset}: ${reason}`;
  return new CliError(exitCodes.failure, message, { code: 'CORRUPT_MESSAGE', target: topic });
}

/** Makes the error for records that begin with an incomplete batch or with no batch at all. */
function noBatchError({ maxBytes }: FetchAnswer, position: PartitionPosition, records: Buffer): CliError {
  const { topic, partition, offset } = position;
  const length = records.length < prefixBytes ? undefined : records.readInt32BE(8);
  if (length !== undefined && length < 14) {
    return headerError(position, offset, `the batch length ${length} is too small`);
  }
  // Since KIP-74, a broker sends the first batch whole whatever its size; only one that does not needs a larger limit.
  if (length !== undefined && length + prefixBytes <= maxBytes) {
    const size = grouped(length + prefixBytes, 'byte');
    return headerError(position, offset, `the broker sent only ${records.length} of the ${size} of the batch`);
  }
  const place = `unable to read topic "${topic}" partition ${partition} at offset ${offset}`;
  return new CliError(exitCodes.failure, `${place}: the batch is larger than the fetch size`, {
    target: topic,
    hints: ['raise --fetch-max-partition-bytes and --fetch-max-bytes'],
  });
}

function missingError({ topic, partition }: PartitionPosition): CliError {
  const message = `unable to read topic "${topic}" partition ${partition}: missing from the broker's answer`;
  return new CliError(exitCodes.failure, message, { target: topic, retryable: true });
}

function partitionError({ topic, partition }: PartitionPosition, errorCode: number): CliError {
  const message = `unable to read topic "${topic}" partition ${partition}: ${kafkaErrorText(errorCode)}`;
  // UNKNOWN_TOPIC_OR_PARTITION is retryable, too: a broker may be late to learn which partitions it leads.
  return kafkaError(errorCode, message, { target: topic, retryable: kafkaErrorKind(errorCode).retriable });
}
