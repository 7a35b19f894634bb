import { describe, expect, it } from 'vitest';
import { topicListing } from '../../../src/commands/topic/topic-text.ts';
import { plainView } from '../../../src/format/view.ts';
import type { DetailedTopic, ListedPartition } from '../../../src/kafka/cluster/topics/topic-rows.ts';

const healthy: ListedPartition = {
  partition: 0,
  leader: 1,
  epoch: null,
  replicas: [1, 2, 3],
  preferred_leader: 1,
  isr: [1, 2, 3],
  offline_replicas: [],
  load_error: null,
};

function topic(partitions: readonly ListedPartition[], more: Partial<DetailedTopic> = {}): DetailedTopic {
  const size = { partitions: partitions.length, replicas: partitions[0]?.replicas.length ?? 0 };
  return { name: 'foo', internal: false, ...size, error: null, partition_list: partitions, ...more };
}

const list = { joiner: '_', wide: false } as const;

describe('a listing of partitions', () => {
  it('has no column for an epoch that no broker reports', () => {
    expect(topicListing([topic([healthy])], plainView, list)).toBe(
      'foo, 1 partition, 3 replicas\n  PARTITION  LEADER  REPLICAS\n  0          1       [1 2 3]\n',
    );
  });

  it('shows offline replicas and load errors where a partition has them', () => {
    const broken = {
      ...healthy,
      partition: 1,
      leader: -1,
      epoch: 4,
      offline_replicas: [2, 3],
      load_error: 'LEADER_NOT_AVAILABLE',
    };
    expect(topicListing([topic([healthy, broken])], plainView, list)).toBe(
      [
        'foo, 2 partitions, 3 replicas',
        '  PARTITION  LEADER  EPOCH  REPLICAS  OFFLINE-REPLICAS  LOAD-ERROR',
        '  0          1       -      [1 2 3]   []                -',
        '  1          -1      4      [1 2 3]   [2 3]             LEADER_NOT_AVAILABLE',
        '',
      ].join('\n'),
    );
  });

  it('spells the optional columns with a dash for cluster info', () => {
    const broken = { ...healthy, offline_replicas: [3], load_error: 'REPLICA_NOT_AVAILABLE' };
    expect(topicListing([topic([broken])], plainView, { joiner: '-', wide: true })).toContain(
      '  PARTITION  LEADER  REPLICAS  PREFERRED-LEADER  ISR      OFFLINE-REPLICAS  LOAD-ERROR\n',
    );
  });

  it('marks internal topics, and shows the error instead of partitions', () => {
    const error = { code: 'X', number: 1, message: 'broken', retryable: false, exit_code: 1 };
    const rows = [topic([healthy], { internal: true }), topic([], { name: 'bar', error })];
    expect(topicListing(rows, { ...plainView, noHeaders: true }, list)).toBe(
      'foo (internal), 1 partition, 3 replicas\n  0  1  [1 2 3]\n\nbar: X: broken\n',
    );
  });
});

describe('a listing of topics', () => {
  it('has an error column only when a topic has an error', () => {
    const { partition_list: _, ...row } = topic([healthy]);
    const error = { code: 'X', number: 1, message: 'broken', retryable: false, exit_code: 1 };
    expect(topicListing([row], plainView, list)).toBe('NAME  PARTITIONS  REPLICAS\nfoo   1           3\n');
    expect(topicListing([row, { ...row, error }], plainView, list)).toBe(
      'NAME  PARTITIONS  REPLICAS  ERROR\nfoo   1           3\nfoo   1           3         X: broken\n',
    );
  });
});
