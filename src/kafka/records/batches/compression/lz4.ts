import type { Arena } from '../../../../bytes/arena.ts';
import { CompressionError } from '../corrupt.ts';
import type { BlockUnpackers, ByteRange } from './blocks.ts';
import { growScratch, resetScratch } from './scratch.ts';
import { wasmBlocks } from './wasm-blocks.ts';

/**
 * The LZ4 frame format (lz4 doc/lz4_Frame_format.md, 1.6.4), with or without a content size, and with blocks that refer
 * to earlier ones; skippable and legacy frames, too. Checksums inside the frame are ignored, because the batch has its
 * own, and old Java clients wrote a wrong one for the header (KAFKA-3160).
 */
const frameMagic = 0x184d2204;
const legacyMagic = 0x184c2102;
const skippableMagic = 0x184d2a50;
/** Blocks of 64 KiB: the size that Java clients write, in which every distance fits into two bytes. */
const blockBytes = 1 << 16;
const legacyBlockBytes = 8 << 20;
/** The second byte of the xxHash-32 of the two header bytes, which are always the same when written here. */
const headerChecksum = 0x82;

interface Unpacking {
  readonly input: Buffer;
  readonly scratch: Arena;
  readonly limit: number;
  readonly blocks: BlockUnpackers;
}

/** Decompresses LZ4 frames. */
export function decompressLz4(
  input: Buffer,
  scratch: Arena,
  limit: number,
  blocks: BlockUnpackers = wasmBlocks('lz4'),
): void {
  resetScratch(scratch);
  const unpacking: Unpacking = { input, scratch, limit, blocks };
  let at = 0;
  do {
    const magic = at + 4 <= input.length ? input.readUInt32LE(at) : 0;
    if (magic === frameMagic) at = unpackFrame(unpacking, at + 4);
    else if (magic === legacyMagic) at = unpackLegacy(unpacking, at + 4);
    else if ((magic & 0xfffffff0) === skippableMagic && at + 8 <= input.length) at += 8 + input.readUInt32LE(at + 4);
    else throw new CompressionError('it is not an lz4 frame');
  } while (at < input.length);
}

/** The header of a frame, as far as it matters here. */
interface Frame {
  /** Where the blocks begin. */
  readonly at: number;
  readonly blockSize: number;
  /** Whether blocks refer to earlier ones. */
  readonly isLinked: boolean;
  /** How long the checksums after each block and after all of them are, in bytes. */
  readonly blockChecksum: number;
  readonly checksum: number;
}

function readFrame(input: Buffer, start: number): Frame {
  if (start + 7 > input.length) throw new CompressionError('the lz4 frame ends inside its header');
  const flags = input[start] as number;
  if (flags >>> 6 !== 1) throw new CompressionError(`unsupported lz4 frame version ${flags >>> 6}`);
  return {
    at: start + 3 + ((flags & 0x08) !== 0 ? 8 : 0) + ((flags & 0x01) !== 0 ? 4 : 0),
    blockSize: 1 << (8 + 2 * (((input[start + 1] as number) >>> 4) & 7)),
    isLinked: (flags & 0x20) === 0,
    blockChecksum: (flags & 0x10) !== 0 ? 4 : 0,
    checksum: (flags & 0x04) !== 0 ? 4 : 0,
  };
}

function unpackFrame(unpacking: Unpacking, start: number): number {
  const { input, scratch } = unpacking;
  const frame = readFrame(input, start);
  const { blockSize, isLinked, blockChecksum, checksum } = frame;
  const frameFrom = scratch.length;
  let { at } = frame;
  for (;;) {
    if (at + 4 > input.length) throw new CompressionError('the lz4 frame ends inside a block size');
    const word = input.readUInt32LE(at);
    at += 4;
    if (word === 0) return at + checksum;
    const size = word & 0x7fffffff;
    if (size > input.length - at) throw new CompressionError('an lz4 block is longer than the data');
    const oldest = isLinked ? frameFrom : scratch.length;
    unpackBlock(unpacking, { start: at, end: at + size, isStored: word >>> 31 === 1, most: blockSize, oldest });
    at += size + blockChecksum;
  }
}

function unpackLegacy(unpacking: Unpacking, start: number): number {
  const { input, scratch } = unpacking;
  let at = start;
  while (at + 4 <= input.length) {
    const size = input.readUInt32LE(at);
    if (size === frameMagic || size === legacyMagic) return at;
    at += 4;
    if (size > input.length - at) throw new CompressionError('an lz4 block is longer than the data');
    const oldest = scratch.length;
    unpackBlock(unpacking, { start: at, end: at + size, isStored: false, most: legacyBlockBytes, oldest });
    at += size;
  }
  return input.length;
}

interface Block extends ByteRange {
  readonly isStored: boolean;
  /** The maximum decompressed size in bytes. */
  readonly most: number;
  /** The oldest position that copies may refer to. */
  readonly oldest: number;
}

function unpackBlock({ input, scratch, limit, blocks }: Unpacking, block: Block): void {
  const { start, end, isStored, oldest } = block;
  const size = end - start;
  // One byte of input gives at most 255 bytes of output.
  const most = Math.min(isStored ? size : block.most, size * 255, Math.max(limit - scratch.length, 0) + 1);
  growScratch(scratch, Math.min(scratch.length + most, limit), limit);
  if (isStored) {
    if (scratch.length + size > limit) throw new CompressionError(`it decompresses to more than ${limit} bytes`);
    scratch.length += input.copy(scratch.bytes, scratch.length, start, end);
    return;
  }
  blocks.unpackLz4(input, block, scratch, { to: Math.min(scratch.length + most, limit), oldest, limit });
}

let packed = Buffer.alloc(0);

/** Compresses into one LZ4 frame of independent 64 KiB blocks, which every Kafka client can read. */
export function compressLz4(input: Buffer): Buffer {
  const blocks = wasmBlocks('lz4');
  const worst = 7 + Math.ceil(input.length / blockBytes) * 4 + input.length + 4;
  if (packed.length < worst) packed = Buffer.allocUnsafeSlow(worst);
  packed.writeUInt32LE(frameMagic, 0);
  packed[4] = 0x60; // version 1, independent blocks
  packed[5] = 0x40; // at most 64 KiB a block
  packed[6] = headerChecksum;
  let out = 7;
  for (let start = 0; start < input.length; start += blockBytes) {
    const end = Math.min(start + blockBytes, input.length);
    // A block that does not shrink is stored; packing stops as soon as that is certain.
    const reached = blocks.packLz4(input, { start, end }, packed, { from: out + 4, to: out + 4 + (end - start) - 1 });
    if (reached < 0) {
      input.copy(packed, out + 4, start, end);
      packed.writeUInt32LE((0x80000000 | (end - start)) >>> 0, out);
      out += 4 + end - start;
    } else {
      packed.writeUInt32LE(reached - out - 4, out);
      out = reached;
    }
  }
  packed.writeUInt32LE(0, out);
  return packed.subarray(0, out + 4);
}
