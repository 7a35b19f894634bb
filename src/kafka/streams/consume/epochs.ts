/** The start of a leader epoch: records from `offset` on were written in `leaderEpoch`. */
export interface EpochStart {
  readonly offset: bigint;
  readonly leaderEpoch: number;
}

/** How far a partition has been read, and the leader epochs of the records. */
export interface EpochTrail {
  /** The next offset to fetch. */
  offset: bigint;
  /** The offset after the last record that was printed or left out; the offset to commit. */
  printed: bigint;
  /** The epoch of the last batch fetched; -1 when unknown. */
  lastEpoch: number;
  /** The starts of the epochs of the fetched records, oldest first. */
  epochs: readonly EpochStart[];
  /** How often the position has moved other than by reading; records that arrived before a jump do not advance it. */
  jumps: number;
}

/** Returns an initial list with the epoch of the record before `offset`; empty if it is unknown (-1). */
export function epochsBefore(offset: bigint, leaderEpoch: number): readonly EpochStart[] {
  return leaderEpoch < 0 ? [] : [{ offset: offset - 1n, leaderEpoch }];
}

/** Returns the epoch of the record before `printed`, which a commit carries (KIP-320); -1 if it is unknown. */
export function printedEpoch({ printed, epochs }: EpochTrail): number {
  return epochs.findLast(({ offset }) => offset < printed)?.leaderEpoch ?? -1;
}

const headerLength = 27;
const smallestLength = 14;

/**
 * Notes where new epochs start in fetched records, reading batch headers only. An epoch begins where the batch before it
 * ends, because compaction may have removed the records in between.
 * @param from the offset at which these records begin
 */
export function noteEpochs(trail: EpochTrail, records: Buffer, from: bigint): void {
  const epochs = [...trail.epochs];
  let last = epochs.at(-1)?.leaderEpoch ?? -1;
  let end = from;
  let length: number;
  for (let at = 0; at + headerLength <= records.length; at += 12 + length) {
    length = records.readInt32BE(at + 8);
    if (length < smallestLength) break;
    // Before magic 2, this field is a checksum.
    const isBatch = records[at + 16] === 2;
    const leaderEpoch = isBatch ? records.readInt32BE(at + 12) : -1;
    if (leaderEpoch > last) {
      last = leaderEpoch;
      epochs.push({ offset: end, leaderEpoch });
    }
    if (isBatch) end = records.readBigInt64BE(at) + BigInt(records.readInt32BE(at + 23)) + 1n;
  }
  trail.epochs = epochs;
}

/**
 * The offset where the log of a new leader diverges from what was read; undefined if it does not. A leader that lacks
 * the epoch of the last record answers with the largest lower epoch that it has and the end of that epoch. Records read
 * in later epochs are not in its log, even if its log is longer (KIP-279).
 */
export function divergenceOf({ epochs, offset }: EpochTrail, end: EpochStart): bigint | undefined {
  // A leader without a lower epoch answers -1.
  const later = end.leaderEpoch < 0 ? undefined : epochs.find(({ leaderEpoch }) => leaderEpoch > end.leaderEpoch);
  const ownEnd = later?.offset ?? offset;
  const divergence = ownEnd < end.offset ? ownEnd : end.offset;
  return divergence < offset ? divergence : undefined;
}

/**
 * Moves back to the offset where the logs diverge, and forgets the epochs after it.
 * @param leaderEpoch the largest epoch before `offset` in the leader's log
 */
export function rewindTo(trail: EpochTrail, { offset, leaderEpoch }: EpochStart): void {
  trail.offset = offset;
  trail.printed = offset;
  trail.jumps += 1;
  const remaining = trail.epochs.filter((start) => start.offset < offset && start.leaderEpoch <= leaderEpoch);
  trail.epochs = remaining.length === 0 ? epochsBefore(offset, leaderEpoch) : remaining;
  trail.lastEpoch = trail.epochs.at(-1)?.leaderEpoch ?? -1;
}

/** Forgets all epochs, for a position that moves to another offset. */
export function forgetEpochs(trail: EpochTrail): void {
  trail.epochs = [];
  trail.lastEpoch = -1;
}
