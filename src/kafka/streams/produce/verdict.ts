import { CliError, exitCodes, withHints } from '../../../errors.ts';
import { isRetriable, kafkaError, kafkaErrorKind, kafkaErrorText } from '../../protocol/errors.ts';
import type { ResponseOf } from '../../protocol/wire/api.ts';
import type { produce } from '../../protocol/wire/apis/produce.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { type Batch, laneName, type Refusal } from './lane.ts';
import { lostTrackCodes } from './lane-recovery.ts';

/** The answer for one partition. */
export type ProducedPartition = ResponseOf<typeof produce>['responses'][number]['partitionResponses'][number];

/** Which replicas must have a batch before it counts as written: -1 every in-sync replica, 0 none, 1 the leader. */
export type Acks = -1 | 0 | 1;

/** The outcome of one batch. */
export type Verdict =
  /** The broker has it, at this offset; -1 if the broker does not report it. */
  | { readonly kind: 'written'; readonly offset: bigint; readonly logAppendTimeMs: bigint }
  /** It is sent again, in its place. */
  | {
      readonly kind: 'again';
      readonly error: CliError;
      /** Whether it may be in the log. */
      readonly isUncertain: boolean;
      /** The error code of a broker that has lost track of the producer; 0 for none. */
      readonly lostTrack: number;
    }
  /** It cannot be delivered. */
  | {
      readonly kind: 'final';
      readonly error: unknown;
      readonly isUncertain: boolean;
      /** What the broker has against the batch; undefined if that is not about its records or its topic. */
      readonly refusal?: Refusal | undefined;
    };

/** Codes of checks of the records, or of the topic, which other batches may pass. */
const refusals: ReadonlySet<number> = new Set([
  codes.MESSAGE_TOO_LARGE,
  codes.RECORD_LIST_TOO_LARGE,
  codes.INVALID_TIMESTAMP,
  codes.INVALID_RECORD,
  codes.UNSUPPORTED_COMPRESSION_TYPE,
  codes.POLICY_VIOLATION,
  codes.TOPIC_AUTHORIZATION_FAILED,
]);

const messageTooLarge: ReadonlySet<number> = new Set([codes.MESSAGE_TOO_LARGE, codes.RECORD_LIST_TOO_LARGE]);

/**
 * Codes of errors that may occur after the append when all in-sync replicas must acknowledge: the leader that appended
 * the batch stops leading, loses its disk or its replicas, times out, or fails. All other codes come from a check before the append.
 */
const afterAppend: ReadonlySet<number> = new Set([
  codes.UNKNOWN_SERVER_ERROR,
  codes.UNKNOWN_TOPIC_OR_PARTITION,
  codes.LEADER_NOT_AVAILABLE,
  codes.NOT_LEADER_OR_FOLLOWER,
  codes.REQUEST_TIMED_OUT,
  codes.REPLICA_NOT_AVAILABLE,
  codes.NETWORK_EXCEPTION,
  codes.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
  codes.KAFKA_STORAGE_ERROR,
  codes.LISTENER_NOT_FOUND,
  codes.FENCED_LEADER_EPOCH,
  codes.UNKNOWN_LEADER_EPOCH,
  codes.UNKNOWN_TOPIC_ID,
  codes.INCONSISTENT_TOPIC_ID,
]);

/** Judges one partition of an answer; `answer` is undefined where the broker left the partition out, and for acks 0. */
export function judgeAnswer(batch: Batch, acks: Acks, answer: ProducedPartition | undefined): Verdict {
  if (acks === 0) return { kind: 'written', offset: -1n, logAppendTimeMs: -1n };
  if (answer === undefined) {
    const message = `unable to produce to ${laneName(batch.lane)}: the broker left the partition out of its answer`;
    return {
      kind: 'final',
      error: new CliError(exitCodes.failure, message, { target: batch.lane.topic }),
      isUncertain: true,
    };
  }
  const { errorCode: code, logAppendTimeMs } = answer;
  if (code === 0) return { kind: 'written', offset: answer.baseOffset, logAppendTimeMs };
  // The batch is older than those whose offsets the broker remembers, but it is in the log (KIP-98).
  if (code === codes.DUPLICATE_SEQUENCE_NUMBER && acks === -1)
    return { kind: 'written', offset: -1n, logAppendTimeMs: -1n };
  return acks === -1 ? judgeIdempotent(batch, answer) : judgePlain(batch, answer);
}

function judgeIdempotent(batch: Batch, answer: ProducedPartition): Verdict {
  const code = answer.errorCode;
  if (lostTrackCodes.has(code)) {
    return { kind: 'again', error: answerError(batch, answer, true), isUncertain: false, lostTrack: code };
  }
  const isUncertain = afterAppend.has(code);
  if (!kafkaErrorKind(code).retriable) {
    const refusal = refusals.has(code) ? refusalOf(answer) : undefined;
    return { kind: 'final', error: answerError(batch, answer, false), isUncertain, refusal };
  }
  return { kind: 'again', error: answerError(batch, answer, true), isUncertain, lostTrack: 0 };
}

/**
 * Without sequence numbers, a batch may be sent again only if it was certainly not written. With acks 1 the leader
 * answers right after its own append.
 */
function judgePlain(batch: Batch, answer: ProducedPartition): Verdict {
  const code = answer.errorCode;
  if (kafkaErrorKind(code).notDone) {
    return { kind: 'again', error: answerError(batch, answer, true), isUncertain: false, lostTrack: 0 };
  }
  return { kind: 'final', error: answerError(batch, answer, false), isUncertain: afterAppend.has(code) };
}

function answerError(batch: Batch, answer: ProducedPartition, retryable: boolean): CliError {
  const { errorCode: code } = answer;
  const { lane } = batch;
  const isTooLarge = messageTooLarge.has(code);
  const { reason } = refusalOf(answer);
  const what = `unable to produce ${isTooLarge ? `${recordsOf(batch)} ` : ''}to ${laneName(lane)}`;
  return kafkaError(code, `${what}: ${kafkaErrorText(code, reason)}`, {
    target: lane.topic,
    retryable,
    hints: isTooLarge ? [sizeHint(batch)] : reason !== undefined && isWithoutKey(reason) ? [keyHint] : hintsOf(code),
  });
}

/** Redpanda refuses all records while a disk of any broker is full, with the second code before 26 (produce.cc:80, :653). */
const fullCodes: ReadonlySet<number> = new Set([codes.KAFKA_STORAGE_ERROR, codes.BROKER_NOT_AVAILABLE]);
const fullHint = 'a disk may be full: weir cluster health, weir cluster logdirs describe';

function hintsOf(code: number): readonly string[] {
  return fullCodes.has(code) ? [fullHint] : [];
}

const keyHint = "give each record a key: -k KEY, or -f '%k:%v\\n'";

/** Whether a compacted topic has refused a record for its missing key. Only the broker's words tell. */
function isWithoutKey(reason: string): boolean {
  return /\bwithout (?:a )?key\b/i.test(reason);
}

function refusalOf({ errorCode: code, recordErrors, errorMessage }: ProducedPartition): Refusal {
  const recordError = recordErrors.find(({ batchIndexErrorMessage }) => batchIndexErrorMessage !== undefined);
  const reason = recordError?.batchIndexErrorMessage ?? errorMessage;
  return { code, reason, indexes: recordErrors.map(({ batchIndex }) => batchIndex) };
}

function recordsOf({ records, numbers: [first] }: Batch): string {
  // Records of a copy have no numbers.
  if (first === undefined) return records === 1 ? 'a record' : `a batch of ${records} records`;
  return records === 1 ? `record ${first}` : `a batch of ${records} records, the first of which is record ${first},`;
}

function sizeHint({ records, bytes }: Batch): string {
  const limit = 'max.message.bytes of the topic (message.max.bytes of the broker; on Redpanda kafka_batch_max_bytes)';
  if (records > 1) return `lower --max-message-bytes, or raise ${limit}`;
  return `raise ${limit} to at least ${bytes.length}: the record is in a batch of its own`;
}

/**
 * Judges a request that got no answer. `wasSent` is false if its connection was not established yet. Produce without
 * sequence numbers is not `repeatable`, so its error stays retryable only if no byte of it was sent.
 */
export function judgeFailure(acks: Acks, error: unknown, wasSent: boolean): Verdict {
  if (!isRetriable(error)) {
    const isUncertain = wasSent;
    return { kind: 'final', error: isUncertain && acks !== -1 ? lostAnswer(error, acks) : error, isUncertain };
  }
  return { kind: 'again', error: error as CliError, isUncertain: wasSent && acks === -1, lostTrack: 0 };
}

/**
 * Without sequence numbers a request without an answer must not be sent again, because its records may be in the log.
 */
function lostAnswer(error: unknown, acks: Acks): unknown {
  if (!(error instanceof CliError)) return error;
  return withHints(error, [`use --acks all: a retry with --acks ${acks} could write records twice`], false);
}
