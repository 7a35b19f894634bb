import type { Client } from '../../protocol/client/client.ts';
import { answered, itemErrorOf, type Outcome, questionOf } from '../../protocol/client/question.ts';
import { untilVisible } from '../../protocol/client/visibility.ts';
import { configSources, type DescribedConfig, resourceTypes } from '../../protocol/wire/apis/describe-configs.ts';
import {
  type AlteredResource,
  configOperations,
  incrementalAlterConfigs,
} from '../../protocol/wire/apis/incremental-alter-configs.ts';
import { type ConfigsByKey, readSomeConfigs } from './configs.ts';
import type { AlterConfigsCall, AlteredTopicRow, ConfigChange } from './topic-rows.ts';

/**
 * Changes configs of topics with one request for all of them, and reads the values before and after. A dry run computes
 * the new values. Waits until a broker reports the new values, so that the next command sees them.
 */
export async function alterTopicConfigs(client: Client, call: AlterConfigsCall): Promise<AlteredTopicRow[]> {
  const { changes, dryRun } = call;
  const topics = [...new Set(call.topics)].sort();
  const keys = changes.map(({ key }) => key);
  const before = await readSomeConfigs(client, topics, keys);
  const outcomes = answered(await client.ask(alteration(changes, dryRun), topics));
  const done = outcomes.filter(({ error }) => error === undefined).map(({ item }) => item);
  const after = dryRun ? before : await readChanged(client, done, { changes, before });
  return outcomes.map((outcome) => alteredRow(outcome, call, { before, after }));
}

function alteration(changes: readonly ConfigChange[], validateOnly: boolean) {
  return questionOf({
    api: { ...incrementalAlterConfigs, changes: !validateOnly },
    what: (topic: string) => `alter the configs of topic "${topic}"`,
    keyOf: (topic) => topic,
    request: (items: readonly string[]) => ({
      resources: items.map((resourceName) => ({
        resourceType: resourceTypes.topic,
        resourceName,
        configs: changes.map(writtenChange),
      })),
      validateOnly,
    }),
    rows: ({ responses }) => responses.map((row) => [row.resourceName, row] as const),
  });
}

/** A change as brokers read it. */
export function writtenChange({ key, operation, value }: ConfigChange) {
  return { name: key, configOperation: configOperations[operation], value };
}

/** What was asked for, and the values that it started from. */
interface Change {
  readonly changes: readonly ConfigChange[];
  readonly before: ReadonlyMap<string, ConfigsByKey>;
}

/** Reads the new values, again until the broker reports every one that must differ from the old one. */
async function readChanged(
  client: Client,
  topics: readonly string[],
  { changes, before }: Change,
): Promise<ReadonlyMap<string, ConfigsByKey>> {
  const keys = changes.map(({ key }) => key);
  const isSeen = (topic: string, now: ConfigsByKey | undefined): boolean =>
    changes.every((change) => {
      const old = before.get(topic)?.get(change.key);
      const [value, expected] = [now?.get(change.key)?.value, expectedValue(change, old)];
      return value === expected || value !== old?.value;
    });
  const read = new Map<string, ConfigsByKey>();
  await untilVisible(client, async () => {
    for (const [topic, configs] of await readSomeConfigs(client, topics, keys)) read.set(topic, configs);
    return topics.every((topic) => !before.has(topic) || isSeen(topic, read.get(topic)));
  });
  return read;
}

function alteredRow(
  outcome: Outcome<string, AlteredResource>,
  { changes, dryRun }: AlterConfigsCall,
  {
    before,
    after,
  }: { readonly before: ReadonlyMap<string, ConfigsByKey>; readonly after: ReadonlyMap<string, ConfigsByKey> },
): AlteredTopicRow {
  const { item: topic } = outcome;
  const error = itemErrorOf(outcome);
  const changed = (change: ConfigChange): AlteredTopicRow['changes'][number] => {
    const old = before.get(topic)?.get(change.key);
    const now = dryRun ? expectedValue(change, old) : after.get(topic)?.get(change.key)?.value;
    return { key: change.key, operation: change.operation, old: old?.value ?? null, new: now ?? null };
  };
  return {
    topic,
    status: error === null ? 'OK' : 'ERROR',
    changes: error === null ? changes.map(changed) : [],
    dry_run: dryRun,
    error,
  };
}

/**
 * The value that a config has after a change; undefined if it is unset or cannot be known: Kafka does not report the
 * default of every config (of `retention.ms`, for example).
 */
export function expectedValue(
  { operation, value }: ConfigChange,
  old: DescribedConfig | undefined,
): string | undefined {
  if (operation === 'set') return value;
  if (operation === 'delete')
    return old?.synonyms.find(({ source }) => source !== configSources.DYNAMIC_TOPIC_CONFIG)?.value;
  const items = itemsOf(old?.value);
  const given = itemsOf(value);
  if (operation === 'subtract') return items.filter((item) => !given.includes(item)).join(',');
  return [...items, ...given.filter((item) => !items.includes(item))].join(',');
}

function itemsOf(list: string | undefined): readonly string[] {
  return (list ?? '').split(',').filter((item) => item !== '');
}
