import type { Cluster, Partition, Topic } from './cluster-parts.ts';

/** A topic config: its default, its type in DescribeConfigs and its validation. */
export interface TopicConfig {
  readonly fallback: string;
  readonly type: 'boolean' | 'string' | 'int' | 'long' | 'double' | 'list';
  readonly accepts: (value: string) => boolean;
}

const isBoolean = (value: string): boolean => /^(true|false)$/i.test(value);
const isNumber =
  (least: number, most = 2 ** 63) =>
  (value: string): boolean =>
    /^-?\d+$/.test(value) && Number(value) >= least && Number(value) <= most;
const isOneOf =
  (...words: readonly string[]) =>
  (value: string): boolean =>
    words.includes(value);
const long = (fallback: string, least: number): TopicConfig => ({ fallback, type: 'long', accepts: isNumber(least) });
const int = (fallback: string, least: number): TopicConfig => ({
  fallback,
  type: 'int',
  accepts: isNumber(least, 0x7fffffff),
});
const boolean = (fallback: string): TopicConfig => ({ fallback, type: 'boolean', accepts: isBoolean });
const codecs = ['uncompressed', 'zstd', 'lz4', 'snappy', 'gzip', 'producer'];
const policies = (value: string): boolean => value.split(',').every((one) => /^\s*(compact|delete)\s*$/.test(one));

/** The topic configs with Kafka's defaults (https://kafka.apache.org/documentation/#topicconfigs), and some of Redpanda. */
export const topicConfigs: ReadonlyMap<string, TopicConfig> = new Map<string, TopicConfig>([
  ['cleanup.policy', { fallback: 'delete', type: 'list', accepts: policies }],
  ['compression.type', { fallback: 'producer', type: 'string', accepts: isOneOf(...codecs) }],
  ['delete.retention.ms', long('86400000', 0)],
  ['file.delete.delay.ms', long('60000', 0)],
  ['flush.messages', long('9223372036854775807', 1)],
  ['flush.ms', long('9223372036854775807', 0)],
  ['index.interval.bytes', int('4096', 0)],
  ['max.compaction.lag.ms', long('9223372036854775807', 1)],
  ['max.message.bytes', int('1048588', 0)],
  ['message.timestamp.after.max.ms', long('3600000', 0)],
  ['message.timestamp.before.max.ms', long('9223372036854775807', 0)],
  [
    'message.timestamp.type',
    { fallback: 'CreateTime', type: 'string', accepts: isOneOf('CreateTime', 'LogAppendTime') },
  ],
  ['min.cleanable.dirty.ratio', { fallback: '0.5', type: 'double', accepts: (value) => Number(value) <= 1 }],
  ['min.compaction.lag.ms', long('0', 0)],
  ['min.insync.replicas', int('1', 1)],
  ['preallocate', boolean('false')],
  ['retention.bytes', long('-1', -1)],
  ['retention.ms', long('604800000', -1)],
  ['segment.bytes', int('1073741824', 14)],
  ['segment.index.bytes', int('10485760', 4)],
  ['segment.jitter.ms', long('0', 0)],
  ['segment.ms', long('604800000', 1)],
  ['unclean.leader.election.enable', boolean('false')],
  ['redpanda.iceberg.delete', boolean('true')],
  [
    'redpanda.iceberg.invalid.record.action',
    { fallback: 'dlq_table', type: 'string', accepts: isOneOf('drop', 'dlq_table') },
  ],
  [
    'redpanda.iceberg.mode',
    {
      fallback: 'disabled',
      type: 'string',
      accepts: isOneOf('disabled', 'key_value', 'value_schema_id_prefix', 'value_schema_latest'),
    },
  ],
  ['redpanda.iceberg.target.lag.ms', long('60000', 10_000)],
  ['redpanda.remote.read', boolean('false')],
  ['redpanda.remote.write', boolean('false')],
  [
    'redpanda.schema.registry.context',
    { fallback: '.', type: 'string', accepts: (value) => /^(\.[^:]*)?$/.test(value) },
  ],
]);

/** Returns a topic config: the value set on the topic, the cluster's setting or Kafka's default. */
export function configOf(cluster: Cluster, topic: Topic, name: string): string {
  const set = topic.configs.get(name);
  if (set !== undefined) return set;
  if (name === 'min.insync.replicas') return String(cluster.settings.minInsyncReplicas);
  if (name === 'unclean.leader.election.enable') return String(cluster.settings.uncleanLeaderElection);
  return topicConfigs.get(name)?.fallback ?? '';
}

/** Returns `min.insync.replicas`, limited to the number of replicas. */
export function minInsyncReplicas(cluster: Cluster, partition: Partition): number {
  return Math.min(Number(configOf(cluster, partition.topic, 'min.insync.replicas')), partition.replicas.length);
}

/** Checks whether a replica outside the ISR may become the leader when no other is available. */
export function isUncleanElectionAllowed(cluster: Cluster, topic: Topic): boolean {
  return configOf(cluster, topic, 'unclean.leader.election.enable') === 'true';
}
