import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type Batch, batchLayout } from './batch.ts';
import { unpackLz4, unpackSnappy } from './unpack.ts';

/** One record of a batch. */
export interface PlainRecord {
  readonly offset: number;
  readonly timestamp: bigint;
  /** Undefined for a null key. */
  readonly key: Buffer | undefined;
  readonly value: Buffer | undefined;
  readonly headers: readonly (readonly [name: string, value: Buffer | undefined])[];
}

/** Decodes the records of a batch. @throws Error when they do not match the header */
export function readRecords(batch: Batch): readonly PlainRecord[] {
  return readRawRecords(batch).map(({ record }) => record);
}

/** Decodes the records of a batch, each with its own bytes. @throws Error when they do not match the header */
export function readRawRecords(batch: Batch): readonly { readonly record: PlainRecord; readonly raw: Buffer }[] {
  // A batch that compaction has emptied has no records section, whatever its compression.
  const cursor: Cursor = { bytes: batch.count === 0 ? Buffer.alloc(0) : unpack(batch), at: 0 };
  const records: { record: PlainRecord; raw: Buffer }[] = [];
  for (let left = batch.count; left > 0; left -= 1) {
    const from = cursor.at;
    const record = readRecord(cursor, batch);
    records.push({ record, raw: cursor.bytes.subarray(from, cursor.at) });
  }
  if (cursor.at !== cursor.bytes.length) throw new Error('the batch has trailing bytes');
  return records;
}

function unpack({ bytes, compression }: Batch): Buffer {
  const packed = bytes.subarray(batchLayout.records);
  if (compression === 0) return packed;
  if (compression === 1) return gunzipSync(packed);
  if (compression === 2) return unpackSnappy(packed);
  if (compression === 3) return unpackLz4(packed);
  if (compression === 4) return zstdDecompressSync(packed);
  throw new Error(`unknown compression type ${compression}`);
}

interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

function readRecord(cursor: Cursor, batch: Batch): PlainRecord {
  const end = varint(cursor) + cursor.at;
  cursor.at += 1; // attributes: unused
  const timestampDelta = varlong(cursor);
  const offset = batch.baseOffset + varint(cursor);
  const key = nullableBytes(cursor);
  const value = nullableBytes(cursor);
  const headers: [string, Buffer | undefined][] = [];
  for (let left = varint(cursor); left > 0; left -= 1) {
    headers.push([(nullableBytes(cursor) ?? Buffer.alloc(0)).toString(), nullableBytes(cursor)]);
  }
  if (cursor.at !== end || end > cursor.bytes.length) throw new Error('the length of a record is wrong');
  const timestamp = batch.isAppendTime ? batch.maxTimestamp : batch.baseTimestamp + timestampDelta;
  return { offset, timestamp, key, value, headers };
}

function nullableBytes(cursor: Cursor): Buffer | undefined {
  const length = varint(cursor);
  if (length < 0) return undefined;
  const { at } = cursor;
  cursor.at += length;
  if (cursor.at > cursor.bytes.length) throw new Error('a field extends beyond its batch');
  return cursor.bytes.subarray(at, cursor.at);
}

function varint(cursor: Cursor): number {
  return Number(varlong(cursor));
}

function varlong(cursor: Cursor): bigint {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined) throw new Error('a number extends beyond its batch');
    cursor.at += 1;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return (value >> 1n) ^ -(value & 1n);
  }
  throw new Error('a variable-length number is too long');
}
