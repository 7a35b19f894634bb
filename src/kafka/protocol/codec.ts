import { ProtocolError } from './protocol-error.ts';
import { createSink, lend, piecesOf, reserve, type Sink, writeRaw, writeUvarint } from './sink.ts';
import { checkCount, mostItems, present, readRaw, readUvarint, type Source, spend, take } from './source.ts';

/** Writes the primitive types of the Kafka protocol, big-endian; lengths are compact when flexible. */
export interface Writer {
  int8(value: number): void;
  int16(value: number): void;
  int32(value: number): void;
  uint32(value: number): void;
  int64(value: bigint): void;
  float64(value: number): void;
  boolean(value: boolean): void;
  /** 16 bytes, given as the 22 characters of base64url that Kafka shows. */
  uuid(value: string): void;
  /** A zigzag number of 32 bits. */
  varint(value: number): void;
  /** An unsigned number of 32 bits. */
  uvarint(value: number): void;
  string(value: string): void;
  nullableString(value: string | undefined): void;
  bytes(value: Uint8Array): void;
  nullableBytes(value: Uint8Array | undefined): void;
  /** Like `bytes`, but a large value is not copied: it must not change while the result is in use. */
  lentBytes(value: Buffer): void;
  array<T>(items: readonly T[], each: (item: T) => void): void;
  nullableArray<T>(items: readonly T[] | undefined, each: (item: T) => void): void;
  /** Writes the bytes as they are, without a length. */
  raw(value: Uint8Array): void;
  /** Ends a structure: with no tagged fields if flexible, without any bytes otherwise. */
  tags(): void;
  /** Returns everything that was written, in one piece. */
  finish(): Buffer;
  /** Returns everything that was written, in order, with lent bytes as they are. */
  pieces(): readonly Buffer[];
}

/** Reads what `Writer` writes; a read past the end of the buffer throws a `ProtocolError`. */
export interface Reader {
  int8(): number;
  int16(): number;
  int32(): number;
  uint32(): number;
  int64(): bigint;
  float64(): number;
  boolean(): boolean;
  /** Returns 22 characters of base64url; `noUuid` if the broker gave none. */
  uuid(): string;
  varint(): number;
  uvarint(): number;
  string(): string;
  nullableString(): string | undefined;
  /** Returns a view into the answer, not a copy. */
  bytes(): Buffer;
  nullableBytes(): Buffer | undefined;
  /** Reads a list; null gives an empty one. */
  array<T>(each: () => T): T[];
  nullableArray<T>(each: () => T): T[] | undefined;
  /** Reads a list of numbers of 32 bits; null gives an empty one. */
  int32s(): number[];
  /** Returns a view of the next `length` bytes. */
  raw(length: number): Buffer;
  /** Ends a structure: passes each tagged field to `each` if flexible; `each` ignores unknown fields. */
  tags(each?: (tag: number, value: Reader) => void): void;
  /** The number of bytes not read yet. */
  readonly remaining: number;
}

/** The null uuid: 16 zero bytes. */
export const noUuid = 'AAAAAAAAAAAAAAAAAAAAAA';

/** Writes length prefixes of lists, bytes and text; -1 is null (0 in the compact form, which counts from 1). */
function lengthWriters(sink: Sink, flexible: boolean) {
  const compact = (length: number): void => writeUvarint(sink, length + 1);
  const long = (length: number): void => {
    const at = reserve(sink, 4);
    sink.buffer.writeInt32BE(length, at);
  };
  const short = (length: number): void => {
    const at = reserve(sink, 2);
    sink.buffer.writeInt16BE(length, at);
  };
  return flexible ? { long: compact, short: compact } : { long, short };
}

function numberWriters(sink: Sink) {
  return {
    int8(value: number): void {
      const at = reserve(sink, 1);
      sink.buffer.writeInt8(value, at);
    },
    int16(value: number): void {
      const at = reserve(sink, 2);
      sink.buffer.writeInt16BE(value, at);
    },
    int32(value: number): void {
      const at = reserve(sink, 4);
      sink.buffer.writeInt32BE(value, at);
    },
    uint32(value: number): void {
      const at = reserve(sink, 4);
      sink.buffer.writeUInt32BE(value, at);
    },
    int64(value: bigint): void {
      const at = reserve(sink, 8);
      sink.buffer.writeBigInt64BE(value, at);
    },
    float64(value: number): void {
      const at = reserve(sink, 8);
      sink.buffer.writeDoubleBE(value, at);
    },
    boolean(value: boolean): void {
      const at = reserve(sink, 1);
      sink.buffer[at] = value ? 1 : 0;
    },
    varint: (value: number): void => writeUvarint(sink, (value << 1) ^ (value >> 31)),
    uvarint: (value: number): void => writeUvarint(sink, value),
  };
}

/** Creates a writer for one request; `flexible` selects compact lengths and tagged fields. */
export function createWriter(flexible: boolean): Writer {
  const sink = createSink();
  const length = lengthWriters(sink, flexible);
  const writer: Writer = {
    ...numberWriters(sink),
    uuid(value) {
      const bytes = Buffer.from(value, 'base64url');
      if (bytes.length !== 16) throw new RangeError('a uuid must have 16 bytes');
      writeRaw(sink, bytes);
    },
    string(value) {
      const size = Buffer.byteLength(value);
      length.short(size);
      const at = reserve(sink, size);
      sink.buffer.write(value, at, size, 'utf8');
    },
    nullableString(value) {
      if (value === undefined) length.short(-1);
      else writer.string(value);
    },
    bytes(value) {
      length.long(value.length);
      writeRaw(sink, value);
    },
    nullableBytes(value) {
      if (value === undefined) length.long(-1);
      else writer.bytes(value);
    },
    lentBytes(value) {
      length.long(value.length);
      lend(sink, value);
    },
    array(items, each) {
      length.long(items.length);
      for (const item of items) each(item);
    },
    nullableArray(items, each) {
      if (items === undefined) length.long(-1);
      else writer.array(items, each);
    },
    raw: (value) => writeRaw(sink, value),
    tags() {
      if (flexible) writeUvarint(sink, 0);
    },
    finish: () => (sink.pieces.length === 0 ? sink.buffer.subarray(0, sink.length) : Buffer.concat(piecesOf(sink))),
    pieces: () => piecesOf(sink),
  };
  return writer;
}

/** Reads and checks length prefixes; undefined is null. */
function lengthReaders(source: Source, flexible: boolean) {
  const checked = (length: number): number | undefined => {
    if (length === -1) return undefined;
    if (length < 0) throw new ProtocolError(source.api, source.position, `invalid length ${length}`);
    return length;
  };
  return {
    long: () => checked(flexible ? readUvarint(source) - 1 : source.buffer.readInt32BE(take(source, 4))),
    short: () => checked(flexible ? readUvarint(source) - 1 : source.buffer.readInt16BE(take(source, 2))),
  };
}

function numberReaders(source: Source) {
  const { buffer } = source;
  return {
    int8: () => buffer.readInt8(take(source, 1)),
    int16: () => buffer.readInt16BE(take(source, 2)),
    int32: () => buffer.readInt32BE(take(source, 4)),
    uint32: () => buffer.readUInt32BE(take(source, 4)),
    int64: () => buffer.readBigInt64BE(take(source, 8)),
    float64: () => buffer.readDoubleBE(take(source, 8)),
    boolean: () => buffer[take(source, 1)] !== 0,
    uuid: () => readRaw(source, 16).toString('base64url'),
    uvarint: () => readUvarint(source),
    varint() {
      const value = readUvarint(source);
      return (value >>> 1) ^ -(value & 1);
    },
  };
}

/** Creates a reader for one answer; `api` names it in errors. */
export function createReader(buffer: Buffer, flexible: boolean, api = 'Kafka'): Reader {
  return readerOf({ buffer, api, allowance: { items: mostItems }, position: 0 }, flexible);
}

function readerOf(source: Source, flexible: boolean): Reader {
  const { buffer } = source;
  const length = lengthReaders(source, flexible);
  const reader: Reader = {
    ...numberReaders(source),
    string: () => present(source, reader.nullableString()),
    nullableString() {
      const size = length.short();
      return size === undefined ? undefined : readRaw(source, size).toString('utf8');
    },
    bytes: () => present(source, reader.nullableBytes()),
    nullableBytes() {
      const size = length.long();
      return size === undefined ? undefined : readRaw(source, size);
    },
    array: (each) => reader.nullableArray(each) ?? [],
    nullableArray(each) {
      const count = length.long();
      if (count === undefined) return undefined;
      checkCount(source, count, 1);
      spend(source, count);
      return Array.from({ length: count }, each);
    },
    int32s() {
      const count = length.long() ?? 0;
      checkCount(source, count, 4);
      return Array.from({ length: count }, reader.int32);
    },
    raw: (size) => readRaw(source, size),
    tags(each) {
      if (!flexible) return;
      for (let left = readUvarint(source); left > 0; left -= 1) {
        const tag = readUvarint(source);
        const value = readRaw(source, readUvarint(source));
        if (each === undefined) continue;
        spend(source, 1);
        each(tag, readerOf({ ...source, buffer: value, position: 0 }, flexible));
      }
    },
    get remaining() {
      return buffer.length - source.position;
    },
  };
  return reader;
}
