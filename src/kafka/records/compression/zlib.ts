import { constants, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type Arena, viewOver } from '../arena.ts';
import { CompressionError } from '../corrupt.ts';

/** node:zlib joins pieces of this size: one piece large enough for a usual batch saves the joining. */
const chunkSize = 1 << 20;

/** Unpacks gzip (RFC 1952), several members included. */
export function decompressGzip(input: Buffer, scratch: Arena, limit: number): void {
  unpack(scratch, limit, () => gunzipSync(input, { chunkSize, maxOutputLength: limit }));
}

/** Packs as gzip; `level` 1 to 9, 6 when undefined. */
export function compressGzip(input: Buffer, level: number | undefined): Buffer {
  return gzipSync(input, { chunkSize, ...(level === undefined ? {} : { level }) });
}

/** Unpacks zstd (RFC 8878), several frames included. */
export function decompressZstd(input: Buffer, scratch: Arena, limit: number): void {
  unpack(scratch, limit, () => zstdDecompressSync(input, { chunkSize, maxOutputLength: limit }));
}

/** Packs as zstd; `level` 1 to 22, 3 when undefined. */
export function compressZstd(input: Buffer, level: number | undefined): Buffer {
  const params = level === undefined ? {} : { [constants.ZSTD_c_compressionLevel]: level };
  return zstdCompressSync(input, { chunkSize, params });
}

function unpack(scratch: Arena, limit: number, run: () => Buffer): void {
  try {
    scratch.bytes = run();
    scratch.view = viewOver(scratch.bytes);
  } catch (error) {
    throw new CompressionError(reasonOf(error, limit), { cause: error });
  }
  scratch.length = scratch.bytes.length;
}

function reasonOf(error: unknown, limit: number): string {
  if (!(error instanceof Error)) return 'it cannot be unpacked';
  const code = 'code' in error ? error.code : undefined;
  return code === 'ERR_BUFFER_TOO_LARGE' ? `it unpacks to more than ${limit} bytes` : error.message.toLowerCase();
}
