import { dryRun, flag, list, many, toggle, type ValuesOf } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import type { Outcome } from '../../cli/forms/outcome.ts';
import type { Context } from '../../context.ts';
import { inUnitOf } from '../../format/config-units.ts';
import { count } from '../../format/count.ts';
import { printable } from '../../format/printable.ts';
import { type CreateTopicsCall, NewTopic } from '../../kafka/cluster/topics/topic-rows.ts';
import { integer } from '../../kinds.ts';
import { reportIgnoredKeys, suggestConfigs, topicConfig } from './config-keys.ts';
import { maxPartitionCount } from './partition-count.ts';
import { newTopicName } from './topic-name.ts';

const maxReplicas = 32_767;

const flags = {
  partitions: flag(integer({ min: -1, max: maxPartitionCount }), {
    short: 'p',
    help: "number of partitions of each topic; -1 means the cluster's default",
    fallback: -1,
  }),
  replicas: flag(integer({ min: -1, max: maxReplicas }), {
    short: 'r',
    help: "number of replicas of each partition; -1 means the cluster's default",
    fallback: -1,
    aliases: ['replication-factor'],
  }),
  topicConfig: list(topicConfig, {
    short: 'c',
    help: 'config of the topics, for example retention.ms=7d or segment.bytes=64MiB',
  }),
  ifNotExists: toggle({ help: 'succeed for topics that already exist' }),
  dryRun: dryRun({ short: 'd' }),
  compact: toggle({ help: 'deprecated: use -c cleanup.policy=compact', hidden: true }),
};

/** `topic create` */
export const create = change({
  summary: 'Create topics',
  description: `Creates all topics in one request, with the same number of partitions and replicas and the same configs. A
topic that cannot be created does not affect the others. Every topic has its own status. If all failures have the same
exit code (for example 6: the topic already exists), it is the exit code of the command; otherwise that is 1.`,
  examples: [
    ['Two topics with 20 partitions each', 'topic create -p 20 orders payments'],
    ['A compacted topic with three replicas', 'topic create users -r 3 -c cleanup.policy=compact'],
    ['Check whether a topic can be created, without creating it', 'topic create orders -p 20 --dry-run'],
    ['Succeed if the topic already exists', 'topic create orders --if-not-exists'],
  ],
  apis: ['kafka'],
  args: { topics: many(newTopicName, 'TOPIC', 'names of the topics to create') },
  flags,
  changes: 'creates',
  noun: 'topic',
  item: NewTopic,
  plan(context, values) {
    noticeUnits(context, values.topicConfig, configsOf(values));
    const size = { topic_id: null, partitions: countOf(values.partitions), replicas: countOf(values.replicas) };
    return [...new Set(values.topics)].map((topic) => ({ topic, ...size }));
  },
  async validate(context, topics, values) {
    const checked = await (await context.kafka()).validateTopics(callOf(topics, values));
    await reportIgnoredKeys(context, checked);
    return checked;
  },
  async apply(context, topics, values) {
    const created = await (await context.kafka()).createTopics(callOf(topics, values));
    await reportIgnoredKeys(context, created);
    return created;
  },
  columns: ['topic'],
  wide: ['topic', 'partitions', 'replicas', 'topic_id'],
  would: ({ partitions, replicas }) => `be created with ${sizeText(partitions, replicas)}`,
  notNeeded: 'already exists',
  async after(context, topics, values) {
    await compareExisting(context, topics, values);
    await suggestConfigs(context, topics, configsOf(values));
  },
});

type Values = ValuesOf<typeof flags>;

function callOf(topics: readonly NewTopic[], values: Values): CreateTopicsCall {
  const { partitions, replicas, ifNotExists } = values;
  const configs = configsOf(values);
  return { topics: topics.map(({ topic }) => ({ topic, partitions, replicas, configs })), ifNotExists };
}

/** The configs by key: later ones override earlier ones, and all of them override `--compact`. */
function configsOf({ topicConfig: given, compact }: Values): [string, string][] {
  const byKey = new Map(compact ? [['cleanup.policy', 'compact']] : []);
  for (const [key, value] of given) byKey.set(key, inUnitOf(key, value));
  return [...byKey];
}

/** Says which value is sent where it is not the one that was typed. */
function noticeUnits(
  context: Context,
  typed: Values['topicConfig'],
  sent: readonly (readonly [string, string])[],
): void {
  const given = new Map(typed);
  for (const [key, value] of sent) {
    if (given.has(key) && given.get(key) !== value) context.notice(`sending ${key}=${value}`);
  }
}

/** Warns of topics that exist with other numbers of partitions or replicas, or other configs, than the line has. */
async function compareExisting(
  context: Context,
  topics: readonly (NewTopic & Outcome)[],
  values: Values,
): Promise<void> {
  const { partitions, replicas } = values;
  const names = topics.filter(({ status }) => status === 'NOT_NEEDED').map(({ topic }) => topic);
  const configs = configsOf(values);
  if (names.length === 0 || (partitions < 0 && replicas < 0 && configs.length === 0)) return;
  const kafka = await context.kafka();
  const otherConfigs = await compareConfigs(context, names, configs);
  for (const row of await kafka.listTopics({ topics: names, regex: false, internal: true })) {
    if (row.error !== null) continue;
    const differences = [
      ...(partitions < 0 || row.partitions === partitions ? [] : [insteadOf(row.partitions, partitions, 'partition')]),
      ...(replicas < 0 || row.replicas === replicas ? [] : [insteadOf(row.replicas, replicas, 'replica')]),
      ...(otherConfigs.get(row.name) ?? []),
    ];
    if (differences.length > 0)
      context.warn(`topic "${printable(row.name)}" already exists, with ${differences.join(' and ')}`);
  }
}

/** The configs that topics have with other values, by topic; none of those that cannot be read. */
async function compareConfigs(
  context: Context,
  topics: readonly string[],
  configs: readonly (readonly [key: string, value: string])[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (configs.length === 0) return new Map();
  const changes = configs.map(([key, value]) => ({ key, value, operation: 'set' as const }));
  const planned = await (await context.kafka()).planConfigs(topics, changes);
  const textOf = ({ key, old, new: wanted }: (typeof planned)[number]['changes'][number]) =>
    old === null || old === wanted ? [] : [`${key}=${old} instead of ${wanted}`];
  return new Map(planned.map((one) => [one.topic, one.changes.flatMap(textOf)]));
}

function insteadOf(actual: number, wanted: number, noun: string): string {
  return `${count(actual, noun)} instead of ${wanted}`;
}

/** Null for the cluster's default. */
function countOf(given: number): number | null {
  return given < 0 ? null : given;
}

function sizeText(partitions: number | null, replicas: number | null): string {
  if (partitions === null || replicas === null) return 'the requested sizes';
  return `${count(partitions, 'partition')} and ${count(replicas, 'replica')}`;
}
