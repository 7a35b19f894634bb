import type { Arena } from '../../../../bytes/arena.ts';
import type { Compression } from './compressions.ts';
import { compressGzip, decompressGzip } from './gzip.ts';
import { compressLz4, decompressLz4 } from './lz4.ts';
import { compressSnappy, decompressSnappy } from './snappy.ts';
import { compressZstd, decompressZstd } from './zstd.ts';

/** One compression type. */
export interface Codec {
  /**
   * Decompresses all of `input` into `scratch`, whose memory the next batch reuses.
   * @throws CompressionError if the input is damaged or decompresses to more than `limit` bytes
   */
  decompress(input: Buffer, scratch: Arena, limit: number): void;
  /**
   * Compresses all of `input`; the result is valid until the next call. `level` is that of the codec; undefined for its
   * default.
   */
  compress(input: Buffer, level: number | undefined): Buffer;
}

const codecs: Readonly<Record<Exclude<Compression, 'none'>, Codec>> = {
  gzip: { decompress: decompressGzip, compress: compressGzip },
  snappy: { decompress: decompressSnappy, compress: (input) => compressSnappy(input) },
  lz4: { decompress: decompressLz4, compress: (input) => compressLz4(input) },
  zstd: { decompress: decompressZstd, compress: compressZstd },
};

/** Returns the codec of a compression type. */
export function codecOf(compression: Exclude<Compression, 'none'>): Codec {
  return codecs[compression];
}
