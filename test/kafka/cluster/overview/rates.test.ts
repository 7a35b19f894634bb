import { describe, expect, it } from 'vitest';
import type { GroupDescription, GroupPartition } from '../../../../src/kafka/cluster/groups/group-rows.ts';
import { groupMarks, overviewOf } from '../../../../src/kafka/cluster/overview/rounds.ts';
import type { SeenPartition, Snapshot } from '../../../../src/kafka/cluster/overview/snapshot.ts';

/** One partition by its end and the bytes of its leader and its follower. */
type Log = readonly [end: bigint | null, bytes: bigint | null, follower?: bigint];

interface Made {
  readonly atMs: number;
  readonly logs?: Readonly<Record<string, readonly Log[]>>;
  /** Committed and end offset of partition 0 of the topic `orders`, by group. */
  readonly groups?: Readonly<Record<string, readonly [committed: bigint, end: bigint]>>;
  readonly id?: string;
  readonly down?: readonly number[];
}

const failure = { code: 'X', number: null, message: 'broken', retryable: true, exit_code: 5 };

function snapshot({ atMs, logs = {}, groups = {}, id = 'id-1', down = [] }: Made): Snapshot {
  return {
    wallTime: 1_893_456_000_000 + atMs,
    endsAtMs: atMs,
    sizesAtMs: atMs,
    groupsAtMs: atMs,
    cluster: {
      clusterId: 'c',
      controllerId: 1,
      brokers: [1, 2].map((broker) => ({ id: broker, host: `b${broker}`, port: 9092, rack: undefined })),
      topics: [],
    },
    health: {
      is_healthy: down.length === 0,
      unhealthy_reasons: [],
      controller_id: 1,
      all_nodes: [1, 2],
      nodes_down: down,
      nodes_in_recovery_mode: null,
      high_disk_usage_nodes: null,
      partition_count: 1,
      offline_partitions: [],
      offline_count: 0,
      leaderless_partitions: [],
      leaderless_count: 0,
      under_replicated_partitions: [],
      under_replicated_count: 0,
    },
    topics: Object.entries(logs).map(([name, own]) => ({
      metadata: { name, id, errorCode: 0, internal: name.startsWith('_'), partitions: [] },
      partitions: own.map((log, at) => seen(at, log)),
    })),
    groups: Object.entries(groups).map(([group, [committed, end]]) => described(group, committed, end)),
    topicIds: new Map([['orders', id]]),
    errors: [],
    hasSizes: true,
  };
}

/** Odd partitions are led by broker 2. */
function seen(partition: number, [end, bytes, follower = 0n]: Log): SeenPartition {
  const leader = (partition % 2) + 1;
  const replica = { lag: 0n, dir: '/d', error: null };
  const metadata = {
    partition,
    errorCode: 0,
    leader,
    leaderEpoch: 1,
    replicas: [1, 2],
    isr: [1, 2],
    offlineReplicas: [],
  };
  return {
    metadata,
    end,
    error: end === null ? failure : null,
    sizes: {
      partition,
      bytes,
      total_bytes: 0n,
      replicas: [
        { broker: leader, bytes, ...replica },
        { broker: 3 - leader, bytes: follower, ...replica },
      ],
    },
  };
}

function described(group: string, committed: bigint, end: bigint): GroupDescription {
  const row: GroupPartition = {
    topic: 'orders',
    partition: 0,
    current_offset: committed,
    log_start_offset: 0n,
    log_end_offset: end,
    lag: end - committed,
    member_id: 'm',
    instance_id: null,
    client_id: 'client',
    host: '/h',
    error: null,
  };
  const known = {
    type: 'classic',
    coordinator: 1,
    state: 'Stable',
    balancer: '',
    members: 1,
    error: null,
    member_list: [],
  };
  return { ...known, group, total_lag: row.lag, partitions: [row] };
}

function between(before: Made, after: Made) {
  const [last, now] = [snapshot(before), snapshot(after)];
  return overviewOf(now, { last, oldest: groupMarks(last) });
}

describe('two snapshots', () => {
  it('give what is written per second to topics, brokers and the cluster', () => {
    const { topics, brokers, ...all } = between(
      {
        atMs: 0,
        logs: {
          orders: [
            [10n, 1000n],
            [20n, 2000n],
          ],
          quiet: [[5n, 50n]],
        },
      },
      {
        atMs: 2000,
        logs: {
          orders: [
            [30n, 3000n, 7n],
            [20n, 2000n, 8n],
          ],
          quiet: [[5n, 50n]],
        },
      },
    );
    expect(all).toMatchObject({ interval_seconds: 2, record_rate: 10, byte_rate: 1000, size: 5050n, lag: null });
    expect(topics).toMatchObject([
      { topic: 'orders', partitions: 2, replicas: 2, size: 5000n, record_rate: 10, byte_rate: 1000, error: null },
      { topic: 'quiet', record_rate: 0, byte_rate: 0 },
    ]);
    expect(topics[0]?.partition_list.map((one) => one.record_rate)).toEqual([10, 0]);
    expect(brokers).toMatchObject([
      { broker: 1, status: 'up', controller: true, leaders: 2, replicas: 3, size: 3058n, record_rate: 10 },
      { broker: 2, controller: false, leaders: 1, replicas: 3, size: 2007n, record_rate: 0 },
    ]);
  });

  it('give no rate for a topic that is new or was created again', () => {
    const logs = { orders: [[10n, 1000n]] } as const;
    expect(between({ atMs: 0 }, { atMs: 1000, logs }).topics).toMatchObject([{ record_rate: null, byte_rate: null }]);
    const again = between({ atMs: 0, logs }, { atMs: 1000, logs: { orders: [[40n, 4000n]] }, id: 'id-2' });
    expect(again).toMatchObject({ record_rate: null, topics: [{ record_rate: null, size: 4000n }] });
  });

  it('count the bytes of a log that retention has shortened by those of its records elsewhere', () => {
    const { topics } = between(
      {
        atMs: 0,
        logs: {
          orders: [
            [10n, 1000n],
            [20n, 9000n],
          ],
          alone: [[0n, 500n]],
        },
      },
      {
        atMs: 1000,
        logs: {
          orders: [
            [20n, 2000n],
            [50n, 100n],
          ],
          alone: [[9n, 90n]],
        },
      },
    );
    // 100 bytes a record in the partition that was not shortened, and 40 records in all.
    expect(topics).toMatchObject([
      { record_rate: 40, byte_rate: 4000 },
      { record_rate: 9, byte_rate: null },
    ]);
  });

  it('leave out a partition whose end is not known, with the reason', () => {
    const { topics, record_rate: rate } = between(
      {
        atMs: 0,
        logs: {
          orders: [
            [10n, 0n],
            [10n, 0n],
          ],
        },
      },
      {
        atMs: 1000,
        logs: {
          orders: [
            [15n, 0n],
            [null, null],
          ],
        },
      },
    );
    expect([rate, topics[0]?.error]).toEqual([5, failure]);
  });

  it('give the lag of groups, their rates, and the partitions that are furthest behind', () => {
    const {
      groups,
      lag,
      slowest_partitions: slowest,
    } = between(
      { atMs: 0, logs: { orders: [[100n, 0n]] }, groups: { fast: [50n, 100n], slow: [10n, 100n], done: [100n, 100n] } },
      {
        atMs: 10_000,
        logs: { orders: [[100n, 0n]] },
        groups: { fast: [90n, 100n], slow: [10n, 100n], done: [100n, 100n] },
      },
    );
    expect(lag).toBe(100n);
    expect(groups).toMatchObject([
      { group: 'fast', lag: 10n, read_rate: 4, write_rate: 0, trend: 'shrinking', seconds_to_zero: 2.5 },
      { group: 'slow', lag: 90n, read_rate: 0, trend: 'stalled', seconds_to_zero: null },
      { group: 'done', lag: 0n, trend: 'steady' },
    ]);
    expect(groups[0]?.partition_list).toMatchObject([{ read_rate: 4, seconds_to_zero: 2.5, leader: 1 }]);
    expect(slowest.map(({ group, lag: own }) => [group, own])).toEqual([
      ['slow', 90n],
      ['fast', 10n],
    ]);
  });

  it('give no total lag while some groups cannot be read', () => {
    const now = {
      ...snapshot({ atMs: 1, groups: { g: [0n, 1n] } }),
      errors: [{ part: 'groups', error: failure }] as const,
    };
    expect(overviewOf(now, { last: undefined, oldest: undefined })).toMatchObject({ lag: null, groups: [{ lag: 1n }] });
  });

  it('name a broker that is down', () => {
    expect(between({ atMs: 0 }, { atMs: 1, down: [2] }).brokers).toMatchObject([{ status: 'up' }, { status: 'down' }]);
  });
});

it('one snapshot has no rates', () => {
  const now = snapshot({ atMs: 5, logs: { orders: [[1n, 1n]] }, groups: { g: [0n, 1n] } });
  expect(overviewOf(now, { last: undefined, oldest: undefined })).toMatchObject({
    interval_seconds: null,
    record_rate: null,
    topics: [{ record_rate: null, byte_rate: null, size: 1n }],
    groups: [{ lag: 1n, read_rate: null, trend: null, partition_list: [{ read_rate: null }] }],
  });
});
