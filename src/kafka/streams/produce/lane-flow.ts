import type { Batch, Lane, Placed, Trouble } from './lane.ts';
import { unknownProducerId } from './lane-recovery.ts';
import { sequenceAfter, sequenceDistance } from './sequence.ts';

/**
 * How many batches of a producer a broker remembers (KIP-98). No batch is sent that would push an unsettled one out of
 * that memory, because the broker would then take a repetition of that one for a gap instead of a duplicate.
 */
const window = 5;

/**
 * How long an acknowledgement holds for a lane that sends nothing, in milliseconds. An idle lane does not notice
 * elections, truncation or expiry (`producer.id.expiration.ms`).
 */
const proofMs = 1_000;

/** How many batches of a lane may be in flight: `idempotent` for the window, or a fixed number. */
export type Pipelining = 'idempotent' | number;

/**
 * Whether the lane's next batch may be sent. An idempotent lane sends a single batch until the leader has acknowledged
 * one: a leader that does not know the producer accepts any first sequence number, so with several batches in flight it
 * could refuse the first and take the second.
 */
export function maySend(lane: Lane, pipelining: Pipelining, now: number): boolean {
  const { queue, inFlight, trouble } = lane;
  const [next] = queue;
  if (trouble !== undefined || next === undefined) return false;
  const [oldest] = inFlight;
  if (oldest === undefined) {
    if (lane.provenAt !== undefined && now - lane.provenAt > proofMs) lane.provenAt = undefined;
    return true;
  }
  if (pipelining !== 'idempotent') return inFlight.length < pipelining;
  return lane.provenAt !== undefined && next.order < oldest.order + window;
}

/** Takes the lane's next batch out of the queue for sending; call `maySend` first. */
export function takeNext(lane: Lane, now: number): Batch | undefined {
  const batch = lane.queue.shift();
  if (batch === undefined) return undefined;
  batch.firstSentAt ??= now;
  batch.isOnWire = false;
  lane.inFlight.push(batch);
  return batch;
}

/**
 * Notes that the leader has the batch, at `offset` (-1: unknown). If this offset is not above that of an earlier batch,
 * the log has been truncated: returns the offset up to which acknowledged records should be in the log. Otherwise
 * returns undefined.
 */
export function acknowledge(lane: Lane, batch: Batch, offset: bigint, now: number): bigint | undefined {
  remove(lane.inFlight, batch);
  lane.failures = 0;
  // A batch that was in flight before the trouble proves nothing about the next leader.
  if (lane.trouble === undefined) lane.provenAt = now;
  return noteAcknowledged(lane, batch, offset);
}

/** Notes an acknowledged batch, whether it was in flight or found in the log; returns the same as `acknowledge`. */
export function noteAcknowledged(lane: Lane, batch: Batch, offset: bigint): bigint | undefined {
  const { acknowledged } = lane;
  acknowledged.records += batch.records;
  acknowledged.inTopic += batch.records;
  const last = sequenceAfter(batch.sequence, batch.records - 1);
  if (acknowledged.lastSequence < 0 || sequenceDistance(acknowledged.lastSequence, last) > 0) {
    acknowledged.lastSequence = last;
  }
  return offset < 0n ? undefined : place(acknowledged.recent, batch, offset);
}

/**
 * Notes where the batch is; returns the offset of the one before it if that is not lower. The earlier offsets are then
 * those of a log that is gone.
 */
function place(recent: Placed[], { order, records }: Batch, offset: bigint): bigint | undefined {
  const before = recent.findLastIndex((placed) => placed.order < order);
  const expected = recent[before]?.lastOffset ?? -1n;
  const isBack = offset <= expected;
  recent.splice(isBack ? 0 : before + 1, isBack ? before + 1 : 0, { order, lastOffset: offset + BigInt(records - 1) });
  if (recent.length > window + 1) recent.shift();
  return isBack ? expected : undefined;
}

/** Puts a batch that was not acknowledged back in its place; nothing is sent until the trouble is cleared up. */
export function giveBack(lane: Lane, batch: Batch, trouble: Omit<Trouble, 'order'>): void {
  remove(lane.inFlight, batch);
  batch.isOnWire = false;
  const at = lane.queue.findIndex(({ order }) => order > batch.order);
  lane.queue.splice(at < 0 ? lane.queue.length : at, 0, batch);
  halt(lane, { ...trouble, order: batch.order });
}

/**
 * Stops sending. Of several troubles the one of the first batch counts, because the others follow from it, but
 * UNKNOWN_PRODUCER_ID is always kept.
 */
export function halt(lane: Lane, trouble: Trouble): void {
  const { trouble: other } = lane;
  if (other === undefined) lane.failures += 1;
  const first = other === undefined || trouble.order < other.order ? trouble : other;
  const isForgotten = [trouble, other].some((each) => each?.lostTrack === unknownProducerId);
  lane.trouble = isForgotten ? { ...first, lostTrack: unknownProducerId } : first;
}

/** Continues with a leader. Nothing may be in flight. */
export function resume(lane: Lane, leader: number): void {
  lane.leader = leader;
  lane.trouble = undefined;
  lane.provenAt = undefined;
}

/** Whether the lane's topic was deleted and created again, and the lane still belongs to the deleted one. */
export function hasNewTopic({ topicId, current }: Lane): boolean {
  return topicId !== current.id && topicId !== undefined;
}

/** Whether the lane has something to send, nothing in flight, and must look for its leader first. */
export function needsLeader({ trouble, inFlight, queue }: Lane): boolean {
  return trouble !== undefined && inFlight.length === 0 && queue.length > 0;
}

/** Returns the batches that are not acknowledged and may or may not be in the log. */
export function uncertainBatches({ queue, inFlight }: Lane): readonly Batch[] {
  return [...inFlight.filter(isUncertain), ...queue.filter(isUncertain)];
}

/** Returns the batches that are certainly not in the log. */
export function unsentBatches({ queue, inFlight }: Lane): readonly Batch[] {
  return [...inFlight, ...queue].filter((batch) => !isUncertain(batch));
}

function isUncertain(batch: Batch): boolean {
  return batch.isUncertain || batch.isOnWire;
}

function remove(batches: Batch[], batch: Batch): void {
  const at = batches.indexOf(batch);
  if (at >= 0) batches.splice(at, 1);
}
