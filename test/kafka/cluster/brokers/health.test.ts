import { describe, expect, it } from 'vitest';
import { healthOf } from '../../../../src/kafka/cluster/brokers/health.ts';
import type { ShownHealth } from '../../../../src/kafka/cluster/brokers/health-rows.ts';
import { inSyncPercent, restartRisks } from '../../../../src/kafka/cluster/brokers/restart.ts';
import type { Client, ClusterMetadata, PartitionMetadata } from '../../../../src/kafka/protocol/client/client.ts';

const broker = (id: number) => ({ id, host: 'b.example', port: 9092, rack: undefined });
const registered = (id: number, isFenced: boolean) => ({ ...broker(id), isFenced });
const partition = (changed: Partial<PartitionMetadata> = {}): PartitionMetadata => ({
  ...{ partition: 0, errorCode: 0, leader: 1, leaderEpoch: 0, replicas: [1, 2], isr: [1, 2], offlineReplicas: [] },
  ...changed,
});

function clusterOf(partitions: readonly PartitionMetadata[], changed: Partial<ClusterMetadata> = {}): ClusterMetadata {
  const topics = [{ name: 't', errorCode: 0, internal: false, partitions }];
  return { clusterId: 'c', controllerId: 1, brokers: [broker(2), broker(1)], topics, ...changed };
}

const healthy: ShownHealth = {
  ...{ is_healthy: true, unhealthy_reasons: [], controller_id: 1, all_nodes: [1, 2], nodes_down: [] },
  ...{ partition_count: 1, offline_partitions: [], offline_count: 0, leaderless_partitions: [], leaderless_count: 0 },
  ...{
    under_replicated_partitions: [],
    under_replicated_count: 0,
    nodes_in_recovery_mode: null,
    high_disk_usage_nodes: null,
  },
};

const cases: readonly (readonly [what: string, health: ShownHealth, differs: Partial<ShownHealth>])[] = [
  ['a cluster whose replicas are all in sync', healthOf(clusterOf([partition()]), undefined), {}],
  [
    'a cluster without a controller',
    healthOf(clusterOf([partition()], { controllerId: -1 }), undefined),
    { is_healthy: false, unhealthy_reasons: ['no_elected_controller'], controller_id: null },
  ],
  [
    'a fenced broker without replicas',
    healthOf(clusterOf([partition()]), [registered(1, false), registered(2, false), registered(9, true)]),
    { is_healthy: false, unhealthy_reasons: ['nodes_down'], all_nodes: [1, 2, 9], nodes_down: [9] },
  ],
  [
    'a broker that metadata still lists although it is fenced',
    healthOf(clusterOf([partition()]), [registered(1, false), registered(2, true)]),
    { is_healthy: false, unhealthy_reasons: ['nodes_down'], nodes_down: [2] },
  ],
  [
    'a replica on a broker that is gone, in a cluster that cannot describe itself',
    healthOf(clusterOf([partition({ isr: [1], offlineReplicas: [2] })], { brokers: [broker(1)] }), undefined),
    {
      ...{ is_healthy: false, unhealthy_reasons: ['nodes_down', 'under_replicated_partitions'], nodes_down: [2] },
      ...{ under_replicated_partitions: ['t/0'], under_replicated_count: 1 },
    },
  ],
  [
    'a partition without a leader that has an online replica',
    healthOf(clusterOf([partition({ leader: -1, isr: [2], offlineReplicas: [2] })]), undefined),
    {
      ...{ is_healthy: false, unhealthy_reasons: ['leaderless_partitions', 'under_replicated_partitions'] },
      ...{ leaderless_partitions: ['t/0'], leaderless_count: 1 },
      ...{ under_replicated_partitions: ['t/0'], under_replicated_count: 1 },
    },
  ],
  [
    'a partition whose only replica is offline',
    healthOf(clusterOf([partition({ leader: -1, replicas: [2], isr: [2], offlineReplicas: [2] })]), undefined),
    {
      ...{ is_healthy: false, unhealthy_reasons: ['offline_partitions', 'leaderless_partitions'] },
      ...{ offline_partitions: ['t/0'], offline_count: 1, leaderless_partitions: ['t/0'], leaderless_count: 1 },
    },
  ],
];

describe('the health of a cluster', () => {
  it.each(cases)('is right for %s', (_, health, differs) => {
    expect(health).toEqual({ ...healthy, ...differs });
  });

  it('lists partitions by topic and number', () => {
    const bad = [10, 9].map((number) => partition({ partition: number, isr: [1] }));
    const topics = ['b', 'a'].map((name) => ({ name, errorCode: 0, internal: false, partitions: bad }));
    expect(healthOf(clusterOf([], { topics }), undefined).under_replicated_partitions).toEqual([
      'a/9',
      'a/10',
      'b/9',
      'b/10',
    ]);
  });
});

describe('the restart of a broker', () => {
  const clientOf = (metadata: ClusterMetadata) =>
    ({
      metadata: async () => metadata,
      ask: async (_: unknown, items: readonly string[]) =>
        items.map((item) => ({ item, row: { configs: [{ name: 'unclean.leader.election.enable', value: 'true' }] } })),
    }) as unknown as Client;
  const many = Array.from({ length: 201 }, (_, at) => partition({ partition: at, isr: at === 0 ? [1] : [1, 2] }));

  it.each([
    ['0.5% behind', clusterOf(many), 99],
    // The last replica in sync stays in the ISR.
    ['down', clusterOf([partition({ leader: -1, isr: [2] })], { brokers: [broker(1)] }), 0],
  ])('is not over while it is %s', async (_, metadata, percent) => {
    expect(await inSyncPercent(clientOf(metadata), 2)).toBe(percent);
  });

  it.each([
    ['is down', [2], { unavailable: ['t/0'], acks1_data_loss: [] }],
    ['is up', [], { unavailable: [], acks1_data_loss: ['t/0'] }],
  ])('makes a partition unavailable whose other replica %s: %j', async (_, offlineReplicas, risks) => {
    const metadata = clusterOf([partition({ isr: [1], offlineReplicas })]);
    expect(await restartRisks(clientOf(metadata), 1)).toMatchObject(risks);
  });
});
