import type { PackRange } from './lz4-block.ts';

const hashBits = 14;
const table = new Int32Array(1 << hashBits);
/** Matches do not begin within the last bytes, so that words are read whole. */
const tailBytes = 15;

/**
 * Packs at most 64 KiB as snappy elements, greedily, with one candidate per hash. `output` must have
 * room for the input plus a sixth of it; returns the position after the packed bytes.
 */
export function packSnappyPiece(input: Buffer, { start, end }: PackRange, output: Buffer, from: number): number {
  const lastMatch = end - tailBytes;
  let anchor = start;
  let out = from;
  table.fill(0);
  let at = start;
  let misses = 0;
  while (at < lastMatch) {
    const word = readWord(input, at);
    const slot = Math.imul(word, 0x1e35a7bd) >>> (32 - hashBits);
    const candidate = (table[slot] as number) - 1 + start;
    table[slot] = at - start + 1;
    if (candidate < start || readWord(input, candidate) !== word) {
      at += 1 + (misses++ >>> 5);
      continue;
    }
    misses = 0;
    let length = 4;
    while (at + length < end && input[candidate + length] === input[at + length]) length++;
    if (at > anchor) out = writeLiteral(input, { start: anchor, end: at }, output, out);
    out = writeCopy(output, out, at - candidate, length);
    at += length;
    anchor = at;
  }
  return anchor < end ? writeLiteral(input, { start: anchor, end }, output, out) : out;
}

function readWord(bytes: Buffer, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

function writeLiteral(input: Buffer, { start, end }: PackRange, output: Buffer, from: number): number {
  const length = end - start;
  const value = length - 1;
  let out = from;
  if (value < 60) {
    output[out++] = value << 2;
  } else if (value < 256) {
    output[out++] = 60 << 2;
    output[out++] = value;
  } else {
    output[out++] = 61 << 2;
    output[out++] = value & 255;
    output[out++] = value >>> 8;
  }
  if (length <= 24) for (let i = 0; i < length; i++) output[out + i] = input[start + i] as number;
  else input.copy(output, out, start, end);
  return out + length;
}

function writeCopy(output: Buffer, from: number, distance: number, length: number): number {
  let out = from;
  let rest = length;
  // A copy takes 64 bytes at most; 60 leaves 4 or more for the next, the least a short one takes.
  for (; rest >= 68; rest -= 64) out = writeLongCopy(output, out, distance, 64);
  if (rest > 64) {
    out = writeLongCopy(output, out, distance, 60);
    rest -= 60;
  }
  if (rest >= 12 || distance >= 2048) return writeLongCopy(output, out, distance, rest);
  output[out++] = ((distance >>> 8) << 5) | ((rest - 4) << 2) | 1;
  output[out++] = distance & 255;
  return out;
}

function writeLongCopy(output: Buffer, out: number, distance: number, length: number): number {
  output[out] = ((length - 1) << 2) | 2;
  output[out + 1] = distance & 255;
  output[out + 2] = distance >>> 8;
  return out + 3;
}
