/** A change of a config. Null is a value that is unset, undefined is one that is not known. */
export interface ConfigChange {
  readonly key: string;
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
}

interface ErasingConfig {
  /** The names of topics, of Kafka's brokers, and of Redpanda's clusters. */
  readonly keys: readonly string[];
  /** What a change erases. A smaller number erases more. */
  readonly erased: string | ((change: ConfigChange) => string | undefined);
}

/**
 * The configs that promise how long something is kept, from the documentation of Kafka's topic and broker configs and of
 * Redpanda's topic and cluster properties. Others erase nothing that these promise to keep, and are not in the table:
 * segment sizes and ages, the other settings of compaction, limits of timestamps, and local retention (local.retention.*
 * and retention.local.target.*), by which brokers remove only copies of what is in object storage already.
 */
const erasingConfigs: readonly ErasingConfig[] = [
  {
    keys: [
      'retention.ms',
      'log.retention.ms',
      'log.retention.minutes',
      'log.retention.hours',
      'log_retention_ms',
      'delete_retention_ms',
    ],
    erased: 'older records',
  },
  { keys: ['retention.bytes', 'log.retention.bytes', 'retention_bytes'], erased: 'the oldest records' },
  { keys: ['cleanup.policy', 'log.cleanup.policy', 'log_cleanup_policy'], erased: erasedByPolicy },
  {
    keys: ['delete.retention.ms', 'log.cleaner.delete.retention.ms', 'tombstone_retention_ms'],
    erased: 'tombstones that a consumer may not have read',
  },
  {
    keys: ['min.compaction.lag.ms', 'log.cleaner.min.compaction.lag.ms', 'min_compaction_lag_ms'],
    erased: 'all but the last record of each key',
  },
  // Kafka lets a topic leave tiered storage only if it deletes what it has there.
  {
    keys: ['remote.storage.enable'],
    erased: ({ after }) => (after === 'true' ? undefined : 'the records in remote storage'),
  },
  { keys: ['offsets.retention.minutes', 'group_offset_retention_sec'], erased: 'committed offsets of idle groups' },
];

/** What a change of a config can erase, for example `older records`; undefined if nothing. */
export function erasedBy(change: ConfigChange): string | undefined {
  const { key, before, after } = change;
  const rule = erasingConfigs.find(({ keys }) => keys.includes(key));
  if (rule === undefined || (before !== undefined && before === after)) return undefined;
  if (typeof rule.erased !== 'string') return rule.erased(change);
  const [old, now] = [limit(before), limit(after)];
  return now === Number.POSITIVE_INFINITY || (old !== undefined && now !== undefined && now >= old)
    ? undefined
    : rule.erased;
}

/** Whether a change of a config may erase something, depending on its values. */
export function isErasing(key: string): boolean {
  return erasingConfigs.some(({ keys }) => keys.includes(key));
}

/** A limit as a number, infinite if there is none; undefined if it is not known. */
function limit(value: string | null | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value ?? -1);
  if (Number.isNaN(number)) return undefined;
  return number < 0 ? Number.POSITIVE_INFINITY : number;
}

function erasedByPolicy({ before, after }: ConfigChange): string | undefined {
  const [old, now] = [before, after].map((value) => value?.split(',').map((word) => word.trim()));
  const adds = (word: string) => (now === undefined || now.includes(word)) && !old?.includes(word);
  if (adds('delete')) return 'old records';
  return adds('compact') ? 'all but the last record of each key' : undefined;
}

/** The properties of a Redpanda cluster that decide who may use its APIs. */
const accessProperties: readonly string[] = ['enable_sasl', 'kafka_enable_authorization', 'admin_api_require_auth'];

/** Whether a change can open the cluster to everyone: a check that is turned off. */
function opens({ key, before, after }: ConfigChange): boolean {
  return accessProperties.includes(key) && after !== 'true' && before !== after;
}

/** Whether a change can lock out clients, and the person who makes it: a check that is turned on, a superuser less. */
function locksOut({ key, before, after }: ConfigChange): boolean {
  if (accessProperties.includes(key)) return after === 'true' && before !== after;
  if (key !== 'superusers' || after === undefined) return key === 'superusers';
  const left = namesIn(after);
  return namesIn(before).some((name) => !left.includes(name));
}

/** The names in a list, which may be written as JSON. */
function namesIn(text: string | null | undefined): readonly string[] {
  return text?.match(/[^\s,"'[\]]+/g) ?? [];
}

/** What several changes can erase, in words; undefined if nothing. */
export function erasedTogether(changes: readonly ConfigChange[]): string | undefined {
  const erased = new Set(changes.flatMap((change) => erasedBy(change) ?? []));
  return erased.size === 0 ? undefined : [...erased].join(' and ');
}

/** What several changes can do, such as `erase older records and lock out clients`; undefined if nothing. */
export function riskOf(changes: readonly ConfigChange[]): string | undefined {
  const erased = erasedTogether(changes);
  const risks = [
    ...(erased === undefined ? [] : [`erase ${erased}`]),
    ...(changes.some(locksOut) ? ['lock out clients'] : []),
    ...(changes.some(opens) ? ['open the cluster to everyone'] : []),
  ];
  return risks.length === 0 ? undefined : risks.join(' and ');
}

/** The changes that can erase something, lock out clients or open the cluster. */
export function riskyOf<T extends ConfigChange>(changes: readonly T[]): readonly T[] {
  return changes.filter((change) => riskOf([change]) !== undefined);
}

/** Before which changes of configs a question is asked. */
export const risks = {
  ofTopic: 'before a change that can erase records',
  ofCluster: 'before a change that can erase records, lock out clients or open the cluster',
};

/** The question before risky changes of configs: `Change retention.ms of the cluster, which can erase …`. */
export function riskQuestion(changes: readonly ConfigChange[], whose: string): string {
  const keys = [...new Set(changes.map(({ key }) => key))].join(', ');
  return `Change ${keys} of ${whose}, which can ${riskOf(changes)},`;
}
