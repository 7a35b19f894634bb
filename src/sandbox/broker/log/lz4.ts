import { append, createSink, reserve, type Sink, written } from '../../../kafka/protocol/wire/sink.ts';

const magic = 0x184d2204;

/** Decompresses an LZ4 frame (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md), ignoring checksums. */
export function unpackLz4(packed: Buffer): Buffer {
  if (packed.readUInt32LE(0) !== magic) throw new Error('invalid LZ4 frame');
  const flags = packed[4] ?? 0;
  const checksumSize = (flags & 0x10) === 0 ? 0 : 4;
  let at = 7 + ((flags & 0x08) === 0 ? 0 : 8) + ((flags & 0x01) === 0 ? 0 : 4);
  const output = createSink();
  for (let size = packed.readUInt32LE(at); size !== 0; size = packed.readUInt32LE(at)) {
    const block = packed.subarray(at + 4, at + 4 + (size & 0x7fffffff));
    if (size >>> 31 === 1) append(output, block);
    else unpackBlock(block, output);
    at += 4 + block.length + checksumSize;
  }
  return written(output);
}

/** Decompresses an LZ4 block (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md). */
function unpackBlock(block: Buffer, output: Sink): void {
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
