import {
  nextBatch,
  nextHeader,
  nextRecord,
  openHeaders,
  openRecords,
} from '../../../../src/kafka/records/batches/batch-reader.ts';
import { createOutgoingRecord } from '../../../../src/kafka/records/batches/batch-records.ts';
import {
  type BatchWriter,
  type BatchWriterOptions,
  createBatchWriter,
  writeBaseOffset,
} from '../../../../src/kafka/records/batches/batch-writer.ts';
import {
  type CursorOptions,
  createCursor,
  exactOffset,
  exactTimestamp,
  type RecordCursor,
  type RecordOrigin,
  recordOrigin,
  timestampIsSafe,
} from '../../../../src/kafka/records/batches/cursor.ts';

/** A record as an object: the slow and simple form. */
export interface PlainRecord {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: readonly (readonly [Buffer, Buffer | null])[];
  readonly timestamp: number | bigint;
}

/** A record that was read: with its offset. */
export interface ReadRecord extends PlainRecord {
  readonly offset: bigint;
}

const noStamp = { producerId: -1n, producerEpoch: -1, baseSequence: -1 };

/** Adds records to the batch of a writer. */
export function appendTo(writer: BatchWriter, records: readonly PlainRecord[]): void {
  const outgoing = createOutgoingRecord();
  for (const { key, value, headers, timestamp } of records) {
    outgoing.keyBytes = key ?? Buffer.alloc(0);
    outgoing.keyLength = key === null ? -1 : key.length;
    outgoing.valueBytes = value ?? Buffer.alloc(0);
    outgoing.valueLength = value === null ? -1 : value.length;
    outgoing.headers = headers.map(([headerKey, headerValue]) => ({ key: headerKey, value: headerValue }));
    const isSafe = Number.isSafeInteger(Number(timestamp));
    outgoing.timestamp = isSafe ? Number(timestamp) : Number.NaN;
    if (!isSafe) outgoing.exactTimestamp = BigInt(timestamp);
    writer.append(outgoing);
  }
}

/** Writes records into one batch. */
export function writeBatch(records: readonly PlainRecord[], options: Partial<BatchWriterOptions> = {}): Buffer {
  const writer = createBatchWriter({ compression: 'none', maxBytes: 2 ** 30, ...options });
  appendTo(writer, records);
  return Buffer.from(writer.finish(noStamp));
}

/** A cursor before the first batch of `bytes`. */
export function cursorOver(
  bytes: Buffer,
  origin: RecordOrigin = recordOrigin('foo', 3),
  options: CursorOptions = {},
): RecordCursor {
  const cursor = createCursor(options);
  openRecords(cursor, origin, { bytes, start: 0, end: bytes.length });
  return cursor;
}

/** A cursor at the first record of a batch that holds `record` at `offset`. */
export function cursorAt(record: PlainRecord, offset: bigint, origin?: RecordOrigin): RecordCursor {
  const batch = writeBatch([record]);
  writeBaseOffset(batch, offset);
  const cursor = cursorOver(batch, origin);
  nextBatch(cursor);
  nextRecord(cursor);
  return cursor;
}

/** All records of `bytes` as objects. */
export function readAll(bytes: Buffer, options: CursorOptions = {}): ReadRecord[] {
  const cursor = cursorOver(bytes, undefined, options);
  const records: ReadRecord[] = [];
  while (nextBatch(cursor)) while (nextRecord(cursor)) records.push(readOne(cursor));
  return records;
}

function readOne(cursor: RecordCursor): ReadRecord {
  const headers: [Buffer, Buffer | null][] = [];
  const record = {
    offset: exactOffset(cursor),
    key: copyOf(cursor, cursor.keyStart, cursor.keyLength),
    value: copyOf(cursor, cursor.valueStart, cursor.valueLength),
    timestamp: timestampOf(cursor),
  };
  openHeaders(cursor);
  while (nextHeader(cursor)) headers.push([slice(cursor, 'Key') ?? Buffer.alloc(0), slice(cursor, 'Value')]);
  return { ...record, headers };
}

/** A number if that is exact. */
function timestampOf(cursor: RecordCursor): number | bigint {
  if (timestampIsSafe(cursor)) return cursor.timestamp;
  const exact = exactTimestamp(cursor);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

function slice(cursor: RecordCursor, part: 'Key' | 'Value'): Buffer | null {
  return copyOf(cursor, cursor[`header${part}Start`], cursor[`header${part}Length`]);
}

function copyOf({ bytes }: RecordCursor, start: number, length: number): Buffer | null {
  return length < 0 ? null : Buffer.from(bytes.subarray(start, start + length));
}
