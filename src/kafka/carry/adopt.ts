import { viewOver } from '../../bytes/arena.ts';
import { headerBytes } from '../records/batches/batch-records.ts';
import { type BatchWriter, writeStamp } from '../records/batches/batch-writer.ts';
import { changedCrc, crc32c } from '../records/batches/crc32c.ts';
import { isLogAppendTime, type RecordCursor } from '../records/batches/cursor.ts';

/** The attribute bits that a batch keeps: its compression. */
const keptAttributes = 0x07;
const transactional = 0x10;

/**
 * Whether a broker takes the batch under the cursor from a producer and stores every record as it is (Kafka's
 * `LogValidator`): it numbers records without gaps, which compaction leaves, and it takes the times from the records
 * where the source took them from its own clock.
 */
export function isAdoptable(cursor: RecordCursor): boolean {
  const { magic, recordCount, lastOffsetDelta } = cursor;
  return magic === 2 && recordCount > 0 && lastOffsetDelta + 1 === recordCount && !isLogAppendTime(cursor);
}

/**
 * Turns a batch of magic 2 that was read from a log into one of our own, in its memory, and returns it as a writer that
 * is full. What the source's broker and producer wrote into the header goes: the offset, the leader epoch, the
 * transaction, and the mark of a tombstone's age (KIP-534), which would make the destination remove tombstones early.
 * `finish` writes our producer and the checksum.
 */
export function adoptBatch(bytes: Buffer, records: number, isTransactional: boolean): BatchWriter {
  // Once they are checked, the records are not read again.
  const [crc, before] = [bytes.readUInt32BE(17), headerCrc(bytes)];
  bytes.writeBigInt64BE(0n, 0);
  bytes.writeInt32BE(-1, 12);
  const attributes = bytes.readInt16BE(21) & keptAttributes;
  bytes.writeInt16BE(isTransactional ? attributes | transactional : attributes, 21);
  return {
    count: records,
    size: bytes.length,
    capacity: bytes.length,
    append: () => false,
    appendLines: () => true,
    finish(stamp) {
      writeStamp(bytes, stamp);
      bytes.writeUInt32BE(changedCrc(crc, [before, headerCrc(bytes)], bytes.length - headerBytes), 17);
      return bytes;
    },
    get records() {
      return { bytes, view: viewOver(bytes), start: headerBytes, end: bytes.length };
    },
    reset: () => undefined,
  };
}

/** Whether the checksum of a batch matches its bytes. */
export function isSound(bytes: Buffer): boolean {
  return bytes.readUInt32BE(17) === crc32c(bytes, 21);
}

/** The checksum of the part of the header that the batch's own checksum covers. */
function headerCrc(bytes: Buffer): number {
  return crc32c(bytes, 21, headerBytes);
}
