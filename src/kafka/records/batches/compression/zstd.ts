import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Arena } from '../../../../bytes/arena.ts';
import { CompressionError } from '../corrupt.ts';
import { growScratch, resetScratch } from './scratch.ts';
import { mostPacked, piecesOf, unpackWith } from './zlib.ts';
import { openZstdEngine, type ZstdEngine } from './zstd-engine.ts';

const magic = 0xfd2fb528;
/** The most memory in bytes that is allocated based on the size in a header alone. */
const trustedBytes = 32 * 2 ** 20;

let opened: ZstdEngine | undefined | false;

/** Decompresses zstd (RFC 8878), including several frames. */
export function decompressZstd(input: Buffer, scratch: Arena, limit: number): void {
  opened ??= openZstdEngine() ?? false;
  if (opened === false) unpackZstdFrames(input, scratch, limit);
  else unpackZstdInPlace(opened, input, scratch, limit);
}

/** Decompresses directly into `scratch`. */
export function unpackZstdInPlace(engine: ZstdEngine, input: Buffer, scratch: Arena, limit: number): void {
  resetScratch(scratch);
  engine.reset();
  const size = Math.min(sizeOfZstdFrame(input) ?? input.length * 4, limit, trustedBytes);
  let at = 0;
  for (;;) {
    // One byte more than allowed shows whether the limit is exceeded.
    growScratch(scratch, Math.max(size, scratch.length) + 1, limit + 1);
    const { consumed, written } = engine.run(input, at, scratch.bytes, scratch.length);
    at += consumed;
    scratch.length += written;
    if (scratch.length > limit) throw new CompressionError(`it decompresses to more than ${limit} bytes`);
    const isFull = scratch.length === scratch.bytes.length;
    if (at === input.length && (!isFull || written === 0)) return;
    if (consumed === 0 && written === 0) throw new CompressionError('the zstd decompression makes no progress');
  }
}

/**
 * Decompresses with the documented functions of node:zlib, which allocate memory for each frame, and joins the frames.
 */
export function unpackZstdFrames(input: Buffer, scratch: Arena, limit: number): void {
  resetScratch(scratch);
  let at = 0;
  do {
    const rest = input.subarray(at);
    const size = Math.max(sizeOfZstdFrame(rest) ?? rest.length * 4, rest.length);
    const options = { ...piecesOf(size), maxOutputLength: limit - scratch.length + 1, info: true } as const;
    const { buffer, engine } = unpackWith(limit, () => zstdDecompressSync(rest, options)) as unknown as Unpacked;
    growScratch(scratch, scratch.length + buffer.length, limit);
    scratch.length += buffer.copy(scratch.bytes, scratch.length);
    if (engine.bytesWritten === 0) throw new CompressionError('the zstd decompression makes no progress');
    at += engine.bytesWritten;
  } while (at < input.length);
}

/** The result with the option `info`, which the types of node:zlib do not declare. */
interface Unpacked {
  readonly buffer: Buffer;
  /** Its `bytesWritten` is the number of input bytes used: node:zlib stops after the first frame. */
  readonly engine: { readonly bytesWritten: number };
}

/** Compresses with zstd; `level` is 1 to 22, or 3 if undefined. */
export function compressZstd(input: Buffer, level: number | undefined): Buffer {
  const params = level === undefined ? {} : { [constants.ZSTD_c_compressionLevel]: level };
  return zstdCompressSync(input, { ...piecesOf(mostPacked(input)), params });
}

/**
 * Returns the decompressed size given in the header of the first frame (RFC 8878 section 3.1.1.1); undefined if it
 * gives none.
 */
function sizeOfZstdFrame(input: Buffer): number | undefined {
  if (input.length < 18 || input.readUInt32LE(0) !== magic) return undefined;
  const descriptor = input[4] as number;
  const isSingle = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingle ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] as number);
  const kind = descriptor >>> 6;
  if (kind === 0) return isSingle ? input[at] : undefined;
  if (kind === 1) return input.readUInt16LE(at) + 256;
  return kind === 2 ? input.readUInt32LE(at) : Number(input.readBigUInt64LE(at));
}
