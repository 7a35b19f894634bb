import { append, createSink, reserve, type Sink, written } from '../../../kafka/protocol/wire/sink.ts';

const lz4Magic = 0x184d2204;

/** Decompresses an LZ4 frame (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md), ignoring checksums. */
export function unpackLz4(packed: Buffer): Buffer {
  if (packed.readUInt32LE(0) !== lz4Magic) throw new Error('invalid LZ4 frame');
  const flags = packed[4] ?? 0;
  const checksumSize = (flags & 0x10) === 0 ? 0 : 4;
  let at = 7 + ((flags & 0x08) === 0 ? 0 : 8) + ((flags & 0x01) === 0 ? 0 : 4);
  const output = createSink();
  for (let size = packed.readUInt32LE(at); size !== 0; size = packed.readUInt32LE(at)) {
    const block = packed.subarray(at + 4, at + 4 + (size & 0x7fffffff));
    if (size >>> 31 === 1) append(output, block);
    else unpackLz4Block(block, output);
    at += 4 + block.length + checksumSize;
  }
  return written(output);
}

/** Decompresses an LZ4 block (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md). */
function unpackLz4Block(block: Buffer, output: Sink): void {
  let at = 0;
  const extended = (start: number): number => {
    let length = start;
    if (start !== 15) return length;
    for (let byte = 255; byte === 255; ) {
      byte = block[at++] ?? 0;
      length += byte;
    }
    return length;
  };
  while (at < block.length) {
    const token = block[at++] ?? 0;
    const literals = extended(token >> 4);
    append(output, block.subarray(at, at + literals));
    at += literals;
    if (at >= block.length) return;
    const distance = block.readUInt16LE(at);
    at += 2;
    const size = 4 + extended(token & 15);
    if (distance === 0 || distance > output.at) throw new Error('invalid LZ4 block: a copy starts before the block');
    let to = reserve(output, size);
    for (let left = size; left > 0; left -= 1, to += 1) output.buffer[to] = output.buffer[to - distance] ?? 0;
  }
}

/** The header written by xerial's library, and so by every Java client: length-prefixed blocks follow. */
const xerialMagic = Buffer.from('82534e415050590000000001', 'hex');

/** Decompresses snappy as sent by Kafka clients: one block, or xerial's frame of blocks. */
export function unpackSnappy(packed: Buffer): Buffer {
  if (packed.length < 16 || !packed.subarray(0, 8).equals(xerialMagic.subarray(0, 8))) return unpackSnappyBlock(packed);
  const blocks: Buffer[] = [];
  for (let at = 16; at < packed.length; ) {
    const size = packed.readInt32BE(at);
    blocks.push(unpackSnappyBlock(packed.subarray(at + 4, at + 4 + size)));
    at += 4 + size;
  }
  return Buffer.concat(blocks);
}

/** Decompresses a snappy block (https://github.com/google/snappy/blob/main/format_description.txt). */
function unpackSnappyBlock(packed: Buffer): Buffer {
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
