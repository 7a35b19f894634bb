import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createArena } from '../../../../../src/bytes/arena.ts';
import type { BlockUnpackers } from '../../../../../src/kafka/records/batches/compression/blocks.ts';
import { compressLz4, decompressLz4 } from '../../../../../src/kafka/records/batches/compression/lz4.ts';
import { compressSnappy, decompressSnappy } from '../../../../../src/kafka/records/batches/compression/snappy.ts';
import { CompressionError } from '../../../../../src/kafka/records/batches/corrupt.ts';
import { slowBlocks } from './slow-blocks.ts';
import { lz4Stream, snappyStream, steps } from './streams.ts';

const codecs = [
  { name: 'snappy' as const, compress: compressSnappy, decompress: decompressSnappy, stream: snappyStream },
  { name: 'lz4' as const, compress: compressLz4, decompress: decompressLz4, stream: lz4Stream },
];
type Decompress = typeof decompressSnappy;

function unpack(decompress: Decompress, packed: Buffer, blocks?: BlockUnpackers, limit = 2 ** 28): Buffer {
  const scratch = createArena(0);
  decompress(packed, scratch, limit, blocks);
  return Buffer.from(scratch.bytes.subarray(0, scratch.length));
}

/** The result: the bytes, or the text of the error. */
function outcome(decompress: Decompress, packed: Buffer, limit: number, blocks?: BlockUnpackers): string {
  try {
    return unpack(decompress, packed, blocks, limit).toString('latin1');
  } catch (error) {
    if (error instanceof CompressionError) return error.message;
    throw error;
  }
}

/** Bytes that are slightly compressible, and do not repeat at a fixed distance. */
function text(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0, seed = 7; at < length; at++) {
    seed = (Math.imul(seed, 1103515245) + 12345) | 0;
    bytes[at] = 97 + ((seed >>> 16) % ((seed >>> 24) & 1 ? 3 : 24));
  }
  return bytes;
}

describe.each(codecs)('$name', ({ compress, decompress, stream }) => {
  test('every encoding of literals and copies is decompressed like byte by byte', () => {
    const property = fc.property(steps, (all) => {
      const { packed, plain } = stream(all);
      expect(unpack(decompress, packed).equals(plain)).toBe(true);
      expect(unpack(decompress, packed, slowBlocks).equals(plain)).toBe(true);
    });
    fc.assert(property, { numRuns: 120 });
  });

  test('compresses what the slow way decompresses, at any length', () => {
    const bytes = text(200_000);
    const lengths = [0, 1, 4, 11, 12, 13, 15, 16, 17, 64, 65_535, 65_536, 65_537, 131_072, 200_000];
    for (const length of lengths) {
      const part = bytes.subarray(bytes.length - length);
      const packed = Buffer.from(compress(part));
      expect(unpack(decompress, packed, slowBlocks).equals(part), `${length} bytes`).toBe(true);
      if (length > 1000) expect(packed.length).toBeLessThan(length);
    }
  });

  test('compresses long runs of every period, and incompressible data', () => {
    const random = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 140_000 }), fc.nat(255));
    const property = fc.property(random, ([period, length, seed]) => {
      const unit = Buffer.from(Uint8Array.from({ length: period }, (_, index) => (index * 37 + seed) & 255));
      const bytes = Buffer.alloc(length, unit);
      const packed = Buffer.from(compress(bytes));
      expect(unpack(decompress, packed, slowBlocks).equals(bytes)).toBe(true);
    });
    fc.assert(property, { numRuns: 40 });
    const noise = Buffer.from(Uint8Array.from({ length: 100_000 }, (_, index) => Math.imul(index, 0x9e3779b1) >>> 13));
    expect(unpack(decompress, Buffer.from(compress(noise)), slowBlocks).equals(noise)).toBe(true);
  });

  test('decompresses a batch that is larger than the memory it keeps', () => {
    const bytes = Buffer.alloc(33 * 2 ** 20, text(100_000));
    const packed = Buffer.from(compress(bytes));
    expect(unpack(decompress, packed).equals(bytes)).toBe(true);
    packed.fill(0, packed.length >> 1);
    expect(() => unpack(decompress, packed)).toThrow(CompressionError);
    expect(unpack(decompress, Buffer.from(compress(bytes.subarray(0, 1000)))).length).toBe(1000);
  });

  test('uses the same memory for every batch', () => {
    const scratch = createArena(0);
    for (const length of [70_000, 500, 3_000_000, 12]) {
      const bytes = text(length);
      decompress(Buffer.from(compress(bytes)), scratch, 2 ** 28);
      expect(scratch.bytes.subarray(0, scratch.length).equals(bytes)).toBe(true);
    }
  });

  test('gives the same result as the slow way for damaged bytes, at any limit', () => {
    const edit = fc.tuple(fc.nat(), fc.nat(255));
    const damage = fc.tuple(steps, fc.array(edit, { maxLength: 4 }), fc.nat(), fc.nat(100_000));
    const property = fc.property(damage, ([all, edits, cut, limit]) => {
      const { packed } = stream(all);
      const damaged = Buffer.from(cut % 3 === 0 ? packed.subarray(0, cut % packed.length) : packed);
      for (const [at, byte] of edits) if (damaged.length > 0) damaged[at % damaged.length] = byte;
      expect(outcome(decompress, damaged, limit)).toBe(outcome(decompress, damaged, limit, slowBlocks));
    });
    fc.assert(property, { numRuns: 250 });
  });
});

test('without WebAssembly, both say that they need it', () => {
  // In a process of its own: this one has started it. Types are removed with WebAssembly, so it goes after the import.
  const program = `
    const { codecOf } = await import(${JSON.stringify(new URL('../../../../../src/kafka/records/batches/compression/codec.ts', import.meta.url))});
    delete globalThis.WebAssembly;
    for (const name of ['snappy', 'lz4']) {
      try { codecOf(name).compress(Buffer.from('abc'), undefined); } catch ({ message, code }) { console.log(code, message); }
    }`;
  expect(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })).toBe(
    'NO_WEBASSEMBLY unable to use snappy: this Node.js runs without WebAssembly\n' +
      'NO_WEBASSEMBLY unable to use lz4: this Node.js runs without WebAssembly\n',
  );
});
