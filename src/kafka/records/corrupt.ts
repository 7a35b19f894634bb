/**
 * Record bytes that do not hold together. It knows the place within the bytes; the caller knows the
 * topic and the partition and says them.
 */
export class CorruptRecordsError extends Error {
  override readonly name = 'CorruptRecordsError';
  /** Base offset of the batch, as its header says. */
  readonly baseOffset: bigint;
  /** What is wrong, lower case, without the place. */
  readonly reason: string;

  constructor(baseOffset: bigint, reason: string, cause?: unknown) {
    super(`corrupt record batch at offset ${baseOffset}: ${reason}`, cause === undefined ? undefined : { cause });
    this.baseOffset = baseOffset;
    this.reason = reason;
  }
}

/** Compressed bytes that do not hold together, or unpack to more than the limit; becomes a `CorruptRecordsError`. */
export class CompressionError extends Error {
  override readonly name = 'CompressionError';
}
