import { CliError, exitCodes, withHints } from '../../errors.ts';
import { isNotDone, remedyOf } from '../client/remedy.ts';
import { isRetriable, kafkaError, kafkaErrorText } from '../errors.ts';
import type { ProducedPartition } from '../protocol/produce.ts';
import { type Lane, laneName } from './lane.ts';
import { lostTrackCodes } from './lane-recovery.ts';

/** Who must have a batch before it counts: every in-sync replica, nobody, the leader. */
export type Acks = -1 | 0 | 1;

/** What became of one batch. */
export type Verdict =
  /** The broker has it, at this offset (-1: it does not say). */
  | { readonly kind: 'written'; readonly offset: bigint; readonly logAppendTimeMs: bigint }
  /** It is sent again, in its place. */
  | {
      readonly kind: 'again';
      readonly error: CliError;
      /** It may be in the log. */
      readonly isUncertain: boolean;
      /** The error code by which the broker has lost track of the producer; 0 for none. */
      readonly lostTrack: number;
    }
  /** Nothing helps. */
  | { readonly kind: 'final'; readonly error: unknown; readonly isUncertain: boolean };

const duplicateSequence = 46;
const messageTooLarge: ReadonlySet<number> = new Set([10, 18]);

/**
 * Codes of errors that may come after the append when all in-sync replicas are waited for: the leader that appended
 * the batch stops leading (3, 5, 6, 9, 72, 74, 75), loses its disk (56) or its replicas (20), runs out of time (7, 13),
 * or fails (-1). All other codes are answers of a check before the append.
 */
const afterAppend: ReadonlySet<number> = new Set([-1, 3, 5, 6, 7, 9, 13, 20, 56, 72, 74, 75, 100, 103]);

/** Judges one partition of an answer; undefined stands for acks 0, which has none. */
export function judgeAnswer(lane: Lane, acks: Acks, answer: ProducedPartition | undefined): Verdict {
  if (acks === 0) return { kind: 'written', offset: -1n, logAppendTimeMs: -1n };
  if (answer === undefined) {
    const message = `unable to produce to ${laneName(lane)}: the answer of the broker does not name the partition`;
    return {
      kind: 'final',
      error: new CliError(exitCodes.failure, message, { target: lane.topic }),
      isUncertain: true,
    };
  }
  const { errorCode: code, logAppendTimeMs } = answer;
  if (code === 0) return { kind: 'written', offset: answer.baseOffset, logAppendTimeMs };
  // It is older than what the broker remembers in detail, but it is there (KIP-98).
  if (code === duplicateSequence && acks === -1) return { kind: 'written', offset: -1n, logAppendTimeMs: -1n };
  return acks === -1 ? judgeIdempotent(lane, answer) : judgePlain(lane, answer);
}

function judgeIdempotent(lane: Lane, answer: ProducedPartition): Verdict {
  const code = answer.errorCode;
  if (lostTrackCodes.has(code)) {
    return { kind: 'again', error: answerError(lane, answer, true), isUncertain: false, lostTrack: code };
  }
  const isUncertain = afterAppend.has(code);
  if (remedyOf(code) === undefined) return { kind: 'final', error: answerError(lane, answer, false), isUncertain };
  return { kind: 'again', error: answerError(lane, answer, true), isUncertain, lostTrack: 0 };
}

/** Without sequence numbers only what was surely not written may be sent again; the leader alone answers at once. */
function judgePlain(lane: Lane, answer: ProducedPartition): Verdict {
  const code = answer.errorCode;
  if (isNotDone(code)) {
    return { kind: 'again', error: answerError(lane, answer, true), isUncertain: false, lostTrack: 0 };
  }
  return { kind: 'final', error: answerError(lane, answer, false), isUncertain: afterAppend.has(code) };
}

function answerError(lane: Lane, answer: ProducedPartition, retryable: boolean): CliError {
  const { errorCode: code, recordErrors, errorMessage } = answer;
  const reason = recordErrors.find(({ message }) => message !== undefined)?.message ?? errorMessage;
  return kafkaError(code, `unable to produce to ${laneName(lane)}: ${kafkaErrorText(code, reason)}`, {
    target: lane.topic,
    retryable,
    hints: messageTooLarge.has(code)
      ? ['lower --max-message-bytes, or raise max.message.bytes of the topic (batch of the broker: message.max.bytes)']
      : [],
  });
}

/**
 * Judges a request that got no answer. `wasSent` is false while its connection was still being made. Produce without
 * sequence numbers is not `repeatable`, so its error stays retryable only if no byte of it went to the socket.
 */
export function judgeFailure(acks: Acks, error: unknown, wasSent: boolean): Verdict {
  if (!isRetriable(error)) {
    const isUncertain = wasSent;
    return { kind: 'final', error: isUncertain && acks !== -1 ? lostAnswer(error, acks) : error, isUncertain };
  }
  return { kind: 'again', error: error as CliError, isUncertain: wasSent && acks === -1, lostTrack: 0 };
}

/** Without sequence numbers a request without an answer must not be sent again: its records may be there. */
function lostAnswer(error: unknown, acks: Acks): unknown {
  if (!(error instanceof CliError)) return error;
  return withHints(error, [`--acks ${acks} cannot repeat a request without writing twice: --acks all can`], false);
}
