import { describe, expect, it } from 'vitest';
import { createPosition, jumpTo, surveyBatches } from '../../../../src/kafka/streams/consume/position.ts';
import { batch, withLastOffsetDelta } from './printing.ts';

describe('the offset after fetched records', () => {
  it('is the one after the last complete batch', () => {
    const whole = Buffer.concat([batch(5n, ['a', 'b']), batch(7n, ['c'])]);
    expect(surveyBatches(whole).end?.offset).toBe(8n);
    expect(surveyBatches(whole.subarray(0, whole.length - 1)).end?.offset).toBe(7n);
    expect(surveyBatches(whole.subarray(0, 30)).end?.offset).toBeUndefined();
    expect(surveyBatches(Buffer.alloc(0)).end?.offset).toBeUndefined();
  });

  it('counts the offsets that compaction removed from the end of a batch', () => {
    expect(surveyBatches(withLastOffsetDelta(batch(5n, ['a']), 4)).end?.offset).toBe(10n);
  });

  it('does not loop on an invalid length', () => {
    const bytes = batch(5n, ['a']);
    bytes.writeInt32BE(-12, 8);
    expect(surveyBatches(bytes).end?.offset).toBeUndefined();
  });
});

describe('a position that jumps', () => {
  it.each([3n, 9n])('to %s commits from there, not from what was printed before', (offset) => {
    const position = createPosition({ topic: 't', partition: 0, offset: 5n, end: undefined });
    jumpTo(position, offset);
    expect([position.offset, position.printed, position.committed]).toEqual([offset, offset, 5n]);
  });
});
