import { describe, expect, it, test } from 'vitest';
import { type Batch, createLane, type Lane } from '../../../../src/kafka/streams/produce/lane.ts';
import { decideRecovery } from '../../../../src/kafka/streams/produce/lane-recovery.ts';

const identity = { producerId: 7n, producerEpoch: 0 };

test.each([
  ['leaves a gap has lost them: an election has cut the log', 45, 12],
  ['comes from an older producer does not tell', 47, undefined],
  ['comes from a fenced producer does not tell', 90, undefined],
])('a leader that remembers nothing and said that a batch %s', (_what, code, gone) => {
  const lane = createLane('foo', 0, 1);
  Object.assign(lane.acknowledged, { records: 12, lastSequence: 11 });
  expect(decideRecovery(lane, code, identity, 'unknown')).toEqual({ kind: 'renumber', written: [], gone });
});

describe('a broker that remembers later batches than the one it refuses', () => {
  const known = { producerEpoch: 0, lastSequence: 11 };
  const [moved, cut] = [
    { order: 1, isNewTopic: true },
    { order: 1, isNewTopic: false },
  ];
  const laneWith = (
    topicId: string | undefined,
    more: Partial<Pick<Lane, 'restart'> & Pick<Batch, 'mayStray'>> = {},
  ) => {
    const current = { id: topicId, former: new Set<string>() };
    const lane = createLane('foo', 0, 1, current);
    const batch = { lane, sequence: 4, records: 2, order: 0, isUncertain: true, mayStray: more.mayStray ?? false };
    Object.assign(lane.acknowledged, { records: 10, lastSequence: 11 });
    Object.assign(lane, { restart: more.restart, queue: [batch], nextSequence: 12 });
    return lane;
  };

  it.each([
    ['has it, in the same topic', laneWith('one'), 'continue'],
    ['may be that of another topic, without ids', laneWith(undefined), 'undecided'],
    [
      'may have got it by name after the topic was created again',
      laneWith('two', { restart: moved, mayStray: true }),
      'undecided',
    ],
    ['has not got what the old topic refused', laneWith('two', { restart: moved }), 'renumber'],
    ['may have begun with a later one, when its offsets went back', laneWith('one', { restart: cut }), 'undecided'],
    ['has it, if the log began anew before it', laneWith('one', { restart: { ...cut, order: 0 } }), 'continue'],
  ])('%s', (_what, lane, kind) => {
    expect(decideRecovery(lane, 45, identity, known)).toMatchObject({ kind });
  });
});
