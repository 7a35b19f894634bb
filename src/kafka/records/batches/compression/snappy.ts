import type { Arena } from '../../../../bytes/arena.ts';
import { CompressionError } from '../corrupt.ts';
import type { BlockUnpackers, ByteRange } from './blocks.ts';
import { growScratch, resetScratch } from './scratch.ts';
import { wasmBlocks } from './wasm-blocks.ts';

/**
 * Snappy blocks (google/snappy format_description.txt), bare as librdkafka and franz-go write them, or in the framing
 * of xerial's Java library, which Java clients write: a 16-byte header, then blocks, each after its big-endian
 * compressed length.
 */
const xerialMagic = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0]);
const xerialHeaderBytes = 16;
/** Copies reach back 64 KiB at most, so each piece of that size is packed separately. */
const packBytes = 1 << 16;

interface Unpacking {
  readonly input: Buffer;
  readonly scratch: Arena;
  readonly limit: number;
  readonly blocks: BlockUnpackers;
}

/** Decompresses snappy, bare or in xerial's framing. */
export function decompressSnappy(
  input: Buffer,
  scratch: Arena,
  limit: number,
  blocks: BlockUnpackers = wasmBlocks('snappy'),
): void {
  resetScratch(scratch);
  const unpacking: Unpacking = { input, scratch, limit, blocks };
  if (input.length < xerialHeaderBytes || xerialMagic.compare(input, 0, 8) !== 0) {
    unpackBlock(unpacking, { start: 0, end: input.length });
    return;
  }
  let at = xerialHeaderBytes;
  while (at < input.length) {
    if (at + 4 > input.length) throw new CompressionError('the snappy data ends inside a block length');
    const length = input.readUInt32BE(at);
    at += 4;
    if (length > input.length - at) throw new CompressionError('a snappy block is longer than the data');
    unpackBlock(unpacking, { start: at, end: at + length });
    at += length;
  }
}

function unpackBlock({ input, scratch, limit, blocks }: Unpacking, { start, end }: ByteRange): void {
  const { length, after } = readLength(input, start, end);
  // A copy of 3 bytes gives at most 64, so a length of more than 22 times the input is invalid.
  if (length > (end - after) * 22) throw new CompressionError('invalid snappy length');
  growScratch(scratch, scratch.length + length, limit);
  const to = scratch.length + length;
  blocks.unpackSnappy(input, { start: after, end }, scratch, to);
  if (scratch.length !== to) throw new CompressionError('the snappy data ends early');
}

function readLength(input: Buffer, start: number, end: number): { readonly length: number; readonly after: number } {
  let length = 0;
  for (let index = 0; index < 5 && start + index < end; index++) {
    const byte = input[start + index] as number;
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { length, after: start + index + 1 };
  }
  throw new CompressionError('unterminated snappy length');
}

let packed = Buffer.alloc(0);

/**
 * Compresses into one bare snappy block like librdkafka and franz-go; it is smaller than with xerial's framing, and all
 * clients can read it.
 */
export function compressSnappy(input: Buffer): Buffer {
  const blocks = wasmBlocks('snappy');
  const worst = 32 + input.length + Math.floor(input.length / 6);
  if (packed.length < worst) packed = Buffer.allocUnsafeSlow(worst);
  let out = 0;
  let rest = input.length;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) packed[out++] = (rest & 0x7f) | 0x80;
  packed[out++] = rest;
  for (let start = 0; start < input.length; start += packBytes) {
    out = blocks.packSnappy(input, { start, end: Math.min(start + packBytes, input.length) }, packed, out);
  }
  return packed.subarray(0, out);
}
