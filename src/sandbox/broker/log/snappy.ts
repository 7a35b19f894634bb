/** The header written by xerial's library, and so by every Java client: length-prefixed blocks follow. */
const xerialMagic = Buffer.from('82534e415050590000000001', 'hex');

/** Decompresses snappy as sent by Kafka clients: one block, or xerial's frame of blocks. */
export function unpackSnappy(packed: Buffer): Buffer {
  if (packed.length < 16 || !packed.subarray(0, 8).equals(xerialMagic.subarray(0, 8))) return unpackBlock(packed);
  const blocks: Buffer[] = [];
  for (let at = 16; at < packed.length; ) {
    const size = packed.readInt32BE(at);
    blocks.push(unpackBlock(packed.subarray(at + 4, at + 4 + size)));
    at += 4 + size;
  }
  return Buffer.concat(blocks);
}

/** Decompresses a snappy block (https://github.com/google/snappy/blob/main/format_description.txt). */
function unpackBlock(packed: Buffer): Buffer {
  const [length, first] = readLength(packed);
  const output = Buffer.allocUnsafe(length);
  let end = 0;
  for (let at = first; at < packed.length; ) {
    const tag = packed[at++] ?? 0;
    if ((tag & 3) === 0) {
      const [size, width] = readLiteral(packed, at, tag);
      packed.copy(output, end, at + width, at + width + size);
      at += width + size;
      end += size;
      continue;
    }
    const [size, distance, width] = readCopy(packed, at, tag);
    at += width;
    if (distance === 0 || distance > end) throw new Error('invalid snappy block: a copy starts before the block');
    for (let left = size; left > 0; left -= 1, end += 1) output[end] = output[end - distance] ?? 0;
  }
  if (end !== length) throw new Error('invalid snappy block: its length is wrong');
  return output;
}

function readLength(packed: Buffer): readonly [length: number, width: number] {
  let length = 0;
  for (let at = 0; ; at += 1) {
    const byte = packed[at] ?? 0;
    length |= (byte & 0x7f) << (7 * at);
    if (byte < 0x80) return [length, at + 1];
  }
}

function readLiteral(packed: Buffer, at: number, tag: number): readonly [size: number, width: number] {
  const width = Math.max(0, (tag >> 2) - 59);
  return [1 + (width === 0 ? tag >> 2 : packed.readUIntLE(at, width)), width];
}

function readCopy(packed: Buffer, at: number, tag: number): readonly [size: number, distance: number, width: number] {
  const kind = tag & 3;
  if (kind === 1) return [4 + ((tag >> 2) & 7), ((tag >> 5) << 8) | (packed[at] ?? 0), 1];
  return kind === 2 ? [1 + (tag >> 2), packed.readUInt16LE(at), 2] : [1 + (tag >> 2), packed.readUInt32LE(at), 4];
}
