import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFrames } from '../../../../src/kafka/protocol/transport/frames.ts';

/** Feeds bytes as a socket would: never more than there is room for, cut at `cuts`. */
function feed(stream: Buffer, cuts: readonly number[]): Buffer[] {
  const got: Buffer[] = [];
  const frames = createFrames({ onFrame: (frame) => got.push(frame), checkLength: () => undefined });
  let at = 0;
  let turn = 0;
  while (at < stream.length) {
    const target = frames.target();
    expect(target.length).toBeGreaterThan(0);
    const length = Math.min(target.length, stream.length - at, cuts[turn % cuts.length] ?? stream.length);
    stream.copy(target, 0, at, at + length);
    frames.filled(length);
    at += length;
    turn += 1;
  }
  return got;
}

function framed(frames: readonly Uint8Array[]): Buffer {
  return Buffer.concat(
    frames.flatMap((frame) => {
      const length = Buffer.alloc(4);
      length.writeInt32BE(frame.length);
      return [length, frame];
    }),
  );
}

describe('frames', () => {
  test('are complete and in order, wherever the bytes were cut', () => {
    const frame = fc.uint8Array({ minLength: 0, maxLength: 300 });
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }),
        (list, cuts) => {
          expect(feed(framed(list), cuts).map((item) => item.toString('hex'))).toEqual(
            list.map((item) => Buffer.from(item).toString('hex')),
          );
        },
      ),
    );
  });

  test('larger than the read buffer are filled by the socket directly', () => {
    const large = Buffer.alloc(3_000_000, 'large');
    const small = Buffer.from('small');
    const got = feed(framed([small, large, small]), [65_536]);
    expect(got.map(({ length }) => length)).toEqual([5, 3_000_000, 5]);
    expect(got[1]?.equals(large)).toBe(true);
  });

  test('belong to their receiver: later bytes do not overwrite them', () => {
    const [first, second] = [Buffer.from('first'), Buffer.from('other')];
    const got = feed(framed([first, second]), [3]);
    expect(got.map(String)).toEqual(['first', 'other']);
  });

  test('of a length that is refused are not read', () => {
    const seen: number[] = [];
    const frames = createFrames({
      onFrame: () => expect.unreachable(),
      checkLength: (length) => {
        seen.push(length);
        throw new Error('too long');
      },
    });
    Buffer.from('HTTP/1.1 400 Bad Request').copy(frames.target());
    expect(() => frames.filled(24)).toThrow('too long');
    expect(seen).toEqual([0x48545450]);
  });
});
