import type { Batch, Lane, ProducerIdentity } from './lane.ts';
import { sequenceAfter, sequenceDistance } from './sequence.ts';

const outOfOrderSequence = 45;
const invalidEpoch = 47;
/** UNKNOWN_PRODUCER_ID */
export const unknownProducerId = 59;
const fenced = 90;

/** Answers that the broker has lost track of the producer, or takes it for an older one. Nothing was appended. */
export const lostTrackCodes: ReadonlySet<number> = new Set([
  outOfOrderSequence,
  unknownProducerId,
  invalidEpoch,
  fenced,
]);

/** Whether the broker knows a higher epoch of the producer, so that raising the epoch by one does not help. */
export function isFencedBy(code: number): boolean {
  return code === invalidEpoch || code === fenced;
}

/** What the leader remembers of the producer id (DescribeProducers). */
export interface RememberedProducer {
  readonly producerEpoch: number;
  /** The sequence number of the last record that it has; -1 for none. */
  readonly lastSequence: number;
}

/** `unavailable`: it cannot be asked; `unknown`: it does not remember the producer. */
export type Memory = RememberedProducer | 'unavailable' | 'unknown';

/** How a lane goes on. */
export type Recovery =
  /** What may have been written cannot be told from what was not. */
  | { readonly kind: 'undecided' }
  | {
      /** `continue`: the rest is sent as it is numbered; `renumber`: under the next epoch, from 0. */
      readonly kind: 'continue' | 'renumber';
      /** Batches from the queue that are in the log after all. */
      readonly found: readonly Batch[];
      /** Acknowledged records that the log has lost; undefined where that cannot be told. */
      readonly gone: number | undefined;
    };

/**
 * Whether the memory of the leader is needed: to tell what was written where that is uncertain, and to say what was
 * lost where a sequence number is refused.
 */
export function asksMemory(lane: Lane, code: number): boolean {
  if (code === unknownProducerId) return false;
  return code === outOfOrderSequence || lane.queue.some(({ isUncertain }) => isUncertain);
}

/**
 * Decides how a lane goes on whose leader has refused its first batch with `code`. Nothing may be in flight. The memory
 * of the leader is that of its log: what its last sequence number has passed is written, in order, and nothing else is.
 */
export function decideRecovery(lane: Lane, code: number, identity: ProducerIdentity, memory: Memory): Recovery {
  const { queue, acknowledged } = lane;
  const isUncertain = queue.some((batch) => batch.isUncertain);
  if (code === unknownProducerId) return decideForgotten(lane, isUncertain);
  if (memory === 'unavailable') {
    return isUncertain ? { kind: 'undecided' } : { kind: 'renumber', found: [], gone: undefined };
  }
  // A leader that refuses a gap and remembers nothing a moment later has lost the log in between, and with it all of
  // the producer. One that takes the producer for an older one and remembers nothing contradicts itself.
  if (memory === 'unknown') {
    if (isUncertain && code !== outOfOrderSequence) return { kind: 'undecided' };
    return { kind: 'renumber', found: [], gone: code === outOfOrderSequence ? acknowledged.records : undefined };
  }
  if (memory.producerEpoch !== identity.producerEpoch) {
    if (isUncertain && memory.producerEpoch > identity.producerEpoch) return { kind: 'undecided' };
    const isCut = memory.producerEpoch < identity.producerEpoch;
    return { kind: 'renumber', found: [], gone: isCut ? acknowledged.records : undefined };
  }
  return compare(lane, memory.lastSequence);
}

/**
 * The leader has forgotten the producer (before Kafka 2.5, when retention takes its last batch). It takes any first
 * number from then on, so what it remembers later proves nothing about the batches before. Nor is there an order to
 * keep when it has taken a later batch since.
 */
function decideForgotten({ queue, acknowledged }: Lane, isUncertain: boolean): Recovery {
  const [first] = queue;
  const isPassed =
    first !== undefined &&
    acknowledged.lastSequence >= 0 &&
    sequenceDistance(first.sequence, acknowledged.lastSequence) >= 0;
  return isUncertain || isPassed ? { kind: 'undecided' } : { kind: 'renumber', found: [], gone: undefined };
}

/** Holds the queue against the last sequence number that the leader has under the lane's identity. */
function compare({ queue, acknowledged, nextSequence }: Lane, lastSequence: number): Recovery {
  const isWritten = (batch: Batch): boolean => sequenceDistance(lastOf(batch), lastSequence) >= 0;
  const found = queue.filter(isWritten);
  // A batch is written as a whole, and one that was never sent or was refused is not written at all.
  const isTorn = queue.some(
    (batch) => !isWritten(batch) && sequenceDistance(batch.sequence, lastSequence) >= 0 && lastSequence >= 0,
  );
  if (isTorn || found.some(({ isUncertain }) => !isUncertain)) return { kind: 'undecided' };
  const next = queue[found.length]?.sequence ?? nextSequence;
  if (next === sequenceAfter(lastSequence, 1)) return { kind: 'continue', found, gone: 0 };
  const ahead = acknowledged.lastSequence < 0 ? 0 : sequenceDistance(lastSequence, acknowledged.lastSequence);
  const waiting = queue.filter(
    (batch) => !isWritten(batch) && sequenceDistance(lastOf(batch), acknowledged.lastSequence) > 0,
  );
  const gone = Math.max(0, ahead) - waiting.reduce((sum, { records }) => sum + records, 0);
  return { kind: 'renumber', found, gone: Math.max(0, gone) };
}

function lastOf({ sequence, records }: Batch): number {
  return sequenceAfter(sequence, records - 1);
}
