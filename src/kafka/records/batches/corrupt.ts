import { exactBaseOffset, type RecordCursor } from './cursor.ts';

/** The error for corrupt record bytes. It contains the batch's offset; the caller adds topic and partition. */
export class CorruptRecordsError extends Error {
  override readonly name = 'CorruptRecordsError';
  /** The base offset of the batch according to its header. */
  readonly baseOffset: bigint;
  /** The reason in lower case, without the position. */
  readonly reason: string;

  constructor(baseOffset: bigint, reason: string, cause?: unknown) {
    super(`corrupt record batch at offset ${baseOffset}: ${reason}`, cause === undefined ? undefined : { cause });
    this.baseOffset = baseOffset;
    this.reason = reason;
  }
}

/** Refuses the batch at the cursor. @throws CorruptRecordsError */
export function fail(cursor: RecordCursor, reason: string): never {
  throw new CorruptRecordsError(exactBaseOffset(cursor), reason);
}

/**
 * The error for compressed bytes that are corrupt or exceed the limit when decompressed; becomes a
 * `CorruptRecordsError`.
 */
export class CompressionError extends Error {
  override readonly name = 'CompressionError';
}
