import { append, reserve, type Sink, writeNumber64, writeUvarint } from './sink.ts';
import { MalformedRequest, readNumber64, readUvarint, type Source, take, view } from './source.ts';

/** Reads and writes one value in one version of an API. */
export interface Coder<Read, Written = Read> {
  read(source: Source): Read;
  write(sink: Sink, value: Written): void;
}

/** A type of the protocol; `compile` returns its coder for a version. */
export interface Type<Read, Written = Read> {
  compile(version: number, flexible: boolean): Coder<Read, Written>;
  /** The value read in versions without the field, and written when no value is given. */
  readonly absent: Read;
}

/** A type that can be null, which is read as undefined. */
export interface NullableType<Read, Written = Read> extends Type<Read, Written> {
  compileNullable(version: number, flexible: boolean): Coder<Read | undefined, Written | undefined>;
}

/** Creates a type of fixed size that is the same in every version. */
function fixed<T>(size: number, absent: T, read: (buffer: Buffer, at: number) => T, write: Put<T>): Type<T> {
  const coder: Coder<T> = {
    read: (source) => read(source.buffer, take(source, size)),
    write(sink, value) {
      const at = reserve(sink, size);
      write(sink.buffer, at, value);
    },
  };
  return { compile: () => coder, absent };
}

type Put<T> = (buffer: Buffer, at: number, value: T) => void;

/** A signed byte. */
export const int8 = fixed(
  1,
  0,
  (buffer, at) => buffer.readInt8(at),
  (buffer, at, value) => buffer.writeInt8(value, at),
);

/** A signed 16-bit integer. */
export const int16 = fixed(
  2,
  0,
  (buffer, at) => buffer.readInt16BE(at),
  (buffer, at, value) => buffer.writeInt16BE(value, at),
);

/** A signed 32-bit integer. */
export const int32 = fixed(
  4,
  0,
  (buffer, at) => buffer.readInt32BE(at),
  (buffer, at, value) => buffer.writeInt32BE(value, at),
);

/** A signed 64-bit integer as a bigint, for timestamps. */
export const int64 = fixed(
  8,
  0n,
  (buffer, at) => buffer.readBigInt64BE(at),
  (buffer, at, value) => buffer.writeBigInt64BE(value, at),
);

/** A signed 64-bit integer as a number, for offsets and producer ids. Values beyond 2^53 are rounded. */
export const offset64 = fixed(8, 0, readNumber64, writeNumber64);

/** A 64-bit floating-point number. */
export const float64 = fixed(
  8,
  0,
  (buffer, at) => buffer.readDoubleBE(at),
  (buffer, at, value) => buffer.writeDoubleBE(value, at),
);

/** A boolean in one byte, 0 or 1. */
export const boolean = fixed(
  1,
  false,
  (buffer, at) => buffer[at] !== 0,
  (buffer, at, value) => {
    buffer[at] = value ? 1 : 0;
  },
);

/** The id of 16 zero bytes, which stands for no topic. */
export const noUuid = 'AAAAAAAAAAAAAAAAAAAAAA';

/** An id of 16 bytes, as 22 characters of base64url like in Kafka's tools. */
export const uuid = fixed(
  16,
  noUuid,
  (buffer, at) => buffer.toString('base64url', at, at + 16),
  (buffer, at, value) => {
    buffer.write(value, at, 16, 'base64url');
  },
);

/** The coder of the length of text (16 bits), bytes and lists (32 bits). Compact lengths are one higher; null is -1. */
function lengthCoder(flexible: boolean, bits: 16 | 32): Coder<number> {
  if (flexible) {
    return { read: (source) => readUvarint(source) - 1, write: (sink, length) => writeUvarint(sink, length + 1) };
  }
  return bits === 16 ? int16.compile(0, false) : int32.compile(0, false);
}

/** Creates a type that starts with its length. */
function sized<Read, Written>(form: {
  readonly bits: 16 | 32;
  readonly absent: Read;
  content(version: number, flexible: boolean): Sized<Read, Written>;
}): NullableType<Read, Written> {
  const compileNullable = (version: number, flexible: boolean): Coder<Read | undefined, Written | undefined> => {
    const length = lengthCoder(flexible, form.bits);
    const content = form.content(version, flexible);
    return {
      read(source) {
        const size = length.read(source);
        if (size < -1) throw new MalformedRequest(`invalid length ${size}`);
        return size === -1 ? undefined : content.read(source, size);
      },
      write(sink, value) {
        const size = value === undefined ? -1 : content.size(value);
        length.write(sink, size);
        if (value !== undefined) content.write(sink, value, size);
      },
    };
  };
  return {
    absent: form.absent,
    compileNullable,
    compile(version, flexible) {
      const { read, write } = compileNullable(version, flexible);
      return { read: (source) => present(read(source)), write };
    },
  };
}

interface Sized<Read, Written> {
  read(source: Source, size: number): Read;
  size(value: Written): number;
  write(sink: Sink, value: Written, size: number): void;
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new MalformedRequest('null in a field that is not nullable');
  return value;
}

/** A string in UTF-8. */
export const string: NullableType<string> = sized({
  bits: 16,
  absent: '',
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

/** Bytes or records, which are a view when read and copied when written. */
export const bytes: NullableType<Buffer, Uint8Array> = sized<Buffer, Uint8Array>({
  bits: 32,
  absent: Buffer.alloc(0),
  content: () => ({ read: view, size: (value) => value.length, write: append }),
});

/** A list of items. */
export function array<Read, Written>(item: Type<Read, Written>): NullableType<readonly Read[], readonly Written[]> {
  const empty: readonly Read[] = [];
  return sized<readonly Read[], readonly Written[]>({
    bits: 32,
    absent: empty,
    content(version, flexible) {
      const coder = item.compile(version, flexible);
      return {
        read(source, count) {
          // Every item has at least one byte, so a wrong count cannot allocate a huge list.
          if (count > source.buffer.length - source.at) throw new MalformedRequest(`a list of ${count} does not fit`);
          const items: Read[] = [];
          for (let left = count; left > 0; left -= 1) items.push(coder.read(source));
          return items;
        },
        size: (items) => items.length,
        write(sink, items) {
          for (const one of items) coder.write(sink, one);
        },
      };
    },
  });
}
