import type { Batch, Lane, Placed, Trouble } from './lane.ts';
import { unknownProducerId } from './lane-recovery.ts';
import { sequenceAfter, sequenceDistance } from './sequence.ts';

/**
 * A broker remembers the last five batches of a producer (KIP-98). No batch goes out that would push one that is not
 * settled out of that memory: sent again, that one would be taken for a gap instead of a duplicate.
 */
const window = 5;

/**
 * How long an acknowledgement vouches for a lane that sends nothing, in milliseconds. Elections, truncation and
 * expiry (`producer.id.expiration.ms`) go unnoticed by a lane that is idle.
 */
const proofMs = 1_000;

/** Who pipelines: `idempotent` by the window, the others by a fixed number of batches. */
export type Pipelining = 'idempotent' | number;

/**
 * Whether the lane's next batch may be sent. An idempotent lane sends one batch alone until the leader has acknowledged
 * one: a leader that does not know the producer accepts any first sequence number, so with several in flight it could
 * refuse the first and take the second.
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

/** Takes the lane's next batch out, to be sent; ask `maySend` first. */
export function takeNext(lane: Lane, now: number): Batch | undefined {
  const batch = lane.queue.shift();
  if (batch === undefined) return undefined;
  batch.firstSentAt ??= now;
  lane.inFlight.push(batch);
  return batch;
}

/**
 * The leader has the batch, at `offset` (-1: unknown). Returns the offset up to which acknowledged records should be
 * in the log while this one was written at or before it: the log has been cut. Undefined where nothing is amiss.
 */
export function acknowledge(lane: Lane, batch: Batch, offset: bigint, now: number): bigint | undefined {
  remove(lane.inFlight, batch);
  lane.failures = 0;
  // What was in flight before trouble says nothing about the leader that comes after it.
  if (lane.trouble === undefined) lane.provenAt = now;
  return noteAcknowledged(lane, batch, offset);
}

/** Remembers what is acknowledged, in flight or found by other means; see `acknowledge` for the result. */
export function noteAcknowledged(lane: Lane, batch: Batch, offset: bigint): bigint | undefined {
  const { acknowledged } = lane;
  acknowledged.records += batch.records;
  const last = sequenceAfter(batch.sequence, batch.records - 1);
  if (acknowledged.lastSequence < 0 || sequenceDistance(acknowledged.lastSequence, last) > 0) {
    acknowledged.lastSequence = last;
  }
  return offset < 0n ? undefined : place(acknowledged.recent, batch, offset);
}

/** Notes where the batch is; the offset of the one before it when that is not below. */
function place(recent: Placed[], { order, records }: Batch, offset: bigint): bigint | undefined {
  const before = recent.findLastIndex((placed) => placed.order < order);
  const expected = recent[before]?.lastOffset ?? -1n;
  recent.splice(before + 1, 0, { order, lastOffset: offset + BigInt(records - 1) });
  if (recent.length > window + 1) recent.shift();
  return offset <= expected ? expected : undefined;
}

/** The batch was not acknowledged: it goes back to its place, and nothing is sent until the trouble is cleared up. */
export function giveBack(lane: Lane, batch: Batch, trouble: Omit<Trouble, 'order'>): void {
  remove(lane.inFlight, batch);
  const at = lane.queue.findIndex(({ order }) => order > batch.order);
  lane.queue.splice(at < 0 ? lane.queue.length : at, 0, batch);
  halt(lane, { ...trouble, order: batch.order });
}

/**
 * Stops sending; of several troubles that of the first batch counts, for the others follow from it. That the leader
 * has forgotten the producer counts always.
 */
export function halt(lane: Lane, trouble: Trouble): void {
  const { trouble: other } = lane;
  if (other === undefined) lane.failures += 1;
  const first = other === undefined || trouble.order < other.order ? trouble : other;
  const isForgotten = [trouble, other].some((each) => each?.lostTrack === unknownProducerId);
  lane.trouble = isForgotten ? { ...first, lostTrack: unknownProducerId } : first;
}

/** Goes on with a leader. Nothing may be in flight. */
export function resume(lane: Lane, leader: number): void {
  lane.leader = leader;
  lane.trouble = undefined;
  lane.provenAt = undefined;
}

/** Whether the lane has something to send, nothing in flight, and must find out first where to. */
export function needsLeader({ trouble, inFlight, queue }: Lane): boolean {
  return trouble !== undefined && inFlight.length === 0 && queue.length > 0;
}

/** Records that may be in the log, or not. */
export function uncertainRecords({ queue, inFlight }: Lane): number {
  const uncertain = queue.filter(({ isUncertain }) => isUncertain);
  return [...inFlight, ...uncertain].reduce((sum, { records }) => sum + records, 0);
}

function remove(batches: Batch[], batch: Batch): void {
  const at = batches.indexOf(batch);
  if (at >= 0) batches.splice(at, 1);
}
