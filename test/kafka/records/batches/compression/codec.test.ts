import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createArena } from '../../../../../src/bytes/arena.ts';
import { codecOf } from '../../../../../src/kafka/records/batches/compression/codec.ts';
import { compressions } from '../../../../../src/kafka/records/batches/compression/compressions.ts';
import { CompressionError } from '../../../../../src/kafka/records/batches/corrupt.ts';

const names = compressions.filter((name) => name !== 'none');

function unpack(name: (typeof names)[number], packed: Buffer, limit = 2 ** 28): Buffer {
  const scratch = createArena(0);
  codecOf(name).decompress(packed, scratch, limit);
  return scratch.bytes.subarray(0, scratch.length);
}

describe('data compressed by others is decompressed', () => {
  // Made with the Python packages lz4 (the reference library) and cramjam (Rust's snappy).
  const text = 'weir weir weir record batches, record batches, record batches; '.repeat(3);
  test.each<[string, (typeof names)[number], string]>([
    [
      'an lz4 frame',
      'lz4',
      'BCJNGGBAgjQAAABWd2VpciAFAP8AcmVjb3JkIGJhdGNoZXMsEAAMFzs6AAFEAA8vAAsMTwAPPwApUGhlczsgAAAAAA==',
    ],
    [
      'an lz4 frame of linked blocks with size and all checksums',
      'lz4',
      'BCJNGHxAvQAAAAAAAAB6NAAAAFZ3ZWlyIAUA/wByZWNvcmQgYmF0Y2hlcywQAAwXOzoAAUQADy8ACwxPAA8/AClQaGVzOyChm9IcAAAAAIDiJro=',
    ],
    ['a legacy lz4 frame', 'lz4', 'AiFMGDQAAABWd2VpciAFAP8AcmVjb3JkIGJhdGNoZXMsEAAMFzs6AAFEAA8vAAsMTwAPPwApUGhlczsg'],
    [
      'an lz4 frame behind a skippable one',
      'lz4',
      'UypNGAUAAABoZWxsbwQiTRhgQII0AAAAVndlaXIgBQD/AHJlY29yZCBiYXRjaGVzLBAADBc7OgABRAAPLwALDE8ADz8AKVBoZXM7IAAAAAA=',
    ],
    [
      'two lz4 frames',
      'lz4',
      'BCJNGGhAMgAAAAAAAACEIQAAAFZ3ZWlyIAUA+wByZWNvcmQgYmF0Y2hlcywQAFAsIHJlYwAAAAAEIk0YaECLAAAAAAAAAJ8qAAAA9wJvcmQgYmF0Y2hlczsgd2VpcgUAN3JlYx8AHywQAAwPPwApUGhlczsgAAAAAA==',
    ],
    ['bare snappy', 'snappy', 'vQEQd2VpciAZBThyZWNvcmQgYmF0Y2hlcyx6EAAAOx06BUT+PwC6PwA='],
    [
      'snappy in xerial\u2019s framing',
      'snappy',
      'glNOQVBQWQAAAAABAAAAAQAAACZGEHdlaXIgGQU4cmVjb3JkIGJhdGNoZXMsehAAIDsgd2VpciB3ZQAAACZ3WGlyIHdlaXIgcmVjb3JkIGJhdGNoZXMsehAABDsgBTUZBb4/AA==',
    ],
  ])('%s', (_what, name, packed) => {
    expect(unpack(name, Buffer.from(packed, 'base64')).toString()).toBe(text);
  });
});

test('an lz4 frame begins as that of the reference library, with the checksum of its header', () => {
  expect(codecOf('lz4').compress(Buffer.from('abc'), undefined).toString('hex', 0, 7)).toBe('04224d18604082');
});

describe.each(names)('%s', (name) => {
  const repetitive = fc
    .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 400 })), {
      maxLength: 12,
    })
    .map((parts) =>
      Buffer.concat(
        parts.map(([piece, times]) => Buffer.concat(Array.from({ length: times }, () => Buffer.from(piece)))),
      ),
    );

  test('returns what was compressed', () => {
    const noise = fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes));
    const property = fc.property(fc.oneof(repetitive, noise), (bytes) => {
      const packed = Buffer.from(codecOf(name).compress(bytes, undefined));
      expect(unpack(name, packed).equals(bytes)).toBe(true);
    });
    fc.assert(property, { numRuns: 100 });
  });

  test('returns several blocks, some of which are incompressible', () => {
    const noise = Buffer.alloc(150_000);
    for (let at = 0, seed = 1; at < noise.length; at++) {
      seed = (Math.imul(seed, 1103515245) + 12345) | 0;
      noise[at] = seed >>> 16;
    }
    const bytes = Buffer.concat([Buffer.alloc(100_000, 'abcdef'), noise, Buffer.alloc(70_000)]);
    const packed = Buffer.from(codecOf(name).compress(bytes, undefined));
    expect(packed.length).toBeLessThan(bytes.length);
    expect(unpack(name, packed).equals(bytes)).toBe(true);
  });

  test('stops at its limit, and only there', () => {
    const packed = Buffer.from(codecOf(name).compress(Buffer.alloc(100_000), undefined));
    expect(unpack(name, packed, 100_000)).toHaveLength(100_000);
    expect(() => unpack(name, packed, 99_999)).toThrow('it decompresses to more than 99999 bytes');
  });

  test('releases the memory of a large batch before it unpacks the next one', () => {
    const { compress, decompress } = codecOf(name);
    const packed = [33 * 2 ** 20, 10].map((bytes) => Buffer.from(compress(Buffer.alloc(bytes), undefined)));
    const scratch = createArena(0);
    for (const batch of packed) decompress(batch, scratch, 2 ** 28);
    expect(scratch.length).toBe(10);
    expect(scratch.bytes.buffer.byteLength).toBeLessThanOrEqual(2 ** 20);
    decompress(packed[0] ?? Buffer.of(), scratch, 2 ** 28);
    expect(() => decompress(Buffer.from('no batch of any kind'), scratch, 2 ** 28)).toThrow(CompressionError);
    expect(scratch.bytes.length).toBeLessThanOrEqual(2 ** 20);
  });

  test('gives bytes or a typed error for damaged input', () => {
    const packed = Buffer.from(
      codecOf(name).compress(Buffer.from('some text, some more text, and more text. '.repeat(20)), undefined),
    );
    const edit = fc.tuple(fc.nat(packed.length - 1), fc.nat(255));
    const property = fc.property(fc.array(edit, { maxLength: 3 }), fc.nat(packed.length), (edits, length) => {
      const damaged = Buffer.from(packed.subarray(0, length));
      for (const [at, byte] of edits) if (at < length) damaged[at] = byte;
      try {
        unpack(name, damaged, 2 ** 20);
      } catch (error) {
        expect(error).toBeInstanceOf(CompressionError);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });
});
