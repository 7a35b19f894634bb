/** A place in a partition, to be resolved against its real offsets. Times are milliseconds since the epoch. */
export type OffsetPlace =
  | { readonly at: 'start' }
  | { readonly at: 'end' }
  | { readonly at: 'exact'; readonly offset: bigint }
  | { readonly at: 'afterStart'; readonly count: bigint }
  | { readonly at: 'beforeEnd'; readonly count: bigint }
  | { readonly at: 'time'; readonly timestamp: number };

/** From where to where is read. `end` is exclusive; undefined: for ever. */
export interface OffsetRange {
  readonly start: OffsetPlace;
  /** `end` means the log end at start-up. */
  readonly end: OffsetPlace | undefined;
}

/**
 * Reads `--offset`; `nowMs` is what relative times count from.
 * @throws CliError (usage) that says what is wrong
 */
export function parseOffsetRange(text: string, nowMs: number): OffsetRange {
  throw new Error(`not yet: ${text} ${nowMs}`);
}
