import { describe, expect, it } from 'vitest';
import { createLane } from '../../../src/kafka/produce/lane.ts';
import { lostTrackWarning } from '../../../src/kafka/produce/loss.ts';

const outOfOrder = 45;

describe('a broker that has lost track of the producer', () => {
  it.each([
    [3, 'leaves a gap): acknowledged records were lost (the last 3), unacknowledged records are sent'],
    [0, 'leaves a gap): unacknowledged records are sent'],
    [undefined, 'leaves a gap): unacknowledged records are sent'],
  ])('is said to have lost acknowledged records only if it has: %s of them', (gone, expected) => {
    expect(lostTrackWarning(createLane('foo', 0, 1), outOfOrder, gone)).toContain(expected);
  });
});
