import fc from 'fast-check';

/** One step of an LZ77 stream: bytes as they are, or `length` bytes from `distance` before the end. */
export type Step =
  | { readonly literal: readonly number[] }
  | { readonly back: number; readonly length: number; readonly wide: boolean };

/** Compressed bytes with their decompressed form, made byte by byte. */
export interface Stream {
  readonly packed: Buffer;
  readonly plain: Buffer;
}

const literal = fc
  .tuple(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 700 })), fc.nat(255))
  .map(([length, seed]): Step => ({ literal: Array.from({ length }, (_, i) => (seed + i * i * 7) & 255) }));
const copy = fc
  .tuple(
    fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 70_000 })),
    fc.oneof(fc.integer({ min: 4, max: 24 }), fc.integer({ min: 4, max: 64 }), fc.integer({ min: 4, max: 40_000 })),
    fc.boolean(),
  )
  .map(([back, length, wide]): Step => ({ back, length, wide }));

/** Any steps; copies that reach before the beginning must be cut. */
export const steps = fc.array(fc.oneof(literal, copy), { minLength: 1, maxLength: 40 });

/** The steps as snappy elements, each in a random choice of its encodings. */
export function snappyStream(all: readonly Step[]): Stream {
  const plain: number[] = [];
  const packed: number[] = [];
  for (const step of all) {
    if ('literal' in step) {
      packed.push(...snappyLiteralTag(step.literal.length - 1), ...step.literal);
      plain.push(...step.literal);
      continue;
    }
    if (plain.length === 0) continue;
    const distance = Math.min(step.back, plain.length);
    for (let rest = Math.min(step.length, 3000); rest > 0; ) {
      const length = Math.min(rest, 64);
      rest -= length;
      repeat(plain, distance, length);
      if (distance < 2048 && length >= 4 && length <= 11 && !step.wide)
        packed.push(((distance >> 8) << 5) | ((length - 4) << 2) | 1, distance & 255);
      else if (distance < 65536 && !step.wide) packed.push(((length - 1) << 2) | 2, ...littleEndian(distance, 2));
      else packed.push(((length - 1) << 2) | 3, ...littleEndian(distance, 4));
    }
  }
  const length = plain.length;
  const varint: number[] = [];
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    varint.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) break;
  }
  return { packed: Buffer.from([...varint, ...packed]), plain: Buffer.from(plain) };
}

function snappyLiteralTag(value: number): readonly number[] {
  if (value < 60) return [value << 2];
  const width = value < 256 ? 1 + (value % 4) : 2 + (value % 3);
  return [(59 + width) << 2, ...littleEndian(value, width)];
}

/** The steps as an LZ4 frame of linked blocks, a new one after every few sequences. */
export function lz4Stream(all: readonly Step[]): Stream {
  const plain: number[] = [];
  const frame: number[] = [0x04, 0x22, 0x4d, 0x18, 0x40, 0x70, 0];
  let block: number[] = [];
  let waiting: readonly number[] = [];
  const end = (last: readonly number[]) => {
    block.push(...lz4Token(last.length, 0), ...last);
    frame.push(...littleEndian(block.length, 4), ...block);
    block = [];
  };
  for (const step of all) {
    if ('literal' in step) {
      waiting = [...waiting, ...step.literal];
      plain.push(...step.literal);
      continue;
    }
    if (plain.length === 0) continue;
    const distance = Math.min(step.back, plain.length, 65535);
    repeat(plain, distance, step.length);
    block.push(...lz4Token(waiting.length, step.length - 4), ...waiting, ...littleEndian(distance, 2));
    if (step.length - 4 >= 15) block.push(...lz4Rest(step.length - 4 - 15));
    waiting = [];
    if (step.wide) end([]);
  }
  end(waiting);
  return { packed: Buffer.from([...frame, 0, 0, 0, 0]), plain: Buffer.from(plain) };
}

function lz4Token(count: number, more: number): readonly number[] {
  const token = (Math.min(count, 15) << 4) | Math.min(more, 15);
  return count >= 15 ? [token, ...lz4Rest(count - 15)] : [token];
}

function lz4Rest(value: number): readonly number[] {
  return [...Array.from({ length: Math.floor(value / 255) }, () => 255), value % 255];
}

function repeat(plain: number[], distance: number, length: number): void {
  for (let i = 0; i < length; i++) plain.push(plain[plain.length - distance] as number);
}

function littleEndian(value: number, width: number): readonly number[] {
  return Array.from({ length: width }, (_, index) => Math.floor(value / 256 ** index) % 256);
}
