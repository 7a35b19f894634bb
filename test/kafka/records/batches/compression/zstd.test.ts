import { createZstdCompress, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Arena, createArena } from '../../../../../src/bytes/arena.ts';
import { unpackZstdFrames, unpackZstdInPlace } from '../../../../../src/kafka/records/batches/compression/zstd.ts';
import { openZstdEngine } from '../../../../../src/kafka/records/batches/compression/zstd-engine.ts';
import { CompressionError } from '../../../../../src/kafka/records/batches/corrupt.ts';

const engine = openZstdEngine();
type Unpack = (input: Buffer, scratch: Arena, limit: number) => void;

const ways: readonly { way: string; unpack: Unpack }[] = [
  {
    way: 'in place',
    unpack(input, scratch, limit) {
      if (engine === undefined) throw new Error('there is no engine');
      unpackZstdInPlace(engine, input, scratch, limit);
    },
  },
  { way: 'by documented functions alone', unpack: unpackZstdFrames },
];

function text(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => 97 + (((index * index) >> 3) % 23)));
}

/** A frame without its size, as streaming programs write. */
async function silentFrame(bytes: Buffer): Promise<Buffer> {
  const stream = createZstdCompress();
  const done = stream.toArray();
  for (let at = 0; at < bytes.length; at += 1000) stream.write(bytes.subarray(at, at + 1000));
  stream.end();
  return Buffer.concat(await done);
}

test('this version of Node.js supports decompression in place', () => {
  expect(engine).toBeDefined();
});

describe.each(ways)('zstd is unpacked $way', ({ unpack }) => {
  function unpacked(packed: Buffer, limit = 2 ** 28): Buffer {
    const scratch = createArena(0);
    unpack(packed, scratch, limit);
    return Buffer.from(scratch.bytes.subarray(0, scratch.length));
  }

  test('several frames, with and without their size, and skippable frames', async () => {
    const skipped = Buffer.from('5a2a4d1804000000abcdabcd', 'hex');
    const bytes = text(100_000);
    const frames = [
      skipped,
      zstdCompressSync(bytes.subarray(0, 300)),
      await silentFrame(bytes.subarray(300, 90_000)),
      skipped,
      zstdCompressSync(Buffer.alloc(0)),
      zstdCompressSync(bytes.subarray(90_000)),
    ];
    expect(unpacked(Buffer.concat(frames)).equals(bytes)).toBe(true);
  });

  test('frames without their size, even if they exactly fill the memory', async () => {
    const sizes = [0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 131_072, 1_000_000, 5_000_000];
    for (const size of sizes) {
      const bytes = text(size);
      const packed = await silentFrame(bytes);
      expect(unpacked(packed).equals(bytes), `${size} bytes`).toBe(true);
      expect(unpacked(packed, size).equals(bytes), `${size} bytes, which are the limit`).toBe(true);
      if (size > 0) expect(() => unpacked(packed, size - 1)).toThrow(`it decompresses to more than ${size - 1} bytes`);
    }
  });

  test('a frame that is truncated anywhere is refused, and the next one is not', () => {
    const bytes = text(3000);
    const packed = zstdCompressSync(bytes);
    for (let length = 0; length < packed.length; length++) {
      expect(() => unpacked(packed.subarray(0, length)), `${length} bytes`).toThrow(CompressionError);
      if (length % 50 === 0) expect(unpacked(packed).equals(bytes)).toBe(true);
    }
  });

  test('trailing bytes that are not a frame are refused', () => {
    expect(() => unpacked(Buffer.concat([zstdCompressSync(text(50)), Buffer.from('more')]))).toThrow(CompressionError);
  });

  test('a frame with a false size allocates no memory for it', () => {
    const packed = zstdCompressSync(Buffer.alloc(70_000));
    packed.writeUInt32LE(0xfffffff0, 5);
    const scratch = createArena(0);
    expect(() => unpack(packed, scratch, 2 ** 32)).toThrow(CompressionError);
    expect(scratch.bytes.length).toBeLessThanOrEqual(64 * 2 ** 20);
  });

  test('damaged input gives bytes or a typed error, and the next batch is intact', () => {
    const bytes = text(5000);
    const packed = zstdCompressSync(bytes);
    const edits = fc.array(fc.tuple(fc.nat(packed.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
    const property = fc.property(edits, (all) => {
      const damaged = Buffer.from(packed);
      for (const [at, byte] of all) damaged[at] = byte;
      try {
        unpacked(damaged, 2 ** 20);
      } catch (error) {
        expect(error).toBeInstanceOf(CompressionError);
      }
      expect(unpacked(packed).equals(bytes)).toBe(true);
    });
    fc.assert(property, { numRuns: 100 });
  });
});
