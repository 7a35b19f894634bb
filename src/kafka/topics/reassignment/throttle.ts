import type { ItemError } from '../../../errors.ts';
import type { BrokerMetadata, Client } from '../../client/client.ts';
import { itemErrorOf, type Located, type Outcome, questionOf } from '../../client/question.ts';
import type { Target } from '../../client/targets.ts';
import { untilVisible } from '../../client/visibility.ts';
import { describeConfigs, resourceTypes } from '../../protocol/describe-configs.ts';
import {
  type AlterConfigsResource,
  type AlteredResource,
  type ConfigChange,
  incrementalAlterConfigs,
} from '../../protocol/incremental-alter-configs.ts';
import { groupByTopic } from '../by-topic.ts';
import { readSomeConfigs } from '../configs.ts';
import { readOngoing } from './ongoing.ts';
import type { PlannedRow, Unthrottled } from './reassignment-rows.ts';

/** The configs of topics that list the throttled replicas, as `PARTITION:BROKER` (KIP-73). */
const replicaKeys = ['leader.replication.throttled.replicas', 'follower.replication.throttled.replicas'] as const;
/** The configs of brokers that limit what throttled replicas send and receive, in bytes per second (KIP-73). */
const rateKeys = ['leader.replication.throttled.rate', 'follower.replication.throttled.rate'] as const;

/**
 * Limits the copying of replicas: at their present brokers what is sent, at the new ones what is received. Replicas that
 * are throttled for another reason stay in the lists.
 * @throws CliError if a limit cannot be set; those that were set are removed again
 */
export async function throttle(
  client: Client,
  rows: readonly PlannedRow[],
  { rate, brokers }: { readonly rate: number; readonly brokers: readonly BrokerMetadata[] },
): Promise<void> {
  const involved = new Set(rows.flatMap((row) => [...row.old_replicas, ...row.new_replicas]));
  // A broker that is down sends and receives nothing.
  const present = brokers.map(({ id }) => id).filter((id) => involved.has(id));
  const limits = present.map((id) => brokerOf(id, { operation: 'set', value: String(rate) }));
  const lists = groupByTopic(rows).map(([topic, own]) => topicOf(topic, listedReplicas(own, present)));
  for (const resources of [limits, lists]) {
    const failed = (await client.ask(alteration, resources)).find(({ error }) => error !== undefined);
    if (failed?.error === undefined) continue;
    await client.ask(alteration, [...present.map(unlimited), ...lists.map(unlisted)], 'once');
    throw failed.error;
  }
  // A replica is copied at full speed until its brokers know of the limit.
  await untilVisible(client, async () => {
    const answers = await Promise.all(present.map((id) => areKnownBy(client, id, [...limits, ...lists])));
    return answers.every(Boolean);
  });
}

/** Whether a broker shows its own limits and the lists of all topics. */
async function areKnownBy(client: Client, id: number, altered: readonly AlterConfigsResource[]): Promise<boolean> {
  const due = altered.filter(({ type, name }) => type === resourceTypes.topic || name === String(id));
  const resources = due.map(({ type, name, changes }) => ({ type, name, keys: changes.map(({ key }) => key) }));
  const answer = await client.request(describeConfigs, { resources }, { node: id });
  return due.every(({ type, name, changes }) => {
    const own = answer.resources.find((one) => one.type === type && one.name === name);
    return changes.every(({ key, value = '' }) => {
      const shown = own?.configs.find((config) => config.key === key)?.value?.split(',') ?? [];
      return value.split(',').every((entry) => shown.includes(entry));
    });
  });
}

/** The replicas of a topic that send and those that receive, in the order of `replicaKeys`. */
function listedReplicas(rows: readonly PlannedRow[], present: readonly number[]): readonly ConfigChange[] {
  const names = (brokersOf: (row: PlannedRow) => readonly number[]): string => {
    const entries = rows.flatMap((row) => {
      const brokers = brokersOf(row).filter((id) => present.includes(id));
      return brokers.map((id) => `${row.partition}:${id}`);
    });
    return entries.join(',');
  };
  const sending = names((row) => row.old_replicas);
  const receiving = names((row) => row.new_replicas.filter((id) => !row.old_replicas.includes(id)));
  return [sending, receiving].flatMap((value, at): ConfigChange[] => {
    const key = replicaKeys[at];
    return key === undefined || value === '' ? [] : [{ key, operation: 'append', value }];
  });
}

function brokerOf(id: number, change: Omit<ConfigChange, 'key'>): AlterConfigsResource {
  return { type: resourceTypes.broker, name: String(id), changes: rateKeys.map((key) => ({ ...change, key })) };
}

function unlimited(id: number): AlterConfigsResource {
  return brokerOf(id, { operation: 'delete', value: undefined });
}

function topicOf(name: string, changes: readonly ConfigChange[]): AlterConfigsResource {
  return { type: resourceTypes.topic, name, changes };
}

function unlisted(resource: AlterConfigsResource): AlterConfigsResource {
  return { ...resource, changes: resource.changes.map((change) => ({ ...change, operation: 'subtract' })) };
}

const alteration = questionOf({
  api: incrementalAlterConfigs,
  what: ({ type, name }: AlterConfigsResource) =>
    type === resourceTypes.broker ? `throttle broker ${name}` : `throttle topic "${name}"`,
  // A broker alters its own configs only.
  target: ({ type, name }: AlterConfigsResource): Target =>
    type === resourceTypes.broker ? { node: Number(name) } : 'any',
  keyOf: ({ type, name }: AlterConfigsResource) => `${type}/${name}`,
  request: (items: readonly Located<AlterConfigsResource>[]) => ({
    resources: items.map(({ item }) => item),
    validateOnly: false,
  }),
  rows: ({ resources }) => resources.map((row): [string, AlteredResource] => [`${row.type}/${row.name}`, row]),
});

/** Implements `ReassignmentCalls.unthrottle`. A list that names every replica (`*`) is not from a reassignment. */
export async function unthrottle(client: Client, topics: readonly string[] | undefined): Promise<Unthrottled> {
  const ongoing = await readOngoing(client, undefined);
  const names = topics ?? (await client.metadata('all')).topics.map(({ name }) => name).sort();
  const moving = new Set(ongoing.map(({ topic, partition }) => `${topic}/${partition}`));
  const removed = new Map<string, readonly (readonly [ConfigChange, entries: readonly string[]])[]>();
  for (const [topic, configs] of await readSomeConfigs(client, names, replicaKeys)) {
    const changes = replicaKeys.flatMap((key) =>
      removal(key, configs.get(key)?.value ?? '', (p) => moving.has(`${topic}/${p}`)),
    );
    if (changes.length > 0) removed.set(topic, changes);
  }
  const busy = new Set(ongoing.flatMap(({ replicas }) => replicas));
  const idle = new Set(
    [...removed.values()].flatMap((changes) => changes.flatMap(([, entries]) => entries.map(brokerIn))),
  );
  const lists = [...removed].map(([topic, changes]) =>
    topicOf(
      topic,
      changes.map(([change]) => change),
    ),
  );
  const limits = [...idle].filter((id) => !busy.has(id)).sort((a, b) => a - b);
  // Asked once: a broker that is down must not delay the others.
  const outcomes = await client.ask(alteration, [...lists, ...limits.map(unlimited)], 'once');
  const topicsDone = outcomes.filter(({ item, error }) => item.type === resourceTypes.topic && error === undefined);
  return { topics: topicsDone.map(({ item }) => item.name), left: outcomes.flatMap(leftover) };
}

/** The change that removes the replicas of partitions that are not moving, and these replicas; nothing if there are none. */
function removal(
  key: string,
  value: string,
  isMoving: (partition: string) => boolean,
): readonly (readonly [ConfigChange, entries: readonly string[]])[] {
  const all = value.split(',').filter((entry) => entry !== '');
  const entries = all.filter((entry) => /^\d+:\d+$/.test(entry) && !isMoving(entry.split(':')[0] ?? ''));
  if (entries.length === 0) return [];
  if (entries.length === all.length) return [[{ key, operation: 'delete', value: undefined }, entries]];
  return [[{ key, operation: 'subtract', value: entries.join(',') }, entries]];
}

function brokerIn(entry: string): number {
  return Number(entry.split(':')[1]);
}

function leftover(outcome: Outcome<AlterConfigsResource, AlteredResource>): { what: string; error: ItemError }[] {
  const error = itemErrorOf(outcome);
  const { type, name } = outcome.item;
  const whose = type === resourceTypes.broker ? `broker ${name}` : `topic "${name}"`;
  return error === null ? [] : [{ what: `the throttle of ${whose}`, error }];
}
