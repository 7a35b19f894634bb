/** A restore of topics from object storage. */
export interface Recovery {
  /** Virtual time in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly pattern: string | null;
  readonly retentionBytes: number | null;
  readonly retentionMs: number | null;
}
