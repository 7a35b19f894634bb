import { type Arena, copyInto, repeatBytes, viewOver } from '../arena.ts';
import { CompressionError } from '../corrupt.ts';
import { growScratch, resetScratch } from './scratch.ts';
import { packSnappyPiece } from './snappy-piece.ts';

/**
 * Snappy blocks (google/snappy format_description.txt), bare as librdkafka and franz-go write them
 * or in the framing of xerial's Java library, which Java clients write: a 16-byte header, then
 * blocks with their packed length in front, big endian.
 */
const xerialMagic = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0]);
const xerialHeaderBytes = 16;
/** Copies reach back 64 KiB at most: each piece of that size is packed by itself. */
const packBytes = 1 << 16;

/** Unpacks snappy, bare or in xerial's framing. */
export function decompressSnappy(input: Buffer, scratch: Arena, limit: number): void {
  resetScratch(scratch);
  if (input.length < xerialHeaderBytes || xerialMagic.compare(input, 0, 8) !== 0) {
    unpackBlock(input, { at: 0, end: input.length }, scratch, limit);
    return;
  }
  let at = xerialHeaderBytes;
  while (at < input.length) {
    if (at + 4 > input.length) throw new CompressionError('the snappy data ends inside a block length');
    const length = input.readUInt32BE(at);
    at += 4;
    if (length > input.length - at) throw new CompressionError('a snappy block is longer than the data');
    unpackBlock(input, { at, end: at + length }, scratch, limit);
    at += length;
  }
}

interface Range {
  at: number;
  readonly end: number;
}

function unpackBlock(input: Buffer, range: Range, scratch: Arena, limit: number): void {
  const length = readLength(input, range);
  // A copy of 3 bytes gives 64 at most: a length beyond 22 times the input is a lie.
  if (length > (range.end - range.at) * 22) throw new CompressionError('the snappy length is impossible');
  growScratch(scratch, scratch.length + length, limit);
  const to = scratch.length + length;
  unpackElements(input, range, scratch, to);
  if (scratch.length !== to) throw new CompressionError('the snappy data ends early');
}

function readLength(input: Buffer, range: Range): number {
  let length = 0;
  for (let index = 0; index < 5; index++) {
    if (range.at >= range.end) break;
    const byte = input[range.at++] as number;
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return length;
  }
  throw new CompressionError('the snappy length is damaged');
}

function unpackElements(input: Buffer, range: Range, scratch: Arena, to: number): void {
  const { end } = range;
  const from = scratch.length;
  const view = viewOver(input);
  let at = range.at;
  while (at < end) {
    const tag = input[at++] as number;
    const kind = tag & 3;
    let length = (tag >>> 2) + 1;
    if (kind === 0) {
      if (length > 60) {
        const extra = length - 60;
        if (at + extra > end) throw new CompressionError('the snappy data ends inside a literal');
        length = input.readUIntLE(at, extra) + 1;
        at += extra;
      }
      if (length > end - at || length > to - scratch.length) throw new CompressionError('a snappy literal is too long');
      copyInto(scratch, view, at, length);
      at += length;
      continue;
    }
    const width = kind === 3 ? 4 : kind;
    if (at + width > end) throw new CompressionError('the snappy data ends inside a copy');
    let distance: number;
    if (kind === 1) {
      length = ((tag >>> 2) & 7) + 4;
      distance = ((tag >>> 5) << 8) | (input[at] as number);
    } else distance = kind === 2 ? view.getUint16(at, true) : view.getUint32(at, true);
    at += width;
    if (distance === 0 || distance > scratch.length - from || length > to - scratch.length) {
      throw new CompressionError('a snappy copy is damaged');
    }
    repeatBytes(scratch, distance, length);
  }
}

let packed = Buffer.alloc(0);

/** Packs as one bare snappy block, as librdkafka and franz-go do: smaller than xerial's framing, read by all. */
export function compressSnappy(input: Buffer): Buffer {
  const worst = 32 + input.length + Math.floor(input.length / 6);
  if (packed.length < worst) packed = Buffer.allocUnsafeSlow(worst);
  let out = 0;
  let rest = input.length;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) packed[out++] = (rest & 0x7f) | 0x80;
  packed[out++] = rest;
  for (let start = 0; start < input.length; start += packBytes) {
    out = packSnappyPiece(input, { start, end: Math.min(start + packBytes, input.length) }, packed, out);
  }
  return packed.subarray(0, out);
}
