import type { FileHandle } from 'node:fs/promises';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createZip, type ZipWriter } from '../../src/files/zip.ts';
import { temporaryDirectory } from '../world.ts';
import { readZip } from './read-zip.ts';

const modified = Date.UTC(2026, 0, 31, 15, 4, 6);

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function* cutAfter(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  yield* chunksOf(...texts);
  throw new Error('cut');
}

async function written(write: (zip: ZipWriter) => Promise<void>): Promise<Buffer> {
  const path = join(temporaryDirectory(), 'a.zip');
  await using file = await open(path, 'wx+');
  const zip = createZip(file);
  await write(zip);
  await zip.end();
  return await readFile(path);
}

describe('a ZIP file', () => {
  test('has the content of its files, their times, and a mode for their owner only', async () => {
    const bytes = await written(async (zip) => {
      expect(await zip.add({ name: 'a.txt', modified, size: 5, chunks: chunksOf('he', '', 'llo') })).toBe(5);
      expect(await zip.add({ name: 'b.txt', modified: 0, chunks: chunksOf('x') })).toBe(1);
      await zip.add({ name: 'empty', modified, size: 0, chunks: chunksOf() });
    });
    const time = [(15 << 11) | (4 << 5) | 3, (46 << 9) | (1 << 5) | 31];
    expect(readZip(bytes).map(({ content, ...rest }) => ({ ...rest, content: content.toString() }))).toEqual([
      { name: 'a.txt', content: 'hello', mode: 0o100600, time },
      { name: 'b.txt', content: 'x', mode: 0o100600, time: [0, 0x21] },
      { name: 'empty', content: '', mode: 0o100600, time },
    ]);
  });

  test('without files is empty', async () => {
    expect(readZip(await written(async () => undefined))).toEqual([]);
  });

  test('a file that is cut, or longer than announced, leaves nothing behind', async () => {
    const bytes = await written(async (zip) => {
      await zip.add({ name: 'a', modified, size: 1, chunks: chunksOf('1') });
      await expect(zip.add({ name: 'b', modified, chunks: cutAfter('a longer text') })).rejects.toThrow('cut');
      await expect(zip.add({ name: 'c', modified, size: 3, chunks: chunksOf('four') })).rejects.toThrow('longer');
      await zip.add({ name: 'd', modified, size: 1, chunks: chunksOf('4') });
    });
    expect(readZip(bytes).map(({ name }) => name)).toEqual(['a', 'd']);
    expect(bytes).toHaveLength(2 * (30 + 1 + 1) + 2 * (46 + 1) + 22);
  });

  test('of more than 4 GiB has ZIP64 fields', async () => {
    const { file, at } = sparse();
    const zip = createZip(file);
    const size = 2 ** 32 + 5;
    await zip.add({ name: 'large', modified, size, chunks: zeros(size) });
    await zip.add({ name: 'after', modified, size: 1, chunks: chunksOf('x') });
    const offset = 30 + 5 + 20 + size;
    await zip.end();
    expect(at(0).readUInt32LE(22)).toBe(0xffffffff);
    expect(at(0).readBigUInt64LE(35 + 4)).toBe(BigInt(size));
    const directory = at(offset + 30 + 5 + 1);
    expect([directory.readUInt32LE(24), directory.readUInt16LE(30)]).toEqual([0xffffffff, 20]);
    const second = directory.subarray(46 + 5 + 20);
    expect([second.readUInt32LE(24), second.readUInt32LE(42)]).toEqual([1, 0xffffffff]);
    expect(second.readBigUInt64LE(46 + 5 + 4)).toBe(BigInt(offset));
    const end = second.subarray(46 + 5 + 12);
    expect(end.toString('latin1', 0, 4)).toBe('PK\x06\x06');
    expect(end.readBigUInt64LE(48)).toBe(BigInt(offset + 36));
    expect(end.subarray(56).toString('latin1', 0, 4)).toBe('PK\x06\x07');
    expect(end.subarray(76).readUInt32LE(16)).toBe(0xffffffff);
  });
});

/** The same piece again and again, without the time that a disk would take. */
async function* zeros(size: number): AsyncGenerator<Uint8Array> {
  const piece = Buffer.alloc(1 << 26);
  for (let left = size; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length));
}

/** A file that keeps only its small pieces, by their position. */
function sparse(): { readonly file: FileHandle; at(position: number): Buffer } {
  const kept = new Map<number, Buffer>();
  const write = async (bytes: Buffer, from: number, length: number, position: number) => {
    if (length < 1000) kept.set(position, Buffer.from(bytes.subarray(from, from + length)));
    return { bytesWritten: length };
  };
  const at = (position: number): Buffer => {
    const found = kept.get(position);
    if (found === undefined) throw new Error(`nothing was written at ${position}`);
    return found;
  };
  return { file: { write } as unknown as FileHandle, at };
}
