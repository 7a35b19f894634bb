/** Lookup tables for processing eight bytes at a time ("slicing-by-8"). */
const tables: readonly Int32Array[] = makeTables();

function makeTables(): readonly Int32Array[] {
  const made = Array.from({ length: 8 }, () => new Int32Array(256));
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
    (made[0] as Int32Array)[byte] = value;
  }
  for (let slice = 1; slice < 8; slice += 1) {
    const before = made[slice - 1] as Int32Array;
    for (let byte = 0; byte < 256; byte += 1) {
      const value = before[byte] as number;
      (made[slice] as Int32Array)[byte] = (value >>> 8) ^ ((made[0] as Int32Array)[value & 0xff] as number);
    }
  }
  return made;
}

/** Computes the checksum of record batches: CRC-32C (RFC 3720) of the bytes from `start`, as an unsigned number. */
export function crc32c(bytes: Buffer, start: number): number {
  const [a, b, c, d, e, f, g, h] = tables;
  let crc = -1;
  let at = start;
  for (const end = bytes.length - 8; at <= end; at += 8) {
    const low = bytes.readInt32LE(at) ^ crc;
    crc =
      at8(h, low) ^
      at8(g, low >>> 8) ^
      at8(f, low >>> 16) ^
      at8(e, low >>> 24) ^
      at8(d, bytes[at + 4]) ^
      at8(c, bytes[at + 5]) ^
      at8(b, bytes[at + 6]) ^
      at8(a, bytes[at + 7]);
  }
  for (; at < bytes.length; at += 1) crc = (crc >>> 8) ^ at8(a, crc ^ (bytes[at] as number));
  return ~crc >>> 0;
}

function at8(table: Int32Array | undefined, index: number | undefined): number {
  return (table as Int32Array)[(index as number) & 0xff] as number;
}
