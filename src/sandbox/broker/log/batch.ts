import { int16, int32 } from '../../../kafka/protocol/wire/primitives.ts';
import { createSink, written } from '../../../kafka/protocol/wire/sink.ts';
import { crc32c } from './crc32c.ts';

/** The byte positions of fields in a record batch of format 2 (https://kafka.apache.org/documentation/#recordbatch). */
export const batchLayout = {
  baseOffset: 0,
  length: 8,
  leaderEpoch: 12,
  magic: 16,
  crc: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  baseTimestamp: 27,
  maxTimestamp: 35,
  producerId: 43,
  producerEpoch: 51,
  baseSequence: 53,
  count: 57,
  records: 61,
} as const;

/** The number of bytes in front that `length` does not count. */
export const batchOverhead = 12;
const attribute = { compression: 0x07, appendTime: 0x08, transactional: 0x10, control: 0x20 } as const;

/** A batch in a log: its bytes, which never change, and its decoded header. */
export interface Batch {
  readonly bytes: Buffer;
  readonly baseOffset: number;
  readonly lastOffset: number;
  readonly leaderEpoch: number;
  readonly compression: number;
  readonly isAppendTime: boolean;
  readonly isTransactional: boolean;
  readonly isControl: boolean;
  readonly baseTimestamp: bigint;
  readonly maxTimestamp: bigint;
  /** -1 without an idempotent producer. */
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly baseSequence: number;
  readonly lastSequence: number;
  readonly count: number;
  /** The position of the batch in the log in bytes, counted as if nothing had been deleted. */
  readonly position: number;
}

/** Reads the header of a complete batch. */
export function readBatch(bytes: Buffer, position = 0): Batch {
  const attributes = bytes.readInt16BE(batchLayout.attributes);
  const baseOffset = Number(bytes.readBigInt64BE(batchLayout.baseOffset));
  const lastOffsetDelta = bytes.readInt32BE(batchLayout.lastOffsetDelta);
  const baseSequence = bytes.readInt32BE(batchLayout.baseSequence);
  return {
    bytes,
    baseOffset,
    lastOffset: baseOffset + lastOffsetDelta,
    leaderEpoch: bytes.readInt32BE(batchLayout.leaderEpoch),
    compression: attributes & attribute.compression,
    isAppendTime: (attributes & attribute.appendTime) !== 0,
    isTransactional: (attributes & attribute.transactional) !== 0,
    isControl: (attributes & attribute.control) !== 0,
    baseTimestamp: bytes.readBigInt64BE(batchLayout.baseTimestamp),
    maxTimestamp: bytes.readBigInt64BE(batchLayout.maxTimestamp),
    producerId: bytes.readBigInt64BE(batchLayout.producerId),
    producerEpoch: bytes.readInt16BE(batchLayout.producerEpoch),
    baseSequence,
    lastSequence: baseSequence < 0 ? baseSequence : sequencePlus(baseSequence, lastOffsetDelta),
    count: bytes.readInt32BE(batchLayout.count),
    position,
  };
}

/** Adds to a sequence number, which wraps to 0 after 2^31 - 1. */
function sequencePlus(sequence: number, records: number): number {
  return (sequence + records) % 0x8000_0000;
}

/** Subtracts from a sequence number, which wraps to 2^31 - 1 below 0. */
export function sequenceMinus(sequence: number, records: number): number {
  return sequence >= records ? sequence - records : sequence - records + 0x8000_0000;
}

/** Writes the offset and leader epoch into a batch that a leader appends; the checksum covers neither. */
export function stamp(bytes: Buffer, baseOffset: number, leaderEpoch: number): void {
  bytes.writeBigInt64BE(BigInt(baseOffset), batchLayout.baseOffset);
  bytes.writeInt32BE(leaderEpoch, batchLayout.leaderEpoch);
}

/** Sets the append time of all records in a batch (`message.timestamp.type=LogAppendTime`). */
export function stampAppendTime(bytes: Buffer, time: bigint): void {
  const attributes = bytes.readInt16BE(batchLayout.attributes);
  bytes.writeInt16BE(attributes | attribute.appendTime, batchLayout.attributes);
  bytes.writeBigInt64BE(time, batchLayout.maxTimestamp);
  bytes.writeUInt32BE(crc32c(bytes, batchLayout.attributes), batchLayout.crc);
}

/**
 * Builds what compaction leaves of a batch: the given records, or none. Offsets, sequence numbers and epoch stay those of
 * the whole batch. The records are not compressed again, unlike in Kafka; readers cannot tell.
 */
export function keepRecords({ bytes }: Batch, records: readonly Buffer[], maxTimestamp: bigint): Buffer {
  const kept = Buffer.concat([bytes.subarray(0, batchLayout.records), ...records]);
  kept.writeInt32BE(kept.length - batchOverhead, batchLayout.length);
  kept.writeInt16BE(kept.readInt16BE(batchLayout.attributes) & ~attribute.compression, batchLayout.attributes);
  kept.writeBigInt64BE(maxTimestamp, batchLayout.maxTimestamp);
  kept.writeInt32BE(records.length, batchLayout.count);
  kept.writeUInt32BE(crc32c(kept, batchLayout.attributes), batchLayout.crc);
  return kept;
}

/** Checks whether the checksum of a batch matches its bytes. */
export function isIntact(bytes: Buffer): boolean {
  return bytes.readUInt32BE(batchLayout.crc) === crc32c(bytes, batchLayout.attributes);
}

/** A marker that ends a transaction in a partition. */
interface Marker {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly committed: boolean;
  readonly coordinatorEpoch: number;
  readonly time: bigint;
}

/** Builds a control batch of one record: the key has a version and type (0 abort, 1 commit), the value an epoch. */
export function markerBatch(marker: Marker): Buffer {
  const key = [0, 0, 0, marker.committed ? 1 : 0];
  const epoch = createSink();
  int16.compile(0, false).write(epoch, 0);
  int32.compile(0, false).write(epoch, marker.coordinatorEpoch);
  const body = [0, 0, 0, key.length * 2, ...key, epoch.at * 2, ...written(epoch), 0];
  const record = Buffer.from([body.length * 2, ...body]);
  const bytes = Buffer.alloc(batchLayout.records + record.length);
  bytes.writeInt32BE(bytes.length - batchOverhead, batchLayout.length);
  bytes[batchLayout.magic] = 2;
  bytes.writeInt16BE(attribute.transactional | attribute.control, batchLayout.attributes);
  bytes.writeBigInt64BE(marker.time, batchLayout.baseTimestamp);
  bytes.writeBigInt64BE(marker.time, batchLayout.maxTimestamp);
  bytes.writeBigInt64BE(marker.producerId, batchLayout.producerId);
  bytes.writeInt16BE(marker.producerEpoch, batchLayout.producerEpoch);
  bytes.writeInt32BE(-1, batchLayout.baseSequence);
  bytes.writeInt32BE(1, batchLayout.count);
  record.copy(bytes, batchLayout.records);
  bytes.writeUInt32BE(crc32c(bytes, batchLayout.attributes), batchLayout.crc);
  return bytes;
}

/** Reads the marker in a control batch: commit or abort, and the coordinator's epoch; undefined for other batches. */
export function readMarker(
  batch: Batch,
): { readonly committed: boolean; readonly coordinatorEpoch: number } | undefined {
  // Length, attributes, timestamp delta, offset delta and key length take one byte each; the key takes four.
  const key = batchLayout.records + 5;
  if (!batch.isControl || batch.bytes.length < key + 11) return undefined;
  const type = batch.bytes.readInt16BE(key + 2);
  if (type !== 0 && type !== 1) return undefined;
  return { committed: type === 1, coordinatorEpoch: batch.bytes.readInt32BE(key + 7) };
}
