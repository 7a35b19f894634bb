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

/**
 * The sum of the lags that are known; null if none is. Without any partition, nothing says what a group should read: an
 * empty sum of 0 would say that a group whose members died before their first commit is up to date.
 */
export function totalLag(rows: readonly { readonly lag: bigint | null }[]): bigint | null {
  const lags = rows.flatMap(({ lag }) => lag ?? []);
  return lags.length === 0 ? null : lags.reduce((sum, lag) => sum + lag, 0n);
}
