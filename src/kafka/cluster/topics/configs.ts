import type { ItemError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import {
  configSourceName,
  type DescribedConfig,
  describeConfigs,
  resourceTypes,
} from '../../protocol/wire/apis/describe-configs.ts';
import type { TopicConfig } from './topic-rows.ts';

/** The configs of one topic, sorted by key, or the error that kept them from being read. */
export interface TopicConfigs {
  readonly configs: readonly TopicConfig[];
  readonly error: ItemError | null;
}

/** Creates a function that reads the configs of topics, with one request each time. */
export function createConfigReader(
  client: Client,
): (topics: readonly string[]) => Promise<ReadonlyMap<string, TopicConfigs>> {
  const rowOf = createRows();
  return async (topics) => {
    const outcomes = await client.ask(topicConfigs(undefined), topics);
    return new Map(
      outcomes.map((outcome) => {
        const configs = (outcome.row?.configs ?? []).map(rowOf).sort((a, b) => (a.key < b.key ? -1 : 1));
        return [outcome.item, { configs, error: itemErrorOf(outcome) }];
      }),
    );
  };
}

/** The configs of a topic by key, with their synonyms. */
export type ConfigsByKey = ReadonlyMap<string, DescribedConfig>;

/** Reads some configs of topics with one request; topics whose configs cannot be read are absent. */
export async function readSomeConfigs(
  client: Client,
  topics: readonly string[],
  keys: readonly string[],
): Promise<ReadonlyMap<string, ConfigsByKey>> {
  const outcomes = await client.ask(topicConfigs(keys), topics);
  return new Map(
    outcomes.flatMap(({ item, row, error }) =>
      row === undefined || error !== undefined ? [] : [[item, new Map(row.configs.map((one) => [one.name, one]))]],
    ),
  );
}

/** The same for what must be known of every topic. @throws CliError for the first topic whose configs cannot be read */
export async function mustReadConfigs(
  client: Client,
  topics: readonly string[],
  keys: readonly string[],
): Promise<ReadonlyMap<string, ConfigsByKey>> {
  const outcomes = await client.ask(topicConfigs(keys), topics);
  return new Map(
    outcomes.map(({ item, row, error }) => {
      if (error !== undefined) throw error;
      return [item, new Map((row?.configs ?? []).map((one) => [one.name, one]))];
    }),
  );
}

/**
 * The contexts of the schema registry that the topics name, such as `.staging` (Redpanda 26.2 and newer), by topic; those
 * without one, or whose configs cannot be read, are absent.
 */
export async function readSchemaContexts(
  client: Client,
  topics: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if ((await client.isRedpanda()) !== true) return new Map();
  const key = 'redpanda.schema.registry.context';
  const contexts = [...(await readSomeConfigs(client, topics, [key]))].map(
    ([topic, configs]) => [topic, configs.get(key)?.value ?? ''] as const,
  );
  return new Map(contexts.filter(([, context]) => context !== '' && context !== '.'));
}

/** Kafka's default for `max.message.bytes`, which also holds where a topic's is not readable. */
export const defaultBatchBytes = 1_048_588;

/** Reads the size in bytes above which each of the topics takes no batch. */
export async function readBatchLimits(client: Client, topics: readonly string[]): Promise<(topic: string) => number> {
  const key = 'max.message.bytes';
  const configs = await readSomeConfigs(client, topics, [key]);
  return (topic) => Number(configs.get(topic)?.get(key)?.value ?? defaultBatchBytes);
}

/** @param keys the configs to read, with synonyms; undefined: all, without */
function topicConfigs(keys: readonly string[] | undefined) {
  return questionOf({
    api: describeConfigs,
    what: (topic: string) => `read the configs of topic "${topic}"`,
    keyOf: (topic) => topic,
    request: (items: readonly string[]) => ({
      resources: items.map((resourceName) => ({
        resourceType: resourceTypes.topic,
        resourceName,
        configurationKeys: keys,
      })),
      includeSynonyms: keys !== undefined,
    }),
    rows: ({ results }) => results.map((row) => [row.resourceName, row] as const),
  });
}

/** Makes rows. Most topics have the same values for most keys: those rows exist once. */
function createRows(): (config: DescribedConfig) => TopicConfig {
  const latest = new Map<string, TopicConfig>();
  return ({ name: key, value = null, configSource, isSensitive: sensitive }) => {
    const source = configSourceName(configSource);
    const entry = latest.get(key);
    if (entry?.value === value && entry.source === source && entry.sensitive === sensitive) return entry;
    const row = { key, value, source, sensitive };
    latest.set(key, row);
    return row;
  };
}
