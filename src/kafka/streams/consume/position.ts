import { viewOver } from '../../../bytes/arena.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import { type EpochTrail, epochsBefore, forgetEpochs } from './epochs.ts';

/** The read position in one partition. */
export interface PartitionPosition extends EpochTrail {
  readonly topic: string;
  readonly partition: number;
  /** The id of the topic that is being read (KIP-516); undefined when unknown. */
  topicId: string | undefined;
  /** The ids of deleted topics with this name; metadata with one of these ids is outdated. */
  formerIds: readonly string[];
  /** The last committed offset, so that none is committed twice. */
  committed: bigint;
  /** The end offset, exclusive; undefined to read without end. */
  readonly end: bigint | undefined;
  /** The leader's broker id; -1 while it is unknown. */
  leader: number;
  /** The leader epoch according to metadata; -1 when unknown. */
  leaderEpoch: number;
  /** The replica that the leader redirected reads to (KIP-392); -1 for none. */
  replica: number;
  /** Whether a follower did not have this offset; the leader may still redirect reads to it again. */
  isFarFromReplica: boolean;
  /** Whether reading is over: the end is reached, another member owns the partition, or its topic is gone. */
  done: boolean;
  /** Whether another member may own the partition; fetched records that are not printed yet are left to that member. */
  isRevoked: boolean;
  /** The start of the first failed fetch in a row, on the client's clock; undefined if the last fetch succeeded. */
  failedSince: number | undefined;
  /** The number of consecutive failed fetches. */
  failures: number;
  /** When it was given to the broker that it is read from, on the client's clock. */
  placedAt: number;
  /** When the leader began to send no records although `end` is not reached, on the client's clock. */
  silentSince: number | undefined;
}

/** The start and end offsets for reading one partition. */
export interface PartitionStart {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly end: bigint | undefined;
  /** The leader epoch of the record before `offset`, if a commit carries it; -1 when unknown. */
  readonly epoch?: number;
  readonly topicId?: string | undefined;
}

/** Creates a position at its start; an empty range is done at once. */
export function createPosition(start: PartitionStart): PartitionPosition {
  const { topic, partition, offset, end, epoch = -1, topicId } = start;
  return {
    topic,
    partition,
    topicId,
    formerIds: [],
    offset,
    printed: offset,
    committed: offset,
    end,
    leader: -1,
    leaderEpoch: -1,
    lastEpoch: epoch,
    epochs: epochsBefore(offset, epoch),
    jumps: 0,
    replica: -1,
    isFarFromReplica: false,
    done: end !== undefined && offset >= end,
    isRevoked: false,
    failedSince: undefined,
    failures: 0,
    placedAt: 0,
    silentSince: undefined,
  };
}

/** The broker for the next Fetch; -1 while the partition has no known leader. */
export function nodeOf(position: PartitionPosition): number {
  return position.replica >= 0 ? position.replica : position.leader;
}

/** Whether everything before the end has been fetched; it may not be printed yet. */
export function isFetched({ end, offset }: PartitionPosition): boolean {
  return end !== undefined && offset >= end;
}

/** Moves to another offset and forgets the epochs of the records before it. */
export function jumpTo(position: PartitionPosition, offset: bigint): void {
  position.offset = offset;
  position.printed = offset;
  position.jumps += 1;
  position.silentSince = undefined;
  forgetEpochs(position);
}

/**
 * Compares the topic that is being read with the one that metadata describes: the `same` topic, one that has replaced
 * it (`recreated`), or one that it has replaced (`outdated`). Without ids, every topic is the same.
 */
export function compareTopic(position: PartitionPosition, id: string | undefined): 'same' | 'recreated' | 'outdated' {
  if (id === undefined || id === noUuid || id === position.topicId) return 'same';
  if (position.formerIds.includes(id)) return 'outdated';
  if (position.topicId !== undefined) return 'recreated';
  position.topicId = id;
  return 'same';
}

/** Starts over with the topic that has replaced the one being read. */
export function startOver(position: PartitionPosition, id: string): void {
  if (position.topicId !== undefined) position.formerIds = [...position.formerIds, position.topicId];
  position.topicId = id;
  position.leaderEpoch = -1;
  jumpTo(position, 0n);
  // A commit for the topic before may have been taken for this one.
  position.committed = -1n;
}

const baseOffsetAndLength = 12;
const leaderEpochAt = 12;
const magicAt = 16;
const lastOffsetDeltaAt = 23;
const smallestLength = 14;
const largestMagic = 2;
/** The high half of the first offset that a number does not hold exactly. */
const highBeyondSafe = 0x1fffff;

/** The end of the last complete batch in a buffer of records. */
export interface BatchesEnd {
  /** The offset after it. */
  readonly offset: bigint;
  /** The leader epoch of the batch; -1 before magic 2. */
  readonly leaderEpoch: number;
}

/** A batch whose header cannot be right, although no checksum covers what is wrong. */
export interface HeaderDamage {
  /** The start of the batch in the buffer. */
  readonly at: number;
  readonly reason: string;
}

/** What the headers of fetched batches show. */
export interface SurveyedBatches {
  /** The end of the complete batches before the damage; undefined for none. */
  readonly end: BatchesEnd | undefined;
  readonly damage: HeaderDamage | undefined;
}

/**
 * Finds the end of the complete batches in `records` from their headers alone, so that the next Fetch can be sent
 * before the records are processed. A partial batch at the end is normal. The checksum of a batch does not cover its
 * base offset and its magic byte (KIP-98), so these are checked: the offsets of a log only rise.
 * @param from the offset that was asked for: the first batch contains it, unless there is a gap
 */
export function surveyBatches(records: Buffer, from = 0n): SurveyedBatches {
  const view = viewOver(records);
  let at = 0;
  /** The starts of the last batch and of the one before it, and the offsets after them. */
  let last = -1;
  let former = -1;
  let after = 0;
  let afterFormer = 0;
  let lastBase = 0;
  while (at + baseOffsetAndLength <= records.length) {
    const length = view.getInt32(at + 8);
    if (length < smallestLength) break; // the reader of the records reports it
    const base = baseOffsetAt(view, at);
    if (base < after) {
      const reason = orderReason(records, last, at);
      // If there is a gap before the last batch, and the offsets rise without it, it is the one at fault.
      const isLastAtFault = last >= 0 && lastBase > afterFormer && base >= afterFormer;
      if (isLastAtFault) return surveyed(records, former, { at: last, reason });
      return surveyed(records, last, { at, reason });
    }
    const next = at + baseOffsetAndLength + length;
    if (next > records.length) return surveyed(records, last, partialDamage(records, at));
    const delta = lastDelta(records, view, at, next);
    afterFormer = last < 0 ? Number(from) : after;
    former = last;
    last = at;
    lastBase = base;
    // The reader of the records reports a negative one.
    after = delta < 0 ? base : Math.min(base + delta + 1, Number.MAX_SAFE_INTEGER);
    at = next;
  }
  return surveyed(records, last, undefined);
}

function lastDelta(records: Buffer, view: DataView, at: number, next: number): number {
  return hasDelta(records, at, next) ? view.getInt32(at + lastOffsetDeltaAt) : 0;
}

/** The base offset of a batch; larger numbers than the largest safe one are not exact. */
function baseOffsetAt(view: DataView, at: number): number {
  const high = view.getInt32(at);
  return high >= highBeyondSafe ? Number.MAX_SAFE_INTEGER : high * 4294967296 + view.getUint32(at + 4);
}

function surveyed(records: Buffer, last: number, damage: HeaderDamage | undefined): SurveyedBatches {
  return { end: last < 0 ? undefined : endOf(records, last), damage };
}

/** Says how the batch at `at` contradicts the one before it. */
function orderReason(records: Buffer, last: number, at: number): string {
  const base = records.readBigInt64BE(at);
  if (base < 0n || last < 0) return `invalid base offset ${base}`;
  return `a batch ends at offset ${endOf(records, last).offset - 1n}, and the next one begins at ${base}`;
}

/** What can be seen of a partial batch and cannot be right. */
function partialDamage(records: Buffer, at: number): HeaderDamage | undefined {
  const magic = records[at + magicAt];
  return magic === undefined || magic <= largestMagic ? undefined : { at, reason: `unsupported magic byte ${magic}` };
}

/** Whether lastOffsetDelta is there: in a batch of magic 2. */
function hasDelta(records: Buffer, at: number, next: number): boolean {
  return records[at + magicAt] === largestMagic && next - at > lastOffsetDeltaAt + 4;
}

function endOf(records: Buffer, last: number): BatchesEnd {
  const base = records.readBigInt64BE(last);
  // Before magic 2, the offset of an entry is that of its last record.
  if (!hasDelta(records, last, last + baseOffsetAndLength + records.readInt32BE(last + 8)))
    return { offset: base + 1n, leaderEpoch: -1 };
  return {
    offset: base + BigInt(records.readInt32BE(last + lastOffsetDeltaAt)) + 1n,
    leaderEpoch: records.readInt32BE(last + leaderEpochAt),
  };
}
