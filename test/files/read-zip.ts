import { crc32 } from 'node:zlib';

/** A file in a ZIP file. */
export interface ReadEntry {
  readonly name: string;
  readonly content: Buffer;
  /** The external attributes: the mode of Unix in the upper half. */
  readonly mode: number;
  readonly time: readonly [time: number, date: number];
}

/**
 * Reads a ZIP file of uncompressed files by its directory, as APPNOTE 6.3.10 describes it, apart from the writer.
 * @throws Error where headers, sizes, checksums or signatures do not fit together
 */
export function readZip(bytes: Buffer): readonly ReadEntry[] {
  const end = bytes.length - 22;
  expectAt(bytes, end, 'PK\x05\x06');
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  if (at + bytes.readUInt32LE(end + 12) !== end) throw new Error('the directory does not end where the end begins');
  return Array.from({ length: count }, () => {
    expectAt(bytes, at, 'PK\x01\x02');
    const size = bytes.readUInt32LE(at + 24);
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('latin1', at + 46, at + 46 + nameLength);
    const entry = { name, mode: bytes.readUInt16LE(at + 40), time: timeAt(bytes, at + 12), content: contentOf(at) };
    if (entry.content.length !== size) throw new Error(`the sizes of ${name} differ`);
    if (crc32(entry.content) !== bytes.readUInt32LE(at + 16)) throw new Error(`the checksum of ${name} is wrong`);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30);
    return entry;
  });

  function contentOf(entryAt: number): Buffer {
    const local = bytes.readUInt32LE(entryAt + 42);
    expectAt(bytes, local, 'PK\x03\x04');
    // Versions, flags, method, time, checksum and sizes are the same in both headers, but for the ZIP64 form.
    if (bytes.readUInt16LE(local + 8) !== 0) throw new Error('the content is not stored');
    const lengths = [bytes.readUInt16LE(local + 26), bytes.readUInt16LE(local + 28)] as const;
    const start = local + 30 + lengths[0] + lengths[1];
    const short = bytes.readUInt32LE(local + 22);
    const size = short === 0xffffffff ? Number(bytes.readBigUInt64LE(local + 30 + lengths[0] + 4)) : short;
    if (bytes.readUInt32LE(local + 14) !== bytes.readUInt32LE(entryAt + 16)) throw new Error('the checksums differ');
    return bytes.subarray(start, start + size);
  }
}

function timeAt(bytes: Buffer, at: number): readonly [number, number] {
  return [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)];
}

function expectAt(bytes: Buffer, at: number, signature: string): void {
  if (bytes.toString('latin1', at, at + 4) !== signature) throw new Error(`no ${signature} at ${at}`);
}
