import type { ItemError } from '../errors.ts';
import type { Client } from './client/client.ts';
import { kafkaItemError } from './errors.ts';
import {
  type DescribedConfig,
  type DescribedResource,
  describeConfigs,
  resourceTypes,
} from './protocol/describe-configs.ts';
import type { ConfigRow } from './topic-rows.ts';

/** The configs of one topic, sorted by key, or why there are none. */
export interface TopicConfigs {
  readonly configs: readonly ConfigRow[];
  readonly error: ItemError | null;
}

/** Reads the configs of all topics with one request. */
export async function readTopicConfigs(
  client: Client,
  topics: readonly string[],
): Promise<ReadonlyMap<string, TopicConfigs>> {
  if (topics.length === 0) return new Map();
  const resources = topics.map((name) => ({ type: resourceTypes.topic, name, keys: undefined }));
  const response = await client.request(describeConfigs, { resources }, 'any');
  return new Map(response.resources.map((resource) => [resource.name, configsOf(resource)]));
}

function configsOf(resource: DescribedResource): TopicConfigs {
  return {
    configs: resource.configs.map(configRow).sort((a, b) => (a.key < b.key ? -1 : 1)),
    error: kafkaItemError(resource.errorCode, resource.errorMessage),
  };
}

function configRow({ key, value, source, sensitive }: DescribedConfig): ConfigRow {
  return { key, value: value ?? null, source, sensitive };
}
