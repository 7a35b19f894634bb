import type { Arena } from '../arena.ts';

/** A range of bytes to pack or unpack. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Where packed bytes go, and how many there may be. */
export interface PackRoom {
  readonly from: number;
  readonly to: number;
}

/** What may become of a block that is unpacked behind what an arena holds, in positions of the arena. */
export interface UnpackRoom {
  /** Where its bytes end at the latest; the arena has room up to here. */
  readonly to: number;
  /** How far back its copies may reach. */
  readonly oldest: number;
  /** The limit for all blocks together, which the error names where `to` is this. */
  readonly limit: number;
}

/** Unpacking of the blocks of snappy and LZ4. */
export interface BlockUnpackers {
  /**
   * Unpacks one LZ4 block (lz4 doc/lz4_Block_format.md) behind what `scratch` holds.
   * @throws CompressionError when it is damaged or does not fit
   */
  unpackLz4(input: Buffer, range: ByteRange, scratch: Arena, room: UnpackRoom): void;
  /**
   * Unpacks snappy elements (google/snappy format_description.txt) behind what `scratch` holds, up to its position `to`
   * at the latest. Copies reach back to where it began.
   * @throws CompressionError when they are damaged or do not fit
   */
  unpackSnappy(input: Buffer, range: ByteRange, scratch: Arena, to: number): void;
}

/** The inner loops of snappy and LZ4. */
export interface Blocks extends BlockUnpackers {
  /** Packs at most 64 KiB as one LZ4 block; the position after it, or -1 when it does not fit into `room`. */
  packLz4(input: Buffer, range: ByteRange, output: Buffer, room: PackRoom): number;
  /**
   * Packs at most 64 KiB as snappy elements. `output` must have room for the input, a sixth of it and 32 bytes behind
   * `from`; returns the position after the packed bytes.
   */
  packSnappy(input: Buffer, range: ByteRange, output: Buffer, from: number): number;
}
