import { noUuid } from '../protocol/codec.ts';
import { type EpochTrail, epochsBefore, forgetEpochs } from './epochs.ts';

/** How far one partition has been read. */
export interface PartitionPosition extends EpochTrail {
  readonly topic: string;
  readonly partition: number;
  /** The id of the topic as it is being read (KIP-516); undefined when unknown. */
  topicId: string | undefined;
  /** The ids of topics of this name that were deleted: metadata with one of them is out of date. */
  formerIds: readonly string[];
  /** What was committed last, so that nothing is committed twice. */
  committed: bigint;
  /** Exclusive; undefined to read for ever. */
  readonly end: bigint | undefined;
  /** The broker to fetch from, -1 while it is not known. */
  leader: number;
  /** The epoch in which it leads, according to metadata; -1 when unknown. */
  leaderEpoch: number;
  /** The replica that the leader named instead of itself (KIP-392); -1 for none. */
  replica: number;
  /** A follower did not have this offset; the leader may name it again all the same. */
  isFarFromReplica: boolean;
  /** Nothing more is wanted: the end is reached, the partition went to another member, or its topic is gone. */
  done: boolean;
  /** Another member may have it: what was fetched and is not printed yet is left to that one. */
  isRevoked: boolean;
  /** Since when every fetch has failed, on the client's clock; undefined when the last one succeeded. */
  failedSince: number | undefined;
  /** Fetches that failed in a row. */
  failures: number;
  /** Since when the leader has sent nothing although `end` is beyond this offset, on the client's clock. */
  silentSince: number | undefined;
}

/** Where reading one partition begins and ends. */
export interface PartitionStart {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly end: bigint | undefined;
  /** The epoch of the record before `offset`, where a commit has it; -1 when unknown. */
  readonly epoch?: number;
  readonly topicId?: string | undefined;
}

/** A position at its start; it is done at once when there is nothing before its end. */
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
    replica: -1,
    isFarFromReplica: false,
    done: end !== undefined && offset >= end,
    isRevoked: false,
    failedSince: undefined,
    failures: 0,
    silentSince: undefined,
  };
}

/** Where the next Fetch goes; -1 while nobody leads the partition. */
export function nodeOf(position: PartitionPosition): number {
  return position.replica >= 0 ? position.replica : position.leader;
}

/** Whether everything before its end was fetched; printing may still be under way. */
export function isFetched({ end, offset }: PartitionPosition): boolean {
  return end !== undefined && offset >= end;
}

/** Goes on at another offset, of whose records before it nothing is known. */
export function jumpTo(position: PartitionPosition, offset: bigint): void {
  position.offset = offset;
  position.printed = offset;
  position.silentSince = undefined;
  forgetEpochs(position);
}

/**
 * Compares the topic that is being read with the one that metadata describes: the `same`, one that was created in its
 * place since (`recreated`), or one that was deleted before it (`outdated`). Without ids every topic is the same.
 */
export function compareTopic(position: PartitionPosition, id: string | undefined): 'same' | 'recreated' | 'outdated' {
  if (id === undefined || id === noUuid || id === position.topicId) return 'same';
  if (position.formerIds.includes(id)) return 'outdated';
  if (position.topicId !== undefined) return 'recreated';
  position.topicId = id;
  return 'same';
}

/** Starts over with the topic that was created in place of the one that was read. */
export function startOver(position: PartitionPosition, id: string): void {
  if (position.topicId !== undefined) position.formerIds = [...position.formerIds, position.topicId];
  position.topicId = id;
  position.leaderEpoch = -1;
  jumpTo(position, 0n);
}

const baseOffsetAndLength = 12;
const leaderEpochAt = 12;
const magicAt = 16;
const lastOffsetDeltaAt = 23;
const smallestLength = 14;

/** What the last whole batch of some records says. */
export interface BatchesEnd {
  /** The offset after it. */
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
