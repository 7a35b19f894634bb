import { expect, test } from 'vitest';
import { createLane } from '../../../src/kafka/produce/lane.ts';
import { decideRecovery } from '../../../src/kafka/produce/lane-recovery.ts';

const identity = { producerId: 7n, producerEpoch: 0 };

test.each([
  ['leaves a gap has lost them: an election has cut the log', 45, 12],
  ['comes from an older producer does not tell', 47, undefined],
  ['comes from a fenced producer does not tell', 90, undefined],
])('a leader that remembers nothing and said that a batch %s', (_what, code, gone) => {
  const lane = createLane('foo', 0, 1);
  Object.assign(lane.acknowledged, { records: 12, lastSequence: 11 });
  expect(decideRecovery(lane, code, identity, 'unknown')).toEqual({ kind: 'renumber', found: [], gone });
});
