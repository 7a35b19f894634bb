import { CompressionError } from '../corrupt.ts';
import type { UnpackRoom } from './blocks.ts';

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
