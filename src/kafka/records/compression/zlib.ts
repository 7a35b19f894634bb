import { constants, gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type Arena, viewOver } from '../arena.ts';
import { CompressionError } from '../corrupt.ts';

/**
 * node:zlib fills pieces of memory of one size and joins them. One piece that all fits into saves the joining, and one
 * no larger than that saves most of the work where batches are small.
 */
interface Pieces {
  readonly chunkSize: number;
}

const leastPiece = 1 << 12;
const mostPiece = 4 << 20;

/** Pieces for what is expected to take `size` bytes; a wrong guess costs time only. */
function piecesOf(size: number): Pieces {
  // With one byte more than it fills, node sees that it has come to the end.
  return { chunkSize: Math.min(Math.max(size + 1, leastPiece), mostPiece) };
}

/** Unpacks gzip (RFC 1952), several members included. */
export function decompressGzip(input: Buffer, scratch: Arena, limit: number): void {
  // The last four bytes tell the size of the last member, which is the only one as a rule.
  const said = input.length < 18 ? 0 : input.readUInt32LE(input.length - 4);
  unpack(scratch, limit, () =>
    gunzipSync(input, { ...piecesOf(Math.max(said, input.length)), maxOutputLength: limit }),
  );
}

/** Packs as gzip; `level` 1 to 9, 6 when undefined. */
export function compressGzip(input: Buffer, level: number | undefined): Buffer {
  return gzipSync(input, { ...piecesOf(mostPacked(input)), ...(level === undefined ? {} : { level }) });
}

/** Unpacks zstd (RFC 8878), several frames included. */
export function decompressZstd(input: Buffer, scratch: Arena, limit: number): void {
  const size = Math.max(sizeOfZstdFrame(input) ?? input.length * 4, input.length);
  unpack(scratch, limit, () => zstdDecompressSync(input, { ...piecesOf(size), maxOutputLength: limit }));
}

/** Packs as zstd; `level` 1 to 22, 3 when undefined. */
export function compressZstd(input: Buffer, level: number | undefined): Buffer {
  const params = level === undefined ? {} : { [constants.ZSTD_c_compressionLevel]: level };
  return zstdCompressSync(input, { ...piecesOf(mostPacked(input)), params });
}

/** The most that input which does not shrink takes. */
function mostPacked(input: Buffer): number {
  return input.length + (input.length >>> 8) + 512;
}

const zstdMagic = 0xfd2fb528;

/** What the header of the first frame says that it unpacks to (RFC 8878 section 3.1.1.1), undefined where it is silent. */
function sizeOfZstdFrame(input: Buffer): number | undefined {
  if (input.length < 18 || input.readUInt32LE(0) !== zstdMagic) return undefined;
  const descriptor = input[4] as number;
  const isSingle = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingle ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] as number);
  const kind = descriptor >>> 6;
  if (kind === 0) return isSingle ? input[at] : undefined;
  if (kind === 1) return input.readUInt16LE(at) + 256;
  return kind === 2 ? input.readUInt32LE(at) : Number(input.readBigUInt64LE(at));
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
