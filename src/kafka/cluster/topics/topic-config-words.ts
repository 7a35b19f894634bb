/**
 * The configs that Redpanda has and never lists (`kafka/server/handlers/topics/types.h`). What it accepts and does not list
 * otherwise has no effect; Kafka refuses what it does not list.
 */
const neverListed: ReadonlySet<string> = new Set([
  'compaction.strategy',
  'redpanda.remote.readreplica',
  'redpanda.remote.recovery',
  'replication.factor',
]);

/** The configs that Redpanda keeps always and lists only for a topic with Iceberg (26: configs/config_response_utils.cc:1056). */
const ofIceberg: ReadonlySet<string> = new Set([
  'redpanda.iceberg.delete',
  'redpanda.iceberg.invalid.record.action',
  'redpanda.iceberg.partition.spec',
  'redpanda.iceberg.target.lag.ms',
]);

/** What alterations skip without an error in some release of Redpanda (kafka/server/handlers/topics/types.h:113, 26: :119). */
const skipped: ReadonlySet<string> = new Set([
  'file.delete.delay.ms',
  'flush.messages',
  'follower.replication.throttled.replicas',
  'index.interval.bytes',
  'leader.replication.throttled.replicas',
  'max.compaction.lag.ms',
  'message.downconversion.enable',
  'message.format.version',
  'message.timestamp.difference.max.ms',
  'min.cleanable.dirty.ratio',
  'min.compaction.lag.ms',
  'min.insync.replicas',
  'preallocate',
  'segment.index.bytes',
  'segment.jitter.ms',
  'unclean.leader.election.enable',
]);

/** Whether Redpanda skips a config of a topic that it does not list; it refuses others that it does not know. */
export function isSkipped(key: string): boolean {
  return skipped.has(key);
}

/** Whether Redpanda takes a config of a topic, and may not list it then. */
export function mayBeUnlisted(key: string, { hasIceberg }: { readonly hasIceberg: boolean }): boolean {
  return skipped.has(key) || neverListed.has(key) || (!hasIceberg && ofIceberg.has(key));
}

/** The keys that have no effect if the cluster accepts them, given those that it lists. */
export function ignoredKeys(keys: readonly string[], listed: { has(key: string): boolean }): readonly string[] {
  return keys.filter((key) => !listed.has(key) && !neverListed.has(key) && !ofIceberg.has(key));
}

/**
 * The configs of topics that Redpanda reports as defaults if they were set to the default
 * (26: configs/config_response_utils.cc:398), as `KEY=VALUE`.
 */
const hiddenDefaults =
  /^(?:redpanda\.(?:remote\.(?:read|write|delete)|iceberg\.(?:mode|partition\.spec)|schema\.registry\.context|storage\.mode)|(?:redpanda|confluent)\.(?:key|value)\.(?:schema\.(?:id\.)?validation|subject\.name\.strategy))=|^delete\.retention\.ms=-1$/;

/** Whether Redpanda reports a value as a default although it was set: the value is what counts, not its source. */
export function hidesSource(key: string, value: string): boolean {
  return hiddenDefaults.test(`${key}=${value}`);
}

/**
 * Whether a config says that the cluster forbids something, as Redpanda with `write_caching_default=disabled` does: no topic
 * can be set to this value.
 */
export function isForbidden(key: string, value: string | null): boolean {
  return key === 'write.caching' && value === 'disabled';
}

/** The values of configs that take one of a few words. */
export const configWords: Readonly<Record<string, readonly string[]>> = {
  'cleanup.policy': ['delete', 'compact', 'compact,delete'],
  'compression.type': ['producer', 'none', 'uncompressed', 'gzip', 'lz4', 'snappy', 'zstd'],
  'message.timestamp.type': ['CreateTime', 'LogAppendTime'],
  'redpanda.iceberg.invalid.record.action': ['drop', 'dlq_table'],
  'redpanda.storage.mode': ['local', 'tiered', 'cloud', 'unset'],
  'unclean.leader.election.enable': ['true', 'false'],
  'write.caching': ['true', 'false'],
};

/** The configs of Kafka and Redpanda among these, whose words have been the same for years. */
const lastingWords = new Set(['cleanup.policy', 'compression.type', 'message.timestamp.type']);

/**
 * Why no broker takes a value for a config of a topic; undefined if nothing is known.
 * @param now a value that the config has on some topic, which shows its type
 */
export function valueFault(key: string, value: string, now: string | null | undefined): string | undefined {
  const words = lastingWords.has(key) ? configWords[key] : undefined;
  if (words !== undefined) {
    const isKnown =
      key === 'cleanup.policy'
        ? value === '' || value.split(',').every((one) => words.includes(one.trim()))
        : words.includes(value);
    return isKnown ? undefined : `${key}: expected ${words.join(' or ')}`;
  }
  if (now === 'true' || now === 'false')
    return /^(?:true|false)$/i.test(value.trim()) ? undefined : `${key}: expected true or false`;
  const isNumber = (text: string) => /^[+-]?[\d.]+(?:e[+-]?\d+)?$/i.test(text.trim());
  return now != null && isNumber(now) && !isNumber(value) ? `${key}: expected a number` : undefined;
}
