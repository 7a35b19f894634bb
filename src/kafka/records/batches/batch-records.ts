import { type Arena, copyInto, createArena, reserve, viewOver } from '../../../bytes/arena.ts';
import {
  sizeOfExactVarlong,
  sizeOfVarint,
  sizeOfVarlong,
  writeExactVarlong,
  writeVarint,
  writeVarlong,
} from './varint.ts';

/** A header of a record; the value may be null. */
export interface RecordHeader {
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
}

/** A record to be written, as ranges of bytes; the parser reuses one object for all records. */
export interface OutgoingRecord {
  keyBytes: Uint8Array;
  keyStart: number;
  /** -1 for null. */
  keyLength: number;
  valueBytes: Uint8Array;
  valueStart: number;
  /** -1 for null (a tombstone). */
  valueLength: number;
  /** The headers in order; keys may repeat. */
  headers: readonly RecordHeader[];
  /**
   * The timestamp in milliseconds since the epoch; NaN if a number cannot hold it exactly (beyond 2^53), when
   * `exactTimestamp` has it.
   */
  timestamp: number;
  /** The exact timestamp; read only if `timestamp` is NaN. */
  exactTimestamp: bigint;
}

const noHeaders: readonly RecordHeader[] = [];
const noBytes = Buffer.alloc(0);

/** Creates a record to be filled, with null key, null value and no headers. */
export function createOutgoingRecord(): OutgoingRecord {
  return {
    keyBytes: noBytes,
    keyStart: 0,
    keyLength: -1,
    valueBytes: noBytes,
    valueStart: 0,
    valueLength: -1,
    headers: noHeaders,
    timestamp: -1,
    exactTimestamp: -1n,
  };
}

/** The size of a RecordBatch's header in bytes (magic 2, KIP-98). */
export const headerBytes = 61;

/** The records of a batch that is being filled. */
export interface FillingBatch {
  /** The batch as it is sent without compression: header and records. */
  readonly arena: Arena;
  count: number;
  baseTimestamp: number;
  maxTimestamp: number;
  /** Replaces both timestamps once a number cannot hold one of them or their difference. */
  exact: ExactTimestamps | undefined;
  /** Views over the last sources of keys and values, which usually all come from one chunk. */
  readonly keySource: Source;
  readonly valueSource: Source;
}

/** The timestamps of a batch in full 64 bits. */
interface ExactTimestamps {
  readonly base: bigint;
  max: bigint;
}

interface Source {
  bytes: Uint8Array;
  view: DataView;
}

/** Creates a batch without records. */
export function createFillingBatch(): FillingBatch {
  const arena = createArena(1 << 14);
  arena.length = headerBytes;
  const source = (): Source => ({ bytes: noBytes, view: viewOver(noBytes) });
  return {
    arena,
    count: 0,
    baseTimestamp: -1,
    maxTimestamp: -1,
    exact: undefined,
    keySource: source(),
    valueSource: source(),
  };
}

/**
 * Returns the size of the `index`th record in a batch, without the length before it; `deltaBytes` of that are for its
 * timestamp.
 */
function sizeOfBody(record: OutgoingRecord, index: number, deltaBytes: number): number {
  const { keyLength, valueLength, headers } = record;
  let size = 1 + deltaBytes + sizeOfVarint(index) + sizeOfVarint(headers.length);
  size += sizeOfVarint(keyLength) + Math.max(keyLength, 0);
  size += sizeOfVarint(valueLength) + Math.max(valueLength, 0);
  for (const { key, value } of headers) {
    size += sizeOfVarint(key.length) + key.length;
    size += value === null ? 1 : sizeOfVarint(value.length) + value.length;
  }
  return size;
}

/** Adds a record; returns false and writes nothing if the batch would exceed `maxBytes`. */
export function appendRecord(batch: FillingBatch, record: OutgoingRecord, maxBytes: number): boolean {
  const { count } = batch;
  if (count === 0) {
    batch.exact = undefined;
    batch.baseTimestamp = batch.maxTimestamp = record.timestamp;
  }
  const delta = record.timestamp - batch.baseTimestamp;
  // Also true if one of the two is NaN.
  if (batch.exact !== undefined || !Number.isSafeInteger(delta)) return appendExact(batch, record, maxBytes);
  const body = sizeOfBody(record, count, sizeOfVarlong(delta));
  if (!beginRecord(batch, body, maxBytes)) return false;
  if (record.timestamp > batch.maxTimestamp) batch.maxTimestamp = record.timestamp;
  const { arena } = batch;
  arena.length = writeVarlong(arena.bytes, arena.length, delta);
  writeRest(batch, record);
  return true;
}

/** Does the same for timestamps that a number cannot hold in full 64 bits, or whose difference it cannot hold. */
function appendExact(batch: FillingBatch, record: OutgoingRecord, maxBytes: number): boolean {
  const timestamp = Number.isNaN(record.timestamp) ? record.exactTimestamp : BigInt(record.timestamp);
  const exact: ExactTimestamps =
    batch.exact ??
    (batch.count === 0
      ? { base: timestamp, max: timestamp }
      : { base: BigInt(batch.baseTimestamp), max: BigInt(batch.maxTimestamp) });
  const delta = BigInt.asIntN(64, timestamp - exact.base);
  if (!beginRecord(batch, sizeOfBody(record, batch.count, sizeOfExactVarlong(delta)), maxBytes)) return false;
  batch.exact = exact;
  if (timestamp > exact.max) exact.max = timestamp;
  const { arena } = batch;
  arena.length = writeExactVarlong(arena.bytes, arena.length, delta);
  writeRest(batch, record);
  return true;
}

/** Makes room for a record and writes the part before its timestamp; returns false if it no longer fits. */
function beginRecord({ arena, count }: FillingBatch, body: number, maxBytes: number): boolean {
  const extra = sizeOfVarint(body) + body;
  if (count > 0 && arena.length + extra > maxBytes) return false;
  reserve(arena, extra);
  arena.length = writeVarint(arena.bytes, arena.length, body);
  arena.bytes[arena.length++] = 0;
  return true;
}

/** Writes the part after the timestamp. */
function writeRest(batch: FillingBatch, record: OutgoingRecord): void {
  const { arena, count } = batch;
  arena.length = writeVarint(arena.bytes, arena.length, count);
  writeField(arena, viewOf(batch.keySource, record.keyBytes), record.keyStart, record.keyLength);
  writeField(arena, viewOf(batch.valueSource, record.valueBytes), record.valueStart, record.valueLength);
  writeHeaders(arena, record.headers);
  batch.count = count + 1;
}

function viewOf(source: Source, bytes: Uint8Array): DataView {
  if (source.bytes !== bytes) {
    source.bytes = bytes;
    source.view = viewOver(bytes);
  }
  return source.view;
}

function writeHeaders(arena: Arena, headers: readonly RecordHeader[]): void {
  arena.length = writeVarint(arena.bytes, arena.length, headers.length);
  for (const { key, value } of headers) {
    writeField(arena, viewOver(key), 0, key.length);
    writeField(arena, viewOver(value ?? noBytes), 0, value === null ? -1 : value.length);
  }
}

function writeField(arena: Arena, source: DataView, start: number, length: number): void {
  arena.length = writeVarint(arena.bytes, arena.length, length);
  if (length > 0) copyInto(arena, source, start, length);
}

/** Consecutive values in `bytes`, each followed by the same byte; `at` and `count` advance as they are taken. */
export interface Lines {
  bytes: Buffer;
  /** A view over exactly the same bytes. */
  view: DataView;
  /** The start of the next value. */
  at: number;
  /** The number of values taken so far. */
  count: number;
  readonly terminator: number;
}

/** Limits to the number of lines that become records. */
export interface LineLimits {
  /** The maximum size of the batch in bytes; its first record may exceed it. */
  readonly maxBytes: number;
  /** The number of bytes of the lines after which no more are taken. */
  readonly enough: number;
}

/**
 * Adds whole lines as records that have only a value and a timestamp (milliseconds since the epoch), byte for byte as
 * `appendRecord` writes them. Returns true if the batch is full; false if no whole line is left or enough were taken.
 */
export function appendLines(batch: FillingBatch, lines: Lines, timestamp: number, limits: LineLimits): boolean {
  const { arena } = batch;
  const { maxBytes, enough } = limits;
  const { bytes, view, terminator } = lines;
  // Lines have no timestamps of their own, so exact ones in the batch come from earlier records.
  if (batch.count === 0) batch.exact = undefined;
  else if (batch.exact !== undefined) return true;
  const delta = batch.count === 0 ? 0 : timestamp - batch.baseTimestamp;
  const deltaBytes = sizeOfVarlong(delta);
  const stop = lines.at + enough;
  while (lines.at < stop) {
    const { at } = lines;
    const end = bytes.indexOf(terminator, at);
    if (end < 0) return false;
    const { count } = batch;
    const length = end - at;
    // Attributes, a null key and no headers take a byte each.
    const body = 3 + deltaBytes + sizeOfVarint(count) + sizeOfVarint(length) + length;
    const extra = sizeOfVarint(body) + body;
    if (count === 0) batch.baseTimestamp = batch.maxTimestamp = timestamp;
    else if (arena.length + extra > maxBytes) return true;
    reserve(arena, extra);
    const target = arena.bytes;
    let to = writeVarint(target, arena.length, body);
    target[to++] = 0;
    to = writeVarlong(target, to, delta);
    to = writeVarint(target, to, count);
    target[to++] = nullLength;
    arena.length = writeVarint(target, to, length);
    if (length > 0) copyInto(arena, view, at, length);
    target[arena.length++] = 0;
    batch.count = count + 1;
    if (timestamp > batch.maxTimestamp) batch.maxTimestamp = timestamp;
    lines.at = end + 1;
    lines.count++;
  }
  return false;
}

/** -1 as a zigzag varint. */
const nullLength = 1;
