import { gunzipSync, gzipSync } from 'node:zlib';
import { type Arena, viewOver } from '../../../../bytes/arena.ts';
import { resetScratch } from './scratch.ts';
import { mostPacked, piecesOf, unpackWith } from './zlib.ts';

/** Decompresses gzip (RFC 1952), including several members. */
export function decompressGzip(input: Buffer, scratch: Arena, limit: number): void {
  resetScratch(scratch);
  // The last four bytes are the size of the last member, which is usually the only one.
  const said = input.length < 18 ? 0 : input.readUInt32LE(input.length - 4);
  const options = { ...piecesOf(Math.max(said, input.length)), maxOutputLength: limit };
  scratch.bytes = unpackWith(limit, () => gunzipSync(input, options));
  scratch.view = viewOver(scratch.bytes);
  scratch.length = scratch.bytes.length;
}

/** Compresses with gzip; `level` is 1 to 9, or 6 if undefined. */
export function compressGzip(input: Buffer, level: number | undefined): Buffer {
  return gzipSync(input, { ...piecesOf(mostPacked(input)), ...(level === undefined ? {} : { level }) });
}
