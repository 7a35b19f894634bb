import { crc32 } from 'node:zlib';

/** Writes a ZIP file with one uncompressed entry (APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16). */
export function zipOf(name: string, content: Buffer): Buffer {
  const path = Buffer.from(name);
  // Version 1.0, no flags, stored; the time is 1980-01-01, the first that the format can express.
  const common = Buffer.alloc(26);
  common.writeUInt16LE(10, 0);
  common.writeUInt16LE(0x0021, 8);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(content.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(path.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, content]);
  const rest = Buffer.alloc(14);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x0a\x00', 'latin1'), common, rest, path]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
