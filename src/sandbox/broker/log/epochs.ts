/** Where the records of a leader's epoch begin. */
export interface EpochStart {
  readonly epoch: number;
  readonly startOffset: number;
}

/** What OffsetForLeaderEpoch tells. */
export interface EpochEnd {
  readonly epoch: number;
  readonly endOffset: number;
}

/** The epochs of a log, both numbers ascending (KIP-101). */
export type EpochCache = EpochStart[];

/** Notes that an epoch begins at an offset; what contradicts it goes. */
export function assignEpoch(cache: EpochCache, epoch: number, startOffset: number): void {
  const last = cache.at(-1);
  if (last !== undefined && last.epoch === epoch && last.startOffset <= startOffset) return;
  while (cache.length > 0 && isBeyond(cache.at(-1), epoch, startOffset)) cache.pop();
  cache.push({ epoch, startOffset });
}

function isBeyond(entry: EpochStart | undefined, epoch: number, startOffset: number): boolean {
  return entry !== undefined && (entry.epoch >= epoch || entry.startOffset >= startOffset);
}

/** Forgets epochs that begin at or after the new end of the log. */
export function truncateEpochsEnd(cache: EpochCache, endOffset: number): void {
  while ((cache.at(-1)?.startOffset ?? -1) >= endOffset) cache.pop();
}

/** Forgets epochs that end before the new start of the log; the first one that is left begins there. */
export function truncateEpochsStart(cache: EpochCache, startOffset: number): void {
  let first: EpochStart | undefined;
  while (cache[0] !== undefined && cache[0].startOffset < startOffset) first = cache.shift();
  if (first !== undefined && cache[0]?.startOffset !== startOffset) cache.unshift({ epoch: first.epoch, startOffset });
}

/** The end of an epoch, or of the largest one below it; undefined when the epoch is larger than all, or unknown (-1). */
export function endOfEpoch(cache: EpochCache, epoch: number, logEnd: number): EpochEnd | undefined {
  if (epoch < 0 || cache.length === 0) return undefined;
  if (cache.at(-1)?.epoch === epoch) return { epoch, endOffset: logEnd };
  const higher = cache.find((entry) => entry.epoch > epoch);
  if (higher === undefined) return undefined;
  const floor = cache.findLast((entry) => entry.epoch <= epoch);
  // An epoch before all that are known ends where the first known one begins.
  return { epoch: floor?.epoch ?? epoch, endOffset: higher.startOffset };
}
