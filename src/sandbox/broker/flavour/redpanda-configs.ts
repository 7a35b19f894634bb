import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import { properties } from '../../admin/config/properties.ts';
import type { BrokerConfigs, Problem } from '../cluster-parts.ts';

/** The configs of brokers with their properties and defaults (handlers/configs/config_response_utils.cc:998). */
const shownProperties: readonly (readonly [name: string, property: string, fallback: string])[] = [
  ['log.segment.bytes', 'log_segment_size', '134217728'],
  ['log.retention.bytes', 'retention_bytes', '-1'],
  ['log.retention.ms', 'log_retention_ms', '604800000'],
  ['num.partitions', 'default_topic_partitions', '1'],
  ['default.replication.factor', 'default_topic_replications', '1'],
  ['auto.create.topics.enable', 'auto_create_topics_enabled', 'false'],
];

/** Kafka's names that alterations take for properties (handlers/incremental_alter_configs.cc:424). */
const mappedNames: Readonly<Record<string, string>> = {
  'log.cleanup.policy': 'log_cleanup_policy',
  'log.message.timestamp.type': 'log_message_timestamp_type',
  'log.compression.type': 'log_compression_type',
  'log.roll.ms': 'log_segment_ms',
  'log.cleaner.delete.retention.ms': 'tombstone_retention_ms',
};

const knownProperties: ReadonlySet<string> = new Set([
  ...Object.entries(properties).flatMap(([name, { aliases = [] }]) => [name, ...aliases]),
  ...shownProperties.map(([, property]) => property),
  ...Object.values(mappedNames),
]);

/** The one directory of a broker (handlers/describe_log_dirs.cc:129). */
export const dataDirectory = '/var/lib/redpanda/data';

/** Creates the configs of brokers, which are cluster properties: one value for all brokers, never a dynamic source. */
export function createBrokerConfigs(): BrokerConfigs {
  const set = new Map<string, string>();
  return {
    describe: ({ brokers }) => [
      ...['listeners', 'advertised.listeners'].map((name) => ({
        name,
        value: brokers.map(({ host, port }) => `plain://${host}:${port}`).join(','),
        isSet: true,
      })),
      ...shownProperties.map(([name, property, fallback]) => ({
        name,
        value: set.get(property) ?? fallback,
        isSet: set.has(property),
      })),
      { name: 'log.dirs', value: dataDirectory, isSet: true },
    ],
    alter({ resourceName, configs }): Problem | undefined {
      const invalid = (message: string) => ({ code: codes.INVALID_CONFIG, message });
      if (resourceName !== '') return invalid('Setting broker properties on named brokers is unsupported');
      const changes = configs.map(({ name, value }) => [mappedNames[name] ?? name, value] as const);
      const unknown = changes.find(([name, value]) => value !== undefined && !knownProperties.has(name));
      if (unknown !== undefined) return invalid(`Unknown property '${unknown[0]}'`);
      for (const [name, value] of changes) {
        if (value === undefined) set.delete(name);
        else set.set(name, value);
      }
      return undefined;
    },
  };
}
