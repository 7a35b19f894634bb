/** From an offset on, the records of a partition were written in this leader epoch. */
export interface EpochStart {
  readonly offset: bigint;
  readonly leaderEpoch: number;
}

/** How far a partition has been read, and in which epochs. */
export interface EpochTrail {
  /** The next offset to fetch. */
  offset: bigint;
  /** The offset after the last record that was printed or left out: what may be committed. */
  printed: bigint;
  /** The epoch of the last batch that was fetched; -1 when unknown. */
  lastEpoch: number;
  /** Where the epochs of what was fetched begin, oldest first. */
  epochs: readonly EpochStart[];
}

/** The epoch of the record before `offset`, as a list to begin with; empty when it is unknown (-1). */
export function epochsBefore(offset: bigint, leaderEpoch: number): readonly EpochStart[] {
  return leaderEpoch < 0 ? [] : [{ offset: offset - 1n, leaderEpoch }];
}

/** The epoch of the record before `printed`, which a commit carries (KIP-320); -1 when it is unknown. */
export function printedEpoch({ printed, epochs }: EpochTrail): number {
  return epochs.findLast(({ offset }) => offset < printed)?.leaderEpoch ?? -1;
}

const headerLength = 27;
const smallestLength = 14;

/**
 * Remembers from where on fetched records are of another epoch; hops over batch headers. An epoch begins where the
 * batch before it ends: what compaction has removed in between belongs to nobody.
 * @param from where these records begin
 */
export function noteEpochs(trail: EpochTrail, records: Buffer, from: bigint): void {
  const epochs = [...trail.epochs];
  let last = epochs.at(-1)?.leaderEpoch ?? -1;
  let end = from;
  let length: number;
  for (let at = 0; at + headerLength <= records.length; at += 12 + length) {
    length = records.readInt32BE(at + 8);
    if (length < smallestLength) break;
    // What stands there before magic 2 is a checksum.
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
 * Where the log of a new leader parts from what was read; undefined where it does not. Asked about the epoch of the
 * last record, a leader that does not have it names the largest one below that it has, and where that ends. What was
 * read in later epochs is not in its log, even if its log is longer (KIP-279).
 */
export function partingOf({ epochs, offset }: EpochTrail, end: EpochStart): bigint | undefined {
  // A leader that knows of no epoch before names -1.
  const later = end.leaderEpoch < 0 ? undefined : epochs.find(({ leaderEpoch }) => leaderEpoch > end.leaderEpoch);
  const own = later?.offset ?? offset;
  const parting = own < end.offset ? own : end.offset;
  return parting < offset ? parting : undefined;
}

/**
 * Where the logs part, reading goes on: what was read after it, and its epochs, are no more.
 * @param leaderEpoch the largest epoch before `offset` in the log of the leader
 */
export function rewindTo(trail: EpochTrail, { offset, leaderEpoch }: EpochStart): void {
  trail.offset = offset;
  trail.printed = offset;
  const kept = trail.epochs.filter((start) => start.offset < offset && start.leaderEpoch <= leaderEpoch);
  trail.epochs = kept.length === 0 ? epochsBefore(offset, leaderEpoch) : kept;
  trail.lastEpoch = trail.epochs.at(-1)?.leaderEpoch ?? -1;
}

/** A position that jumps knows nothing of the records before it. */
export function forgetEpochs(trail: EpochTrail): void {
  trail.epochs = [];
  trail.lastEpoch = -1;
}
