/** A range of bytes to pack. */
export interface PackRange {
  readonly start: number;
  readonly end: number;
}

/** Where packed bytes go, and how many there may be. */
export interface PackRoom {
  readonly from: number;
  readonly to: number;
}

const hashBits = 14;
const table = new Int32Array(1 << hashBits);
/** The format wants the last 5 bytes as literals, and no match to begin within the last 12. */
const tailLiterals = 5;
const tailMatch = 12;

/**
 * Packs at most 64 KiB as one LZ4 block (lz4 doc/lz4_Block_format.md), greedily, with one candidate
 * per hash. Returns the position after the packed bytes, or -1 when they do not fit into `room`.
 */
export function packLz4Block(input: Buffer, range: PackRange, output: Buffer, room: PackRoom): number {
  const { start, end } = range;
  const lastMatch = end - tailMatch;
  const matchEnd = end - tailLiterals;
  let anchor = start;
  let out = room.from;
  // Positions are kept plus one, so that 0 means none.
  table.fill(0);
  let at = start;
  let misses = 0;
  while (at < lastMatch) {
    const word = readWord(input, at);
    const slot = Math.imul(word, 0x9e3779b1) >>> (32 - hashBits);
    const candidate = (table[slot] as number) - 1 + start;
    table[slot] = at - start + 1;
    if (candidate < start || readWord(input, candidate) !== word) {
      // The longer nothing matches, the larger the steps: data that does not shrink passes quickly.
      at += 1 + (misses++ >>> 6);
      continue;
    }
    misses = 0;
    let length = 4;
    while (at + length < matchEnd && input[candidate + length] === input[at + length]) length++;
    out = writeSequence(input, { start: anchor, end: at }, output, {
      out,
      to: room.to,
      distance: at - candidate,
      length,
    });
    if (out < 0) return -1;
    at += length;
    anchor = at;
  }
  return writeSequence(input, { start: anchor, end }, output, { out, to: room.to, distance: 0, length: 0 });
}

function readWord(bytes: Buffer, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

interface Sequence {
  readonly out: number;
  readonly to: number;
  /** 0 for the last sequence, which has literals only. */
  readonly distance: number;
  readonly length: number;
}

function writeSequence(input: Buffer, literals: PackRange, output: Buffer, sequence: Sequence): number {
  const { distance, length, to } = sequence;
  const count = literals.end - literals.start;
  if (sequence.out + count + (count >>> 7) + (length >>> 7) + 8 > to) return -1;
  let out = sequence.out;
  const more = distance === 0 ? 0 : length - 4;
  output[out++] = (Math.min(count, 15) << 4) | Math.min(more, 15);
  if (count >= 15) out = writeRest(output, out, count - 15);
  if (count <= 24) for (let i = 0; i < count; i++) output[out + i] = input[literals.start + i] as number;
  else input.copy(output, out, literals.start, literals.end);
  out += count;
  if (distance === 0) return out;
  output[out++] = distance & 255;
  output[out++] = distance >>> 8;
  return more >= 15 ? writeRest(output, out, more - 15) : out;
}

function writeRest(output: Buffer, start: number, value: number): number {
  let out = start;
  let rest = value;
  for (; rest >= 255; rest -= 255) output[out++] = 255;
  output[out++] = rest;
  return out;
}
