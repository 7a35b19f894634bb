import { expect, it } from 'vitest';
import { type ProduceTopic, updateTopic } from '../../../src/kafka/produce/topics.ts';
import { createStickyPartitioner } from '../../../src/kafka/records/partitioner.ts';

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
