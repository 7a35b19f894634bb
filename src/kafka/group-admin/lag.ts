/** The offsets that a lag is computed from; null: not known, or nothing is committed. */
export interface LagOffsets {
  readonly current: bigint | null;
  readonly start: bigint | null;
  readonly end: bigint | null;
}

/**
 * The number of records between the committed offset and the log end; from the log start if nothing is committed.
 * Never below 0; null if an offset that it needs is unknown.
 */
export function lagOf({ current, start, end }: LagOffsets): bigint | null {
  const from = current ?? start;
  if (from === null || end === null) return null;
  return end > from ? end - from : 0n;
}

/** The sum of the lags that are known; null if there are partitions, but none with a known lag. */
export function totalLag(rows: readonly { readonly lag: bigint | null }[]): bigint | null {
  const known = rows.flatMap(({ lag }) => lag ?? []);
  return rows.length > 0 && known.length === 0 ? null : known.reduce((sum, lag) => sum + lag, 0n);
}
