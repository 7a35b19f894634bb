/** The first offset of a leader epoch. */
export interface EpochStart {
  readonly epoch: number;
  readonly startOffset: number;
}

/** The end of a leader epoch, as OffsetForLeaderEpoch reports it. */
export interface EpochEnd {
  readonly epoch: number;
  readonly endOffset: number;
}

/** The leader epochs of a log, with both numbers ascending (KIP-101). */
export type EpochCache = EpochStart[];

/** Records that an epoch starts at an offset, and removes entries that contradict it. */
export function assignEpoch(cache: EpochCache, epoch: number, startOffset: number): void {
  const last = cache.at(-1);
  if (last !== undefined && last.epoch === epoch && last.startOffset <= startOffset) return;
  while (cache.length > 0 && isBeyond(cache.at(-1), epoch, startOffset)) cache.pop();
  cache.push({ epoch, startOffset });
}

function isBeyond(entry: EpochStart | undefined, epoch: number, startOffset: number): boolean {
  return entry !== undefined && (entry.epoch >= epoch || entry.startOffset >= startOffset);
}

/** Removes epochs that start at or after the new end of the log. */
export function truncateEpochsEnd(cache: EpochCache, endOffset: number): void {
  while ((cache.at(-1)?.startOffset ?? -1) >= endOffset) cache.pop();
}

/** Removes epochs that end before the new start of the log; the first remaining epoch starts there. */
export function truncateEpochsStart(cache: EpochCache, startOffset: number): void {
  let first: EpochStart | undefined;
  while (cache[0] !== undefined && cache[0].startOffset < startOffset) first = cache.shift();
  if (first !== undefined && cache[0]?.startOffset !== startOffset) cache.unshift({ epoch: first.epoch, startOffset });
}

/** Finds the end of an epoch or of the largest one below it; undefined when it is larger than all or unknown (-1). */
export function endOfEpoch(cache: EpochCache, epoch: number, logEnd: number): EpochEnd | undefined {
  if (epoch < 0 || cache.length === 0) return undefined;
  if (cache.at(-1)?.epoch === epoch) return { epoch, endOffset: logEnd };
  const higher = cache.find((entry) => entry.epoch > epoch);
  if (higher === undefined) return undefined;
  const floor = cache.findLast((entry) => entry.epoch <= epoch);
  // An epoch below all known ones ends where the first known epoch starts.
  return { epoch: floor?.epoch ?? epoch, endOffset: higher.startOffset };
}
