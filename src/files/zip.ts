import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** A file to add to a ZIP file. */
export interface ZipEntry {
  /** ASCII, without directories that lead elsewhere. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly modified: number;
  /** The size in bytes; undefined if it is not known. The chunks must have it. */
  readonly size?: number | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Writes a ZIP file. */
export interface ZipWriter {
  /** Adds a file, and returns its size in bytes. If its chunks end with an error, the ZIP file is as before. */
  add(entry: ZipEntry): Promise<number>;
  /** Writes the directory of the ZIP file. Nothing can be added after that. */
  end(): Promise<void>;
}

/** An entry whose content is written. */
interface Written {
  readonly name: Buffer;
  readonly modified: number;
  readonly size: number;
  readonly crc: number;
  readonly offset: number;
}

/** The largest number of the 32-bit fields says that the number is in a ZIP64 field. */
const limit = 0xffffffff;

/**
 * Creates a ZIP file of uncompressed files in an empty file (APPNOTE 6.3.10). The contents are ZIP files themselves, so
 * that compressing them would gain nothing. Files and offsets from 4 GiB on have ZIP64 fields (section 4.5.3).
 */
export function createZip(file: FileHandle): ZipWriter {
  const entries: Written[] = [];
  let end = 0;
  return {
    async add({ name, modified, size: announced = limit, chunks }) {
      const entry = { name: Buffer.from(name), modified, offset: end };
      const isLong = announced >= limit;
      const start = end + localHeader({ ...entry, size: 0, crc: 0 }, isLong).length;
      let [at, crc] = [start, 0];
      try {
        for await (const chunk of chunks) {
          await writeAll(file, chunk, at);
          crc = crc32(chunk, crc);
          at += chunk.length;
          if (!isLong && at - start > announced) throw new Error(`the content of ${name} is longer than announced`);
        }
      } catch (error) {
        await file.truncate(end);
        throw error;
      }
      const written = { ...entry, size: at - start, crc };
      await writeAll(file, localHeader(written, isLong), end);
      entries.push(written);
      end = at;
      return written.size;
    },
    async end() {
      const directory = Buffer.concat(entries.map(directoryEntry));
      await writeAll(file, Buffer.concat([directory, endOf(entries.length, directory.length, end)]), end);
    },
  };
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

/** Section 4.3.7. */
function localHeader(entry: Written, isLong: boolean): Buffer {
  const extra = isLong ? longField([entry.size, entry.size]) : Buffer.alloc(0);
  const sizes = isLong ? limit : entry.size;
  const head = Buffer.alloc(4);
  head.write('PK\x03\x04', 'latin1');
  return Buffer.concat([head, common(entry, sizes, extra.length), entry.name, extra]);
}

/** Section 4.3.12. */
function directoryEntry(entry: Written): Buffer {
  const { size, offset, name } = entry;
  const long = [...(size >= limit ? [size, size] : []), ...(offset >= limit ? [offset] : [])];
  const extra = long.length === 0 ? Buffer.alloc(0) : longField(long);
  const head = Buffer.alloc(6);
  head.write('PK\x01\x02', 'latin1');
  // Made on Unix, with version 4.5, for the permissions below.
  head.writeUInt16LE(0x032d, 4);
  const rest = Buffer.alloc(14);
  // A regular file that its owner can read and write.
  rest.writeUInt32LE(0o100600 * 0x10000, 6);
  rest.writeUInt32LE(Math.min(offset, limit), 10);
  return Buffer.concat([head, common(entry, Math.min(size, limit), extra.length), rest, name, extra]);
}

/** The fields that both headers of a file have, from the version on. */
function common({ name, modified, crc }: Written, size: number, extraLength: number): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(size === limit ? 45 : 10, 0);
  const [time, date] = dosTime(modified);
  fields.writeUInt16LE(time, 6);
  fields.writeUInt16LE(date, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(size, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(name.length, 22);
  fields.writeUInt16LE(extraLength, 24);
  return fields;
}

/** Section 4.5.3. */
function longField(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [at, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * at);
  return field;
}

/** Sections 4.3.14 to 4.3.16. */
function endOf(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(Math.min(offset, limit), 16);
  if (offset < limit) return end;
  const long = Buffer.alloc(56);
  long.write('PK\x06\x06', 'latin1');
  long.writeBigUInt64LE(44n, 4);
  long.writeUInt16LE(0x032d, 12);
  long.writeUInt16LE(45, 14);
  for (const [value, at] of [
    [count, 24],
    [count, 32],
    [length, 40],
    [offset, 48],
  ] as const)
    long.writeBigUInt64LE(BigInt(value), at);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(offset + length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([long, locator, end]);
}

/** Two seconds are the unit of the format, and 1980 its first year; in UTC. */
function dosTime(epochMs: number): readonly [time: number, date: number] {
  const date = new Date(epochMs);
  const year = date.getUTCFullYear() - 1980;
  if (!(year >= 0 && year < 128)) return [0, 0x21];
  return [
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
    (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
  ];
}
