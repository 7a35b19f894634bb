import { nearest } from '../../config/nearest.ts';
import type { Context } from '../../context.ts';
import type { ItemError } from '../../errors.ts';
import { formOf } from '../../format/config-units.ts';
import { configWords } from '../../kafka/cluster/topics/topic-config-words.ts';
import { type Kind, keyValue, text } from '../../kinds.ts';

/**
 * The configs that topics may have, to suggest the one that was meant; the brokers decide which ones they know. From
 * Kafka's documentation (https://kafka.apache.org/documentation/#topicconfigs) and the topic properties of Redpanda.
 */
export const topicConfigKeys: readonly string[] = [
  'cleanup.policy',
  'compaction.strategy',
  'compression.gzip.level',
  'compression.lz4.level',
  'compression.type',
  'compression.zstd.level',
  'confluent.key.schema.validation',
  'confluent.key.subject.name.strategy',
  'confluent.value.schema.validation',
  'confluent.value.subject.name.strategy',
  'delete.retention.ms',
  'file.delete.delay.ms',
  'flush.bytes',
  'flush.messages',
  'flush.ms',
  'follower.replication.throttled.replicas',
  'index.interval.bytes',
  'initial.retention.local.target.bytes',
  'initial.retention.local.target.ms',
  'leader.replication.throttled.replicas',
  'local.retention.bytes',
  'local.retention.ms',
  'max.compaction.lag.ms',
  'max.message.bytes',
  'message.timestamp.after.max.ms',
  'message.timestamp.before.max.ms',
  'message.timestamp.type',
  'min.cleanable.dirty.ratio',
  'min.compaction.lag.ms',
  'min.insync.replicas',
  'preallocate',
  'redpanda.iceberg.delete',
  'redpanda.iceberg.invalid.record.action',
  'redpanda.iceberg.mode',
  'redpanda.iceberg.partition.spec',
  'redpanda.iceberg.target.lag.ms',
  'redpanda.key.schema.id.validation',
  'redpanda.key.subject.name.strategy',
  'redpanda.leaders.preference',
  'redpanda.remote.allowgaps',
  'redpanda.remote.delete',
  'redpanda.remote.read',
  'redpanda.remote.readreplica',
  'redpanda.remote.recovery',
  'redpanda.remote.write',
  'redpanda.schema.registry.context',
  'redpanda.storage.mode',
  'redpanda.storage.mode.impl',
  'redpanda.value.schema.id.validation',
  'redpanda.value.subject.name.strategy',
  'remote.log.copy.disable',
  'remote.log.delete.on.disable',
  'remote.storage.enable',
  'replication.factor',
  'retention.bytes',
  'retention.local.target.bytes',
  'retention.local.target.ms',
  'retention.ms',
  'segment.bytes',
  'segment.index.bytes',
  'segment.jitter.ms',
  'segment.ms',
  'unclean.leader.election.enable',
  'write.caching',
];

/** A config of a topic, with the keys for completion. */
export const topicConfigKey: Kind<string> = { ...text, offers: topicConfigKeys };

/** A config of a topic and its value. */
export const topicConfig: typeof keyValue = {
  ...keyValue,
  offers: topicConfigKeys.flatMap((key) => ['', ...(configWords[key] ?? [])].map((word) => `${key}=${word}`)),
};

/**
 * Suggests the key that was meant for each unknown one, and how to write durations and sizes, after brokers have refused
 * configs of topics.
 */
export async function suggestConfigs(
  context: Context,
  rows: readonly { readonly error: ItemError | null }[],
  given: readonly (readonly [key: string, value: string])[],
): Promise<void> {
  if (!rows.some(({ error }) => error?.code === 'INVALID_CONFIG')) return;
  for (const key of new Set(given.map(([name]) => name))) await suggestKey(context, key);
  for (const [key, value] of given) {
    const form = formOf(key, value);
    if (form !== undefined) context.hintAfter(form);
  }
}

/** Says which configs of topics the cluster has accepted, or would accept, without an effect. */
export async function reportIgnoredKeys(
  context: Context,
  rows: readonly { readonly ignored: readonly string[]; readonly error: ItemError | null }[],
): Promise<void> {
  for (const key of new Set(rows.flatMap(({ ignored, error }) => (error === null ? ignored : [])))) {
    context.noticeAfter(`the cluster ignores ${key}`);
    await suggestKey(context, key);
  }
}

async function suggestKey(context: Context, key: string): Promise<void> {
  if (/^redpanda\.(?:key|value)\.(?:schema\.id\.validation|subject\.name\.strategy)$/.test(key))
    context.hintAfter('topics take it after: weir cluster config set enable_schema_id_validation redpanda');
  const meant = topicConfigKeys.includes(key) ? undefined : await nearest(key, topicConfigKeys);
  if (meant !== undefined) context.hintAfter(`did you mean ${meant} instead of ${key}?`);
}
