import { append, lend, reserve, type Sink, writeUvarint } from './sink.ts';
import { checkCount, MalformedBytes, readUvarint, type Source, spend, take, view } from './source.ts';

/** Reads and writes one value in one version of an API. */
export interface Coder<Read, Written = Read> {
  /** The number of bytes of every value; undefined if it varies. */
  readonly size?: number | undefined;
  read(source: Source): Read;
  write(sink: Sink, value: Written): void;
}

/** A type of the protocol; `compile` returns its coder for a version. */
export interface Type<Read, Written = Read> {
  compile(version: number, flexible: boolean): Coder<Read, Written>;
  /** The value read in versions without the field, and written when no value is given. */
  readonly absent: Read;
  /** The type in words, for example `compact [{name:compact string? tags}]`, to compare it with Kafka's own. */
  describe(version: number, flexible: boolean): string;
}

/** A type that can be null, which is read as undefined. */
export interface NullableType<Read, Written = Read> extends Type<Read, Written> {
  compileNullable(version: number, flexible: boolean): Coder<Read | undefined, Written | undefined>;
}

/** Creates a type of fixed size. */
function fixed<Read, Written = Read>(
  [name, size]: readonly [name: string, size: number],
  absent: Read,
  read: (buffer: Buffer, at: number) => Read,
  write: (buffer: Buffer, at: number, value: Written) => void,
): Type<Read, Written> {
  const coder: Coder<Read, Written> = {
    size,
    read: (source) => read(source.buffer, take(source, size)),
    write(sink, value) {
      const at = reserve(sink, size);
      write(sink.buffer, at, value);
    },
  };
  return { absent, compile: () => coder, describe: () => name };
}

/** A signed byte. */
export const int8 = fixed(
  ['int8', 1],
  0,
  (buffer, at) => buffer.readInt8(at),
  (buffer, at, value) => buffer.writeInt8(value, at),
);

/** A signed 16-bit integer. */
export const int16 = fixed(
  ['int16', 2],
  0,
  (buffer, at) => buffer.readInt16BE(at),
  (buffer, at, value) => buffer.writeInt16BE(value, at),
);

/** A signed 32-bit integer. */
export const int32 = fixed(
  ['int32', 4],
  0,
  (buffer, at) => buffer.readInt32BE(at),
  (buffer, at, value) => buffer.writeInt32BE(value, at),
);

/** A signed 64-bit integer, which is always read as a bigint; numbers can be written. */
export const int64 = fixed<bigint, bigint | number>(
  ['int64', 8],
  0n,
  (buffer, at) => {
    wide.setInt32(0, buffer.readInt32BE(at));
    wide.setInt32(4, buffer.readInt32BE(at + 4));
    return wide.getBigInt64(0);
  },
  (buffer, at, value) => {
    if (typeof value === 'number') writeNumber64(buffer, at, value);
    else writeBigInt64(buffer, at, value);
  },
);

/** The bytes of one integer of 64 bits. Buffers convert bigints in several steps, each with a bigint of its own. */
const wide = new DataView(new ArrayBuffer(8));

function writeBigInt64(buffer: Buffer, at: number, value: bigint): void {
  if (BigInt.asIntN(64, value) !== value) throw new RangeError(`${value} has more than 64 bits`);
  wide.setBigInt64(0, value);
  buffer.writeInt32BE(wide.getInt32(0), at);
  buffer.writeInt32BE(wide.getInt32(4), at + 4);
}

/** Writes an integer within the precision of a number as 64 bits, without making a bigint of it. */
function writeNumber64(buffer: Buffer, at: number, value: number): void {
  buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), at);
  buffer.writeUInt32BE(value >>> 0, at + 4);
}

/** A 64-bit floating-point number. */
export const float64 = fixed(
  ['float64', 8],
  0,
  (buffer, at) => buffer.readDoubleBE(at),
  (buffer, at, value) => buffer.writeDoubleBE(value, at),
);

/** A boolean in one byte, 0 or 1. */
export const boolean = fixed(
  ['boolean', 1],
  false,
  (buffer, at) => buffer[at] !== 0,
  (buffer, at, value) => {
    buffer[at] = value ? 1 : 0;
  },
);

/** The id of 16 zero bytes, which stands for no topic. */
export const noUuid = 'AAAAAAAAAAAAAAAAAAAAAA';

/** An id of 16 bytes, as 22 characters of base64url like in Kafka's tools. */
export const uuid = fixed(['uuid', 16], noUuid, readUuid, (buffer, at, value) => {
  const bytes = Buffer.from(value, 'base64url');
  if (bytes.length !== 16) throw new RangeError('a uuid must have 16 bytes');
  buffer.set(bytes, at);
});

function readUuid(buffer: Buffer, at: number): string {
  return buffer.toString('base64url', at, at + 16);
}

/** The coder of the length of text (16 bits), bytes and lists (32 bits). Compact lengths are one higher; null is -1. */
function lengthCoder(flexible: boolean, bits: 16 | 32): Coder<number> {
  if (flexible) {
    return { read: (source) => readUvarint(source) - 1, write: (sink, length) => writeUvarint(sink, length + 1) };
  }
  return (bits === 16 ? int16 : int32).compile(0, false);
}

/** Creates a type that starts with its length. */
function sized<Read, Written>(form: {
  readonly bits: 16 | 32;
  readonly absent: Read;
  /** What null is read as in a field that is not nullable; by default it is an error. */
  readonly insteadOfNull?: Read;
  content(version: number, flexible: boolean): Sized<Read, Written>;
  describe(version: number, flexible: boolean): string;
}): NullableType<Read, Written> {
  const compileNullable = (version: number, flexible: boolean): Coder<Read | undefined, Written | undefined> => {
    const length = lengthCoder(flexible, form.bits);
    const content = form.content(version, flexible);
    return {
      read(source) {
        const size = length.read(source);
        if (size < -1) throw new MalformedBytes(source.at, `invalid length ${size}`);
        return size === -1 ? undefined : content.read(source, size);
      },
      write(sink, value) {
        if (value === undefined) length.write(sink, -1);
        else {
          const size = content.size(value);
          length.write(sink, size);
          content.write(sink, value, size);
        }
      },
    };
  };
  return {
    absent: form.absent,
    describe: (version, flexible) => `${flexible ? 'compact ' : ''}${form.describe(version, flexible)}`,
    compileNullable,
    compile(version, flexible) {
      const { read, write } = compileNullable(version, flexible);
      return {
        read(source) {
          const value = read(source) ?? form.insteadOfNull;
          if (value === undefined) throw new MalformedBytes(source.at, 'unexpected null');
          return value;
        },
        write,
      };
    },
  };
}

interface Sized<Read, Written> {
  read(source: Source, size: number): Read;
  size(value: Written): number;
  write(sink: Sink, value: Written, size: number): void;
}

/** A string in UTF-8. */
export const string: NullableType<string> = sized({
  bits: 16,
  absent: '',
  describe: () => 'string',
  content: () => ({
    read(source, size) {
      const at = take(source, size);
      return source.buffer.toString('utf8', at, at + size);
    },
    size: (value) => Buffer.byteLength(value),
    write(sink, value, size) {
      const at = reserve(sink, size);
      sink.buffer.write(value, at, size, 'utf8');
    },
  }),
});

const noBytes = Buffer.alloc(0);

/** Bytes, which are a view when read and copied when written. */
export const bytes: NullableType<Buffer, Uint8Array> = sized<Buffer, Uint8Array>({
  bits: 32,
  absent: noBytes,
  describe: () => 'bytes',
  content: () => ({ read: view, size: (value) => value.length, write: append }),
});

/** Record batches, which are a view when read. Large ones are not copied when written, but lent (`sink.ts`). */
export const records: NullableType<Buffer, Uint8Array> = sized<Buffer, Uint8Array>({
  bits: 32,
  absent: noBytes,
  describe: () => 'records',
  content: () => ({ read: view, size: (value) => value.length, write: lend }),
});

/** A list of items. */
export function array<Read, Written>(item: Type<Read, Written>): NullableType<readonly Read[], readonly Written[]> {
  return sized<readonly Read[], readonly Written[]>({
    bits: 32,
    absent: [],
    // Some brokers send null for an empty list.
    insteadOfNull: [],
    describe: (version, flexible) => `[${item.describe(version, flexible)}]`,
    content(version, flexible) {
      const { read, write, size: itemSize } = item.compile(version, flexible);
      return {
        read(source, count) {
          checkCount(source, count, itemSize ?? 1);
          // Items of a fixed size need no more memory than they take in the message.
          if (itemSize === undefined) spend(source, count);
          const items = new Array<Read>(count);
          for (let at = 0; at < count; at += 1) items[at] = read(source);
          return items;
        },
        size: (items) => items.length,
        write(sink, items) {
          for (const one of items) write(sink, one);
        },
      };
    },
  });
}
