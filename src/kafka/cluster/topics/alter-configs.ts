import type { ItemError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { answered, itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import { untilVisible } from '../../protocol/client/visibility.ts';
import { configSources, type DescribedConfig, resourceTypes } from '../../protocol/wire/apis/describe-configs.ts';
import { configOperations, incrementalAlterConfigs } from '../../protocol/wire/apis/incremental-alter-configs.ts';
import { type ConfigsByKey, readSomeConfigs } from './configs.ts';
import { ignoredKeys } from './topic-config-words.ts';
import type { AlteredTopic, ConfigChange } from './topic-rows.ts';

/** A topic as planned, with the keys that have no effect if the cluster accepts them. */
type Ready = AlteredTopic & { readonly ignored: readonly string[] };

/** A topic as planned, with the values that it would have; and what became of one. */
type Altered = Ready & { readonly error: ItemError | null };

/** The changes of all topics, or of each. */
type Changes = readonly ConfigChange[] | ChangesOf;
type ChangesOf = (topic: string) => readonly ConfigChange[];

function functionOf(changes: Changes): ChangesOf {
  return typeof changes === 'function' ? changes : () => changes;
}

/** A topic as planned; `isMade` if all its changes would leave it as it is. */
type PlannedTopic = Ready & { readonly isMade: boolean };

/** Reads the values before changes, and computes those after them; null for those that cannot be read or known. */
export async function planConfigs(
  client: Client,
  topics: readonly string[],
  changes: Changes,
): Promise<PlannedTopic[]> {
  const changesOf = functionOf(changes);
  const keys = [...new Set(topics.flatMap((topic) => changesOf(topic).map(({ key }) => key)))];
  const configs = await readSomeConfigs(client, topics, keys);
  return topics.map((topic) => ({
    topic,
    ignored: configs.has(topic)
      ? ignoredKeys(
          changesOf(topic).map(({ key }) => key),
          configs.get(topic) ?? new Map(),
        )
      : [],
    isMade: changesOf(topic).every((change) => isMade(change, configs.get(topic)?.get(change.key))),
    changes: changesOf(topic).map((change) => {
      const old = configs.get(topic)?.get(change.key);
      const { key, operation } = change;
      return { key, operation, old: old?.value ?? null, new: expectedValue(change, old) ?? null };
    }),
  }));
}

/** Whether the topic itself has the value, which sets the same value apart from the one that it gets from the cluster. */
function isMade(change: ConfigChange, old: DescribedConfig | undefined): boolean {
  if (old === undefined) return false;
  const isSet = old.configSource === configSources.DYNAMIC_TOPIC_CONFIG;
  return change.operation === 'delete' ? !isSet : isSet && expectedValue(change, old) === old.value;
}

/** Lets the brokers check planned changes without making them. */
export async function validateConfigs(client: Client, planned: readonly Ready[], changes: Changes): Promise<Altered[]> {
  return await alter(client, planned, { changes, validateOnly: true });
}

/**
 * Changes configs of topics with one request for all of them, two for those of Redpanda that it confuses. Waits until a broker reports the new values, so that the
 * next command sees them; returns those.
 */
export async function alterConfigs(client: Client, planned: readonly Ready[], changes: Changes): Promise<Altered[]> {
  const altered = await alter(client, planned, { changes, validateOnly: false });
  const values = await readChanged(
    client,
    altered.filter(({ error }) => error === null),
  );
  return altered.map((one) => ({
    ...one,
    changes: one.changes.map((change) => ({
      ...change,
      new: values.get(one.topic)?.get(change.key)?.value ?? null,
    })),
  }));
}

async function alter(
  client: Client,
  planned: readonly Ready[],
  { changes, validateOnly }: { readonly changes: Changes; readonly validateOnly: boolean },
): Promise<Altered[]> {
  let altered = planned.map((one): Altered => ({ ...one, error: null }));
  for (const part of requestsOf(functionOf(changes))) {
    const ready = altered.filter(({ topic, error }) => error === null && part(topic).length > 0);
    if (ready.length === 0) continue;
    const outcomes = answered(await client.ask(alteration(part, validateOnly), ready));
    const errors = new Map(outcomes.map((outcome) => [outcome.item.topic, itemErrorOf(outcome)]));
    altered = altered.map((one) => ({ ...one, error: one.error ?? errors.get(one.topic) ?? null }));
  }
  return altered.map((one) => (one.error === null ? one : { ...one, changes: [] }));
}

/**
 * The changes by request. Before 24.3, Redpanda makes only the last change of these two in a request (redpanda
 * src/v/kafka/server/handlers/incremental_alter_configs.cc:39).
 */
function requestsOf(changesOf: ChangesOf): readonly [ChangesOf, ChangesOf] {
  const isLater = (all: readonly ConfigChange[], { key }: ConfigChange) =>
    key === 'redpanda.remote.write' && all.some((one) => one.key === 'redpanda.remote.read');
  const part = (later: boolean) => (topic: string) => {
    const all = changesOf(topic);
    return all.filter((one) => isLater(all, one) === later);
  };
  return [part(false), part(true)];
}

function alteration(changesOf: ChangesOf, validateOnly: boolean) {
  return questionOf({
    api: { ...incrementalAlterConfigs, changes: !validateOnly },
    what: ({ topic }: Ready) => `alter the configs of topic "${topic}"`,
    keyOf: ({ topic }) => topic,
    request: (items: readonly Ready[]) => ({
      resources: items.map(({ topic }) => ({
        resourceType: resourceTypes.topic,
        resourceName: topic,
        configs: changesOf(topic).map(writtenChange),
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

/** Reads the new values, again until the broker reports every one that must differ from the old one. */
async function readChanged(
  client: Client,
  altered: readonly AlteredTopic[],
): Promise<ReadonlyMap<string, ConfigsByKey>> {
  const keys = [...new Set(altered.flatMap(({ changes }) => changes.map(({ key }) => key)))];
  const topics = altered.map(({ topic }) => topic);
  const values = new Map<string, ConfigsByKey>();
  await untilVisible(client, async () => {
    for (const [topic, configs] of await readSomeConfigs(client, topics, keys)) values.set(topic, configs);
    return altered.every(({ topic, changes }) => isSeen(changes, values.get(topic)));
  });
  return values;
}

/** Whether a broker reports the changes; configs that may not be read, or are not listed, are not waited for. */
function isSeen(changes: AlteredTopic['changes'], configs: ConfigsByKey | undefined): boolean {
  if (configs === undefined) return true;
  return changes.every(({ key, old, new: expected }) => {
    if (!configs.has(key)) return true;
    const value = configs.get(key)?.value ?? null;
    return value === expected || value !== old;
  });
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
  if (operation === 'delete' && old?.configSource !== configSources.DYNAMIC_TOPIC_CONFIG) return old?.value;
  if (operation === 'delete')
    return old?.synonyms.find(({ source }) => source !== configSources.DYNAMIC_TOPIC_CONFIG)?.value;
  const items = itemsOf(old?.value);
  const operands = itemsOf(value);
  if (operation === 'subtract') return items.filter((item) => !operands.includes(item)).join(',');
  return [...items, ...operands.filter((item) => !items.includes(item))].join(',');
}

function itemsOf(list: string | undefined): readonly string[] {
  return (list ?? '').split(',').filter((item) => item !== '');
}
