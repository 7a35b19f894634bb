import { int16, int32 } from '../wire/primitives.ts';
import { createSink, writeNumber64, written } from '../wire/sink.ts';
import { readNumber64 } from '../wire/source.ts';
import { crc32c } from './crc32c.ts';

/** Where the fields of a record batch of format 2 are (https://kafka.apache.org/documentation/#recordbatch). */
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

/** Bytes before those that `length` counts. */
export const batchOverhead = 12;
const attribute = { compression: 0x07, appendTime: 0x08, transactional: 0x10, control: 0x20 } as const;

/** A batch of a log: its bytes, which do not change any more, and what its header says. */
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
  /** -1: none. */
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly baseSequence: number;
  readonly lastSequence: number;
  readonly count: number;
  /** The bytes of the log before it, had nothing been deleted. */
  readonly position: number;
}

/** Reads the header of a batch that is whole. */
export function readBatch(bytes: Buffer, position = 0): Batch {
  const attributes = bytes.readInt16BE(batchLayout.attributes);
  const baseOffset = readNumber64(bytes, batchLayout.baseOffset);
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
    producerId: readNumber64(bytes, batchLayout.producerId),
    producerEpoch: bytes.readInt16BE(batchLayout.producerEpoch),
    baseSequence,
    lastSequence: baseSequence < 0 ? baseSequence : sequencePlus(baseSequence, lastOffsetDelta),
    count: bytes.readInt32BE(batchLayout.count),
    position,
  };
}

/** The sequence number so many records later; after 2^31 - 1 comes 0. */
export function sequencePlus(sequence: number, records: number): number {
  return (sequence + records) % 0x8000_0000;
}

/** The sequence number so many records before. */
export function sequenceMinus(sequence: number, records: number): number {
  return sequence >= records ? sequence - records : sequence - records + 0x8000_0000;
}

/** What a leader writes into a batch that it appends; neither field is under the checksum. */
export function stamp(bytes: Buffer, baseOffset: number, leaderEpoch: number): void {
  writeNumber64(bytes, batchLayout.baseOffset, baseOffset);
  bytes.writeInt32BE(leaderEpoch, batchLayout.leaderEpoch);
}

/** Gives all records of a batch the time at which they are appended (`message.timestamp.type=LogAppendTime`). */
export function stampAppendTime(bytes: Buffer, time: bigint): void {
  const attributes = bytes.readInt16BE(batchLayout.attributes);
  bytes.writeInt16BE(attributes | attribute.appendTime, batchLayout.attributes);
  bytes.writeBigInt64BE(time, batchLayout.maxTimestamp);
  bytes.writeUInt32BE(crc32c(bytes, batchLayout.attributes), batchLayout.crc);
}

/** Whether the checksum in a batch is that of its bytes. */
export function isIntact(bytes: Buffer): boolean {
  return bytes.readUInt32BE(batchLayout.crc) === crc32c(bytes, batchLayout.attributes);
}

/** What ends a transaction in a partition. */
export interface Marker {
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly committed: boolean;
  readonly coordinatorEpoch: number;
  readonly time: bigint;
}

/** A control batch with one record: its key has version and type (0 abort, 1 commit), its value the coordinator's epoch. */
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
  writeNumber64(bytes, batchLayout.producerId, marker.producerId);
  bytes.writeInt16BE(marker.producerEpoch, batchLayout.producerEpoch);
  bytes.writeInt32BE(-1, batchLayout.baseSequence);
  bytes.writeInt32BE(1, batchLayout.count);
  record.copy(bytes, batchLayout.records);
  bytes.writeUInt32BE(crc32c(bytes, batchLayout.attributes), batchLayout.crc);
  return bytes;
}

/** Whether a control batch is a commit marker, and the epoch of the coordinator that wrote it; undefined for others. */
export function readMarker(
  batch: Batch,
): { readonly committed: boolean; readonly coordinatorEpoch: number } | undefined {
  // One byte each: length, attributes, timestamp delta, offset delta, key length; then the key of four bytes.
  const key = batchLayout.records + 5;
  if (!batch.isControl || batch.bytes.length < key + 11) return undefined;
  const type = batch.bytes.readInt16BE(key + 2);
  if (type !== 0 && type !== 1) return undefined;
  return { committed: type === 1, coordinatorEpoch: batch.bytes.readInt32BE(key + 7) };
}
