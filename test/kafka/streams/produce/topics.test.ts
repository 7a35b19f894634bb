import { expect, it } from 'vitest';
import { createOutgoingRecord } from '../../../../src/kafka/records/batches/batch-records.ts';
import { createStickyPartitioner } from '../../../../src/kafka/records/batches/partitioner.ts';
import { laneOf, type ProduceTopic, updateTopic } from '../../../../src/kafka/streams/produce/topics.ts';

function topicLedBy(...leaders: readonly number[]): ProduceTopic {
  const identity = { id: undefined, former: new Set<string>() };
  const topic = {
    name: 't',
    identity,
    lanes: [],
    sticky: createStickyPartitioner(),
    available: [],
    isLeaderless: false,
  };
  updateTopic(topic, { partitions: partitionsLedBy(leaders) });
  return topic;
}

function partitionsLedBy(leaders: readonly number[]) {
  return leaders.map((leader, partition) => ({
    ...{ partition, leader, leaderEpoch: 0, errorCode: leader < 0 ? 5 : 0 },
    ...{ replicas: [], isr: [], offlineReplicas: [] },
  }));
}

it('records without a key are spread over the partitions with a leader, or over all if none has one', () => {
  const topic = topicLedBy(1, -1, 2);
  expect(topic).toMatchObject({ available: [0, 2], isLeaderless: true });
  updateTopic(topic, { partitions: partitionsLedBy([-1, -1, -1]) });
  expect(topic).toMatchObject({ available: [0, 1, 2], isLeaderless: true });
  expect(topicLedBy(-1, -1).available).toEqual([0, 1]);
  updateTopic(topic, { partitions: partitionsLedBy([1, 2, 3]) });
  expect(topic).toMatchObject({ available: [0, 1, 2], isLeaderless: false });
});

it('a partition that does not exist is an error of the record that names it, or of the command line', () => {
  const topic = topicLedBy(1, 2);
  const record = { ...createOutgoingRecord(), partition: 2 };
  const message = 'topic "t" has no partition 2, it has 2 (0 to 1)';
  expect(() => laneOf(topic, record, { partition: 0 }, 7)).toThrow(
    expect.objectContaining({
      ...{ message: `unable to produce record 7: ${message}`, exitCode: 1 },
      ...{ code: 'INVALID_INPUT', target: 'record 7' },
    }),
  );
  expect(() => laneOf(topic, { ...record, partition: undefined }, { partition: 2 }, 7)).toThrow(
    expect.objectContaining({ message, exitCode: 3, target: 't' }),
  );
});
