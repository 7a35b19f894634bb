import { describe, expect, it } from 'vitest';
import { createPosition, endOfBatches, jumpTo } from '../../../src/kafka/consume/position.ts';
import { batch, withLastOffsetDelta } from './printing.ts';

describe('the offset behind fetched records', () => {
  it('is that behind the last whole batch', () => {
    const whole = Buffer.concat([batch(5n, ['a', 'b']), batch(7n, ['c'])]);
    expect(endOfBatches(whole)?.offset).toBe(8n);
    expect(endOfBatches(whole.subarray(0, whole.length - 1))?.offset).toBe(7n);
    expect(endOfBatches(whole.subarray(0, 30))?.offset).toBeUndefined();
    expect(endOfBatches(Buffer.alloc(0))?.offset).toBeUndefined();
  });

  it('counts the offsets that compaction took from the end of a batch', () => {
    expect(endOfBatches(withLastOffsetDelta(batch(5n, ['a']), 4))?.offset).toBe(10n);
  });

  it('does not walk in circles on a length that is a lie', () => {
    const bytes = batch(5n, ['a']);
    bytes.writeInt32BE(-12, 8);
    expect(endOfBatches(bytes)?.offset).toBeUndefined();
  });
});

describe('a position that jumps', () => {
  it.each([3n, 9n])('to %s commits from there, and no longer from what was printed before', (offset) => {
    const position = createPosition({ topic: 't', partition: 0, offset: 5n, end: undefined });
    jumpTo(position, offset);
    expect([position.offset, position.printed, position.committed]).toEqual([offset, offset, 5n]);
  });
});
