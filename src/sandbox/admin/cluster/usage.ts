import type { Reply } from '../../http/reply.ts';
import { badRequest } from '../admin-error.ts';
import { effective } from '../config/effective.ts';
import { isOn, voters } from '../partitions/partition.ts';
import { type AdminRequest, booleanQuery, by, ok, type Route, route } from '../request.ts';
import type { Node, Partition } from '../state.ts';
import { isAlive, type World } from '../world.ts';

/** The routes of traffic per hour and of metrics. */
export const usageRoutes: readonly Route[] = [
  route('usage', 'GET /v1/usage', by.user, usage),
  route('metrics', 'GET /metrics', by.open, (world, { node }) => metrics(internalMetrics(world, node))),
  route('metrics.public', 'GET /public_metrics', by.open, (world, { node }) => metrics(publicMetrics(world, node))),
];

function usage({ state }: World, request: AdminRequest): Reply {
  if (effective(request.node, 'enable_usage') !== true) throw badRequest('enable_usage is false');
  const withOpen = booleanQuery(request, 'include_open_bucket') ?? false;
  const buckets = state.usage.filter(({ open }) => withOpen || !open);
  return ok(
    buckets.map(({ beginTimestamp, endTimestamp, open, sent, received, stored }) => ({
      begin_timestamp: beginTimestamp,
      end_timestamp: endTimestamp,
      open,
      kafka_bytes_sent_count: sent,
      kafka_bytes_received_count: received,
      cloud_storage_bytes_gauge: stored,
    })),
  );
}

function metrics(lines: readonly string[]): Reply {
  const headers = { 'content-type': 'text/plain; version=0.0.4' };
  return { status: 200, bytes: Buffer.from(`${lines.join('\n')}\n`), headers };
}

function gauge(name: string, help: string, values: readonly (readonly [labels: string, value: number])[]) {
  const lines = values.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines];
}

function hostedBy({ state }: World, { id }: Node): readonly Partition[] {
  return [...state.partitions.values()].filter((partition) => isOn(partition, id));
}

function publicMetrics(world: World, node: Node): readonly string[] {
  const partitions = hostedBy(world, node);
  const short = partitions.filter((one) => voters(one).some(({ nodeId }) => !isAlive(world, nodeId)));
  return [
    ...gauge('redpanda_cluster_brokers', 'Number of brokers', [['', world.state.nodes.size]]),
    ...gauge('redpanda_cluster_partitions', 'Number of partitions', [['', world.state.partitions.size]]),
    ...gauge('redpanda_kafka_under_replicated_replicas', 'Replicas that lag behind', [
      ['', short.filter(({ leader }) => leader === node.id).length],
    ]),
    ...gauge('redpanda_storage_disk_free_bytes', 'Free disk space', [['', node.disk.free]]),
    ...gauge('redpanda_storage_disk_total_bytes', 'Disk space', [['', node.disk.total]]),
  ];
}

function internalMetrics(world: World, node: Node): readonly string[] {
  const leads = hostedBy(world, node).map(({ ns, topic, id, leader }): [string, number] => [
    `namespace="${ns}",topic="${topic}",partition="${id}"`,
    leader === node.id ? 1 : 0,
  ]);
  return gauge('vectorized_cluster_partition_leader', 'Whether this node leads the partition', leads);
}
