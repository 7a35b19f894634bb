import type { Blocks } from './blocks.ts';
import { packLz4Plain, unpackLz4Plain } from './plain-lz4.ts';
import { packSnappyPlain, unpackSnappyPlain } from './plain-snappy.ts';

/** The blocks in TypeScript alone: for where there is no WebAssembly, and for blocks too large for its memory. */
export const plainBlocks: Blocks = {
  unpackLz4: unpackLz4Plain,
  unpackSnappy: unpackSnappyPlain,
  packLz4: packLz4Plain,
  packSnappy: packSnappyPlain,
};
