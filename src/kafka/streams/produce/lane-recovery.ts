import { codes } from '../../protocol/wire/error-codes.ts';
import type { Batch, Lane, ProducerIdentity } from './lane.ts';
import { sequenceAfter, sequenceDistance } from './sequence.ts';

/** UNKNOWN_PRODUCER_ID */
export const unknownProducerId = 59;

/** Error codes of a broker that has lost track of the producer or takes it for an older one. Nothing was appended. */
export const lostTrackCodes: ReadonlySet<number> = new Set([
  codes.OUT_OF_ORDER_SEQUENCE_NUMBER,
  unknownProducerId,
  codes.INVALID_PRODUCER_EPOCH,
  codes.PRODUCER_FENCED,
]);

/** Whether the broker knows a higher epoch of the producer, so that raising the epoch by one does not help. */
export function isFencedBy(code: number): boolean {
  return code === codes.INVALID_PRODUCER_EPOCH || code === codes.PRODUCER_FENCED;
}

/** The leader's state of the producer id (DescribeProducers). */
export interface RememberedProducer {
  readonly producerEpoch: number;
  /** The sequence number of the last record in its log; -1 for none. */
  readonly lastSequence: number;
}

/** The leader's state of a producer; `unavailable`: it cannot be read; `unknown`: the leader has none. */
export type Memory = RememberedProducer | 'unavailable' | 'unknown';

/** How a lane continues. */
export type Recovery =
  /** It is not known which of the uncertain batches were written. */
  | { readonly kind: 'undecided' }
  | {
      /** `continue`: the rest keeps its sequence numbers; `renumber`: it starts from 0 under the next epoch. */
      readonly kind: 'continue' | 'renumber';
      /** Queued batches that are already in the log. */
      readonly written: readonly Batch[];
      /** The number of acknowledged records that the log has lost; undefined if that is not known. */
      readonly gone: number | undefined;
    };

/**
 * Whether others must not take the place of a refused batch yet: it was also sent without an answer, or something behind
 * it was, and may be in the log. What was sent before it is sent again first, under its own number.
 */
export function isInDoubt({ queue }: Lane): boolean {
  const refused = queue.find(({ refusal }) => refusal !== undefined);
  const uncertain = queue.find(({ isUncertain }) => isUncertain);
  return refused !== undefined && uncertain !== undefined && uncertain.order >= refused.order;
}

/**
 * Whether the leader's state is needed: to find out what was written where that is uncertain, or what was lost where a
 * sequence number is refused.
 */
export function asksMemory(lane: Lane, code: number): boolean {
  if (code === unknownProducerId) return false;
  return code === codes.OUT_OF_ORDER_SEQUENCE_NUMBER || lane.queue.some(({ isUncertain }) => isUncertain);
}

/**
 * Decides how a lane continues after its leader has refused its first batch with `code`. Nothing may be in flight. The
 * leader's state matches its log: everything up to its last sequence number is written, in order, and nothing else is.
 */
export function decideRecovery(lane: Lane, code: number, identity: ProducerIdentity, memory: Memory): Recovery {
  const { queue, acknowledged } = lane;
  const isUncertain = queue.some((batch) => batch.isUncertain);
  if (code === unknownProducerId) return decideForgotten(lane, isUncertain);
  if (memory === 'unavailable') {
    return isUncertain ? { kind: 'undecided' } : { kind: 'renumber', written: [], gone: undefined };
  }
  if (memory === 'unknown') return decideWithoutState(code, acknowledged.records, isUncertain);
  if (memory.producerEpoch !== identity.producerEpoch) {
    if (isUncertain && memory.producerEpoch > identity.producerEpoch) return { kind: 'undecided' };
    const isCut = memory.producerEpoch < identity.producerEpoch;
    return { kind: 'renumber', written: [], gone: isCut ? acknowledged.records : undefined };
  }
  return compare(lane, memory.lastSequence);
}

/**
 * Decides for a leader without any state of the producer. One that refuses a gap, and has no state a moment later, has
 * lost the log in between, with everything of the producer. One that takes the producer for an older one, and has no
 * state, contradicts itself.
 */
function decideWithoutState(code: number, acknowledged: number, isUncertain: boolean): Recovery {
  if (code === codes.OUT_OF_ORDER_SEQUENCE_NUMBER) return { kind: 'renumber', written: [], gone: acknowledged };
  return isUncertain ? { kind: 'undecided' } : { kind: 'renumber', written: [], gone: undefined };
}

/**
 * Decides for a leader that has forgotten the producer (before Kafka 2.5, when retention removes its last batch). It
 * then accepts any first sequence number, so its later state proves nothing about earlier batches, and the order is
 * already lost if it has taken a later batch since.
 */
function decideForgotten({ queue, acknowledged }: Lane, isUncertain: boolean): Recovery {
  const [first] = queue;
  const isPassed =
    first !== undefined &&
    acknowledged.lastSequence >= 0 &&
    sequenceDistance(first.sequence, acknowledged.lastSequence) >= 0;
  return isUncertain || isPassed ? { kind: 'undecided' } : { kind: 'renumber', written: [], gone: undefined };
}

/** Compares the queue with the last sequence number that the leader has under the lane's identity. */
function compare(lane: Lane, lastSequence: number): Recovery {
  const { queue, acknowledged, nextSequence } = lane;
  if (mayBegin(lane)) return compareNew(lane, lastSequence);
  const isWritten = (batch: Batch): boolean => sequenceDistance(lastOf(batch), lastSequence) >= 0;
  const written = queue.filter(isWritten);
  // A batch is written as a whole, and one that was never sent or was refused is not written.
  const isTorn = queue.some(
    (batch) => !isWritten(batch) && sequenceDistance(batch.sequence, lastSequence) >= 0 && lastSequence >= 0,
  );
  if (isTorn || written.some(({ isUncertain }) => !isUncertain)) return { kind: 'undecided' };
  const next = queue[written.length]?.sequence ?? nextSequence;
  if (next === sequenceAfter(lastSequence, 1)) return { kind: 'continue', written, gone: 0 };
  const ahead = acknowledged.lastSequence < 0 ? 0 : sequenceDistance(lastSequence, acknowledged.lastSequence);
  const waiting = queue.filter(
    (batch) => !isWritten(batch) && sequenceDistance(lastOf(batch), acknowledged.lastSequence) > 0,
  );
  const gone = Math.max(0, ahead) - waiting.reduce((sum, { records }) => sum + records, 0);
  return { kind: 'renumber', written, gone: Math.max(0, gone) };
}

/**
 * Whether the log may begin with a later batch than the first of the queue: a leader that has no state of the producer,
 * as in a topic that was created again, takes any first sequence number. Without topic ids, an acknowledged batch after
 * the refused one is a sign of it.
 */
function mayBegin({ queue: [first], acknowledged, topicId, restart }: Lane): boolean {
  if (first === undefined) return false;
  if (restart !== undefined && first.order < restart.order) return true;
  if (topicId !== undefined) return false;
  return acknowledged.lastSequence >= 0 && sequenceDistance(first.sequence, acknowledged.lastSequence) >= 0;
}

/** Compares with a log of which it is not known where it begins: what it has not reached is not in it. */
function compareNew({ queue, restart }: Lane, lastSequence: number): Recovery {
  const isInDoubt = (batch: Batch): boolean => (restart?.isNewTopic ? batch.mayStray : batch.isUncertain);
  const mayBeIn = queue.some((batch) => isInDoubt(batch) && sequenceDistance(lastOf(batch), lastSequence) >= 0);
  return mayBeIn ? { kind: 'undecided' } : { kind: 'renumber', written: [], gone: undefined };
}

function lastOf({ sequence, records }: Batch): number {
  return sequenceAfter(sequence, records - 1);
}
