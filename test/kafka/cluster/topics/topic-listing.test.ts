import { expect, test } from 'vitest';
import { partitionRow } from '../../../../src/kafka/cluster/topics/topic-listing.ts';

const metadata = { partition: 0, leader: 2, leaderEpoch: 4, offlineReplicas: [], errorCode: 0 };

test('replicas are sorted, and the first one in the order of the cluster is the preferred leader', () => {
  expect(partitionRow({ ...metadata, replicas: [3, 1, 2], isr: [2, 1] })).toMatchObject({
    ...{ leader: 2, replicas: [1, 2, 3], isr: [1, 2], preferred_leader: 3 },
  });
});

test('a partition without replicas has no preferred leader', () => {
  expect(partitionRow({ ...metadata, replicas: [], isr: [] }).preferred_leader).toBeNull();
});
