import type { Arena } from '../../../../bytes/arena.ts';
import { CompressionError } from '../corrupt.ts';

/** A range of bytes to pack or unpack. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The room for packed bytes. */
export interface PackRoom {
  readonly from: number;
  readonly to: number;
}

/** The bounds of a block that is unpacked after the filled part of an arena, as positions in the arena. */
export interface UnpackRoom {
  /** The last position at which its bytes may end; the arena has room up to here. */
  readonly to: number;
  /** The oldest position that its copies may refer to. */
  readonly oldest: number;
  /** The limit for all blocks together, which the error names if `to` is equal to it. */
  readonly limit: number;
}

/** Unpacks the blocks of snappy and LZ4. */
export interface BlockUnpackers {
  /**
   * Unpacks one LZ4 block (lz4 doc/lz4_Block_format.md) after the filled part of `scratch`.
   * @throws CompressionError if it is damaged or does not fit
   */
  unpackLz4(input: Buffer, range: ByteRange, scratch: Arena, room: UnpackRoom): void;
  /**
   * Unpacks snappy elements (google/snappy format_description.txt) after the filled part of `scratch`, at most up to
   * its position `to`. Copies reach back to the start of these elements.
   * @throws CompressionError if they are damaged or do not fit
   */
  unpackSnappy(input: Buffer, range: ByteRange, scratch: Arena, to: number): void;
}

/** The inner loops of snappy and LZ4. */
export interface Blocks extends BlockUnpackers {
  /** Packs at most 64 KiB as one LZ4 block; returns the position after it, or -1 if it does not fit into `room`. */
  packLz4(input: Buffer, range: ByteRange, output: Buffer, room: PackRoom): number;
  /**
   * Packs at most 64 KiB as snappy elements; returns the position after them. `output` must have room after `from` for
   * the input, a sixth of it, and 32 bytes.
   */
  packSnappy(input: Buffer, range: ByteRange, output: Buffer, from: number): number;
}

/** The kinds of damage in LZ4 blocks and snappy elements. */
export type Damage = 'literal cut' | 'too long' | 'copy cut' | 'bad copy';

const lz4Texts: Readonly<Record<Damage, string>> = {
  'literal cut': 'the lz4 data ends inside a literal',
  'too long': 'an lz4 block decompresses to more than its maximum size',
  'copy cut': 'the lz4 data ends inside a sequence',
  'bad copy': 'an lz4 copy starts before the data',
};

const snappyTexts: Readonly<Record<Damage, string>> = {
  'literal cut': 'the snappy data ends inside a literal',
  'too long': 'a snappy literal is too long',
  'copy cut': 'the snappy data ends inside a copy',
  'bad copy': 'invalid snappy copy',
};

/** The error for a damaged LZ4 block. */
export function lz4Damage(damage: Damage, { to, limit }: UnpackRoom): CompressionError {
  const isBomb = damage === 'too long' && to === limit;
  return new CompressionError(isBomb ? `it decompresses to more than ${limit} bytes` : lz4Texts[damage]);
}

/** The error for damaged snappy elements. */
export function snappyDamage(damage: Damage): CompressionError {
  return new CompressionError(snappyTexts[damage]);
}
