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
}

/** Returns an initial list with the epoch of the record before `offset`; empty if it is unknown (-1). */
export function epochsBefore(offset: bigint, leaderEpoch: number): readonly EpochStart[] {
  return leaderEpoch < 0 ? [] : [{ offset: offset - 1n, leaderEpoch }];
}

/** Returns the epoch of the record before `printed`, which a commit carries (KIP-320); -1 if it is unknown. */
export function printedEpoch({ printed, epochs }: EpochTrail): number {
  return epochs.findLast(({ offset }) => offset < printed)?.leaderEpoch ?? -1;
}

const headerLength = 17;
const smallestLength = 14;

/** Notes where new epochs start in fetched records, reading batch headers only. */
export function noteEpochs(trail: EpochTrail, records: Buffer): void {
  const epochs = [...trail.epochs];
  let last = epochs.at(-1)?.leaderEpoch ?? -1;
  let length: number;
  for (let at = 0; at + headerLength <= records.length; at += 12 + length) {
    length = records.readInt32BE(at + 8);
    if (length < smallestLength) break;
    // Before magic 2, this field is a checksum.
    const leaderEpoch = records[at + 16] === 2 ? records.readInt32BE(at + 12) : -1;
    if (leaderEpoch <= last) continue;
    last = leaderEpoch;
    epochs.push({ offset: records.readBigInt64BE(at), leaderEpoch });
  }
  trail.epochs = epochs;
}

/** Moves back to the offset where the logs diverge, and forgets the epochs after it. */
export function rewindTo(trail: EpochTrail, { offset, leaderEpoch }: EpochStart): void {
  trail.offset = offset;
  trail.printed = offset;
  trail.lastEpoch = leaderEpoch;
  const kept = trail.epochs.filter((start) => start.offset < offset && start.leaderEpoch <= leaderEpoch);
  trail.epochs = kept.length === 0 ? epochsBefore(offset, leaderEpoch) : kept;
}

/** Forgets all epochs, for a position that moves to another offset. */
export function forgetEpochs(trail: EpochTrail): void {
  trail.epochs = [];
  trail.lastEpoch = -1;
}
