import { type EpochTrail, epochsBefore } from './epochs.ts';
/** How far one partition has been read. */
export interface PartitionPosition extends EpochTrail {
  readonly topic: string;
  readonly partition: number;
  /** What was committed last, so that nothing is committed twice. */
  committed: bigint;
  /** Exclusive; undefined to read for ever. */
  readonly end: bigint | undefined;
  /** The broker to fetch from, -1 while it is not known. */
  leader: number;
  /** The epoch in which it is led, as metadata tells it; -1 when unknown. */
  leaderEpoch: number;
  /** The replica that the leader named instead of itself (KIP-392); -1 for none. */
  replica: number;
  /** Nothing more is wanted: the end is reached, or the partition went to another member. */
  done: boolean;
  /** The broker is being asked where to go on: no Fetch meanwhile. */
  resetting: boolean;
  /** Since when every fetch has failed, on the clock of `performance.now`; undefined when the last one succeeded. */
  failedSince: number | undefined;
  /** Fetches that failed in a row. */
  failures: number;
}

/** Where reading one partition begins and ends. */
export interface PartitionStart {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly end: bigint | undefined;
  /** The epoch of the record before `offset`, where a commit tells it; -1 when unknown. */
  readonly epoch?: number;
}

/** A position at its start; it is done at once when there is nothing before its end. */
export function createPosition({ topic, partition, offset, end, epoch = -1 }: PartitionStart): PartitionPosition {
  return {
    ...{ topic, partition },
    ...{ offset, printed: offset, committed: offset, end },
    ...{ leader: -1, leaderEpoch: -1, lastEpoch: epoch, epochs: epochsBefore(offset, epoch), replica: -1 },
    ...{ done: end !== undefined && offset >= end, resetting: false },
    ...{ failedSince: undefined, failures: 0 },
  };
}

/** Where the next Fetch goes; -1 while nobody leads the partition. */
export function nodeOf(position: PartitionPosition): number {
  return position.replica >= 0 ? position.replica : position.leader;
}

const baseOffsetAndLength = 12;
const leaderEpochAt = 12;
const magicAt = 16;
const lastOffsetDeltaAt = 23;
const smallestLength = 14;

/** What the last whole batch of some records says. */
export interface BatchesEnd {
  /** The offset behind it. */
  readonly offset: bigint;
  /** The epoch in which its leader wrote it; -1 before magic 2. */
  readonly leaderEpoch: number;
}

/**
 * The end of the whole batches of `records`, found by hopping over headers, so that the next Fetch is under way
 * before these records are looked at; undefined when no batch is whole.
 */
export function endOfBatches(records: Buffer): BatchesEnd | undefined {
  let at = 0;
  let last = -1;
  while (at + baseOffsetAndLength <= records.length) {
    const length = records.readInt32BE(at + 8);
    const next = at + baseOffsetAndLength + length;
    if (length < smallestLength || next > records.length) break;
    last = at;
    at = next;
  }
  if (last < 0) return undefined;
  const base = records.readBigInt64BE(last);
  // Before magic 2 an entry's own offset is its last one.
  const isBatch = records[last + magicAt] === 2 && at - last > lastOffsetDeltaAt + 4;
  if (!isBatch) return { offset: base + 1n, leaderEpoch: -1 };
  return {
    offset: base + BigInt(records.readInt32BE(last + lastOffsetDeltaAt)) + 1n,
    leaderEpoch: records.readInt32BE(last + leaderEpochAt),
  };
}
