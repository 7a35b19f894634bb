import type {
  BrokerLoad,
  GroupLoad,
  Overview,
  PartitionLag,
  PartitionLoad,
  TopicLoad,
} from '../../../src/kafka/cluster/overview/overview-rows.ts';

/** A topic with partitions that share its numbers. */
export function topicOf(topic: string, parts: Partial<TopicLoad> = {}): TopicLoad {
  const { partitions = 3, record_rate: records = 0, byte_rate: bytes = 0, size = 0n } = parts;
  const share = (value: number | null) => (value === null ? null : value / partitions);
  const list = Array.from(
    { length: partitions },
    (_, partition): PartitionLoad => ({
      partition,
      leader: (partition % 3) + 1,
      replicas: [1, 2, 3],
      isr: partition === 1 ? [1, 3] : [1, 2, 3],
      end: BigInt(1000 * partition),
      size: size === null ? null : size / BigInt(partitions),
      record_rate: share(records),
      byte_rate: share(bytes),
    }),
  );
  const known = { internal: false, replicas: 3, error: null, ...parts };
  return { ...known, topic, partitions, size, record_rate: records, byte_rate: bytes, partition_list: list };
}

/** A partition that a group reads. */
export function lagIn(group: string, topic: string, parts: Partial<PartitionLag> = {}): PartitionLag {
  return {
    group,
    topic,
    partition: 0,
    leader: 1,
    committed_offset: 100n,
    log_end_offset: 100n,
    lag: 0n,
    read_rate: 0,
    write_rate: 0,
    trend: 'steady',
    seconds_to_zero: null,
    client_id: 'weir',
    host: '/127.0.0.1',
    ...parts,
  };
}

/** A group with its partitions. */
export function groupOf(group: string, parts: Partial<GroupLoad> = {}): GroupLoad {
  return {
    group,
    type: 'classic',
    coordinator: 1,
    state: 'Stable',
    members: 2,
    lag: 0n,
    read_rate: 0,
    write_rate: 0,
    trend: 'steady',
    seconds_to_zero: null,
    error: null,
    partition_list: [],
    ...parts,
  };
}

function brokerOf(broker: number, parts: Partial<BrokerLoad> = {}): BrokerLoad {
  return {
    broker,
    host: `b${broker}.example`,
    port: 9092,
    rack: `eu-${broker}`,
    status: 'up',
    controller: broker === 1,
    leaders: 12,
    replicas: 36,
    size: 4_100_000_000n,
    record_rate: 4100,
    byte_rate: 1_400_000,
    ...parts,
  };
}

const names = [
  'orders',
  'payments',
  'clicks.raw.europe-west.very-long-name-of-a-topic',
  '注文',
  'bad\u001b[31m\u202ename',
];

/** A cluster of three brokers, of which one is down, with names that a terminal must not be sent as they are. */
export function overviewOf(parts: Partial<Overview> = {}): Overview {
  const topics = [
    ...names.map((name, at) =>
      topicOf(name, { record_rate: 9100 / 10 ** at, byte_rate: 3_100_000 / 10 ** at, size: 1_200_000_000n }),
    ),
    ...Array.from({ length: 40 }, (_, at) => topicOf(`quiet-${String(at).padStart(2, '0')}`)),
    topicOf('__consumer_offsets', { internal: true, partitions: 50, record_rate: 12, byte_rate: 900 }),
  ];
  const slow = ['orders', 'payments', 'clicks.raw.europe-west.very-long-name-of-a-topic'].map((topic, at) =>
    lagIn('billing', topic, {
      partition: at,
      lag: BigInt(1_200_000 / 10 ** at),
      read_rate: at === 0 ? 0 : 500,
      write_rate: 300,
      trend: at === 0 ? 'stalled' : 'shrinking',
      seconds_to_zero: at === 0 ? null : 600,
      leader: at === 2 ? null : 1,
    }),
  );
  return {
    time: '2030-01-01T07:31:05.000Z',
    interval_seconds: 2,
    cluster_id: 'abc',
    health_source: 'kafka',
    health: {
      is_healthy: false,
      unhealthy_reasons: ['nodes_down', 'under_replicated_partitions'],
      controller_id: 1,
      all_nodes: [1, 2, 3],
      nodes_down: [2],
      nodes_in_recovery_mode: null,
      high_disk_usage_nodes: null,
      partition_count: 185,
      offline_partitions: [],
      offline_count: 0,
      leaderless_partitions: ['orders/2'],
      leaderless_count: 1,
      under_replicated_partitions: [],
      under_replicated_count: 61,
    },
    record_rate: 10_110,
    byte_rate: 3_444_000,
    size: 6_000_000_000n,
    lag: 1_330_000n,
    brokers: [brokerOf(1), brokerOf(2, { status: 'down', host: null, port: null, rack: null }), brokerOf(3)],
    topics,
    groups: [
      groupOf('billing', { lag: 1_332_000n, trend: 'growing', read_rate: 500, write_rate: 900, partition_list: slow }),
      groupOf('reports', { lag: 4200n, trend: 'shrinking', read_rate: 900, write_rate: 300, seconds_to_zero: 185 }),
      groupOf('idle', { lag: null, members: 0, state: 'Empty', trend: null, read_rate: null, write_rate: null }),
    ],
    slowest_partitions: slow,
    errors: [],
    ...parts,
  };
}
