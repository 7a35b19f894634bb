import type { ItemError } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import { itemErrorOf, questionOf } from '../client/question.ts';
import { type DescribedConfig, describeConfigs, resourceTypes } from '../protocol/describe-configs.ts';
import type { ConfigRow } from './topic-rows.ts';

/** The configs of one topic, sorted by key, or the error that kept them from being read. */
export interface TopicConfigs {
  readonly configs: readonly ConfigRow[];
  readonly error: ItemError | null;
}

/** Reads the configs of all topics with one request. */
export async function readTopicConfigs(
  client: Client,
  topics: readonly string[],
): Promise<ReadonlyMap<string, TopicConfigs>> {
  const outcomes = await client.ask(topicConfigs, topics);
  return new Map(
    outcomes.map((outcome) => [
      outcome.item,
      {
        configs: (outcome.row?.configs ?? []).map(configRow).sort((a, b) => (a.key < b.key ? -1 : 1)),
        error: itemErrorOf(outcome),
      },
    ]),
  );
}

const topicConfigs = questionOf({
  api: describeConfigs,
  what: (topic: string) => `read the configs of topic "${topic}"`,
  target: () => 'any',
  keyOf: (topic) => topic,
  request: (items) => ({
    resources: items.map(({ item }) => ({ type: resourceTypes.topic, name: item, keys: undefined })),
  }),
  rows: ({ resources }) => resources.map((row) => [row.name, row] as const),
});

function configRow({ key, value, source, sensitive }: DescribedConfig): ConfigRow {
  return { key, value: value ?? null, source, sensitive };
}
