import { type Arena, copyInto, createArena, reserve, viewOver } from './arena.ts';
import { sizeOfVarint, sizeOfVarlong, writeVarint, writeVarlong } from './varint.ts';

/** A header of a record; the value may be null. */
export interface RecordHeader {
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
}

/** A record about to be written, as ranges; the parser fills one and the same again and again. */
export interface OutgoingRecord {
  keyBytes: Uint8Array;
  keyStart: number;
  /** -1 for null. */
  keyLength: number;
  valueBytes: Uint8Array;
  valueStart: number;
  /** -1 for null (a tombstone). */
  valueLength: number;
  /** In order; the same key may come several times. */
  headers: readonly RecordHeader[];
  /** Milliseconds since the epoch. */
  timestamp: number;
}

const noHeaders: readonly RecordHeader[] = [];
const noBytes = Buffer.alloc(0);

/** A record with null key, null value and no headers, to be filled. */
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
  };
}

/** The bytes of a RecordBatch before its records (magic 2, KIP-98). */
export const headerBytes = 61;

/** The records of a batch that is being filled. */
export interface FillingBatch {
  /** The batch as it will be sent without compression: header and records. */
  readonly arena: Arena;
  count: number;
  baseTimestamp: number;
  maxTimestamp: number;
  /** Views over what keys and values came from last: records usually come from one chunk. */
  readonly keySource: Source;
  readonly valueSource: Source;
}

interface Source {
  bytes: Uint8Array;
  view: DataView;
}

/** A batch without records. */
export function createFillingBatch(): FillingBatch {
  const arena = createArena(1 << 14);
  arena.length = headerBytes;
  const source = (): Source => ({ bytes: noBytes, view: viewOver(noBytes) });
  return { arena, count: 0, baseTimestamp: -1, maxTimestamp: -1, keySource: source(), valueSource: source() };
}

/** What the record takes in a batch, without the length in front, as the `index`th after `baseTimestamp`. */
function sizeOfBody(record: OutgoingRecord, index: number, timestampDelta: number): number {
  const { keyLength, valueLength, headers } = record;
  let size = 1 + sizeOfVarlong(timestampDelta) + sizeOfVarint(index) + sizeOfVarint(headers.length);
  size += sizeOfVarint(keyLength) + Math.max(keyLength, 0);
  size += sizeOfVarint(valueLength) + Math.max(valueLength, 0);
  for (const { key, value } of headers) {
    size += sizeOfVarint(key.length) + key.length;
    size += value === null ? 1 : sizeOfVarint(value.length) + value.length;
  }
  return size;
}

/** Adds a record; false when it would take the batch beyond `maxBytes`, in which case nothing was written. */
export function appendRecord(batch: FillingBatch, record: OutgoingRecord, maxBytes: number): boolean {
  const { arena, count } = batch;
  const isFirst = count === 0;
  const timestampDelta = isFirst ? 0 : record.timestamp - batch.baseTimestamp;
  const body = sizeOfBody(record, count, timestampDelta);
  const extra = sizeOfVarint(body) + body;
  if (!isFirst && arena.length + extra > maxBytes) return false;
  reserve(arena, extra);
  if (isFirst) batch.baseTimestamp = record.timestamp;
  if (isFirst || record.timestamp > batch.maxTimestamp) batch.maxTimestamp = record.timestamp;
  const { bytes } = arena;
  let at = writeVarint(bytes, arena.length, body);
  bytes[at++] = 0;
  at = writeVarlong(bytes, at, timestampDelta);
  arena.length = writeVarint(bytes, at, count);
  writeField(arena, viewOf(batch.keySource, record.keyBytes), record.keyStart, record.keyLength);
  writeField(arena, viewOf(batch.valueSource, record.valueBytes), record.valueStart, record.valueLength);
  writeHeaders(arena, record.headers);
  batch.count = count + 1;
  return true;
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

/** Values that lie one after the other in `bytes`, each before the same byte; `at` and `count` move on as they are taken. */
export interface Lines {
  bytes: Buffer;
  /** Over exactly the same bytes. */
  view: DataView;
  /** Where the next value begins. */
  at: number;
  /** Values taken so far. */
  count: number;
  readonly terminator: number;
}

/** How many lines become records. */
export interface LineLimits {
  /** The batch takes no more than this, in bytes, but for its first record. */
  readonly maxBytes: number;
  /** Once so many bytes of the lines are taken, no more are. */
  readonly enough: number;
}

/**
 * Adds whole lines as records with a value, a timestamp (milliseconds since the epoch) and nothing else, byte for byte
 * what `appendRecord` would write.
 * True when the batch is full; false when no whole line is left, or enough were taken.
 */
export function appendLines(batch: FillingBatch, lines: Lines, timestamp: number, limits: LineLimits): boolean {
  const { arena } = batch;
  const { maxBytes, enough } = limits;
  const { bytes, view, terminator } = lines;
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
