import type { Context } from '../../context.ts';
import { CliError, exitCodes, type ItemError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { excerpt } from '../../format/excerpt.ts';
import {
  hidesSource,
  isForbidden,
  isSkipped,
  mayBeUnlisted,
  valueFault,
} from '../../kafka/cluster/topics/topic-config-words.ts';
import type { DescribedTopic } from '../../kafka/cluster/topics/topic-rows.ts';
import { nearestName } from '../../serde/json/nearest-name.ts';
import type { RowOf } from '../../shape/shape.ts';
import type { Difference } from '../plan/plan-rows.ts';
import { type Configs, compareConfigs, configChangesIn, configFacts, isSameValue } from './configs.ts';
import { type Change, factsOf, type Kind, kind, type PlanOptions, type Scope } from './kind.ts';
import { refused, unnamed } from './refusal.ts';
import { judgeDeletions } from './topic-deletions.ts';
import { deleteTopics, sendTopics } from './topic-requests.ts';
import { topicRisk } from './topic-risks.ts';
import { defaultsShape, topicsShape, type WantedTopic } from './topic-sections.ts';

/** A topic of the cluster. */
interface ExistingTopic {
  readonly partitions: number;
  readonly replicas: number;
  readonly isInternal: boolean;
  /** What was set on the topic. */
  readonly set: ReadonlyMap<string, string>;
  /** All its values, those of the cluster included. */
  readonly values: ReadonlyMap<string, string | null>;
  readonly error: ItemError | null;
}

interface ExistingTopics {
  readonly topics: ReadonlyMap<string, ExistingTopic>;
  /** The configs that some topic has, each with a value that nobody has set on it, if there is one. */
  readonly known: ReadonlyMap<string, string | null>;
  /** The number of brokers that are up: Redpanda does not look at it before a topic is created. */
  readonly brokers: number;
  readonly isRedpanda: boolean;
}

/** Topics of programs, such as `__consumer_offsets` and `_schemas`: the files own none of them. */
const ofPrograms = /^_/;

/** Topics: partitions, replicas and configs. */
export const topics: Kind = kind<WantedTopic, ExistingTopics>({
  noun: 'topic',
  sections: { topics: topicsShape },
  defaults: { name: 'topic', shape: defaultsShape },
  ownedBy: ['topics'],

  wanted(sections, defaults) {
    const given = (sections.topics ?? {}) as RowOf<typeof topicsShape>;
    const common = (defaults.topic ?? {}) as RowOf<typeof defaultsShape>;
    return Object.entries(given).map(([name, entry]) => ({
      ...(entry.absent === true ? {} : common),
      ...entry,
      ...(entry.absent !== true && { configs: { ...common.configs, ...entry.configs } }),
      name,
      way: ['topics', name],
    }));
  },

  ruled: {
    fields: ['name', 'partitions', 'replicas', 'configs'],
    things: ({ name, way, absent, configs, partitions, replicas }) =>
      absent === true ? [] : [{ way, fields: factsOf({ name, partitions, replicas, configs: configFacts(configs) }) }],
  },

  async read(context, { wanted, owns }) {
    const kafka = await context.kafka();
    const listed = owns === undefined ? [] : await kafka.listTopics({ topics: [], regex: false, internal: false });
    const owned = listed.map(({ name }) => name).filter((name) => owns?.(name) === true && !ofPrograms.test(name));
    const names = [...new Set([...wanted.keys(), ...owned])];
    const call = { topics: names, regex: false, configs: true, partitions: false, stable: false };
    const isRedpanda = (await kafka.isRedpanda()) === true;
    const [described, info] = await Promise.all([
      names.length === 0 ? [] : kafka.describeTopics(call),
      kafka.clusterInfo('none'),
    ]);
    const existing = described.filter(({ summary: { error } }) => error?.exit_code !== exitCodes.notFound);
    const all = new Map(existing.map((topic) => [topic.summary.name, existingTopic(topic)]));
    const lacksNames =
      isRedpanda && all.size === 0 && [...wanted.values()].some(({ configs = {} }) => Object.keys(configs).length > 0);
    return {
      topics: all,
      known: knownConfigs(lacksNames ? await anyTopic(context) : [...all.values()]),
      brokers: info.brokers.length,
      isRedpanda,
    };
  },

  notices: ({ wanted }, { topics: existing, isRedpanda }) =>
    isRedpanda
      ? noticesOf([...wanted.values()].flatMap(({ name, configs = {} }) => ignoredIn(configs, existing.get(name))))
      : [],

  compare(scope, existing, options) {
    const named = [...scope.wanted.values()].flatMap((topic) => compareTopic(topic, existing, options));
    return [...named, ...unnamedTopics(scope, existing, options)];
  },

  order: ({ action }) => (action === 'delete' ? 140 : 20),

  async apply(context, round, sending) {
    const kafka = await context.kafka();
    await sendTopics(round, sending, {
      create: reporting(context, round.existing, kafka.createTopics),
      grow: kafka.addPartitions,
      alter: async (names, changesOf) => kafka.alterConfigs(await kafka.planConfigs(names, changesOf), changesOf),
    });
    await deleteTopics(round, sending, kafka.deleteTopics);
  },

  export: ({ topics: existing }) => ({
    topics: Object.fromEntries(
      [...existing].map(([name, topic]) => {
        // A file that lacked it would own its name and not the topic: apply --prune would delete it.
        if (topic.error !== null) throw unreadTopic(name, topic.error);
        const { partitions, replicas, set } = topic;
        return [name, { partitions, replicas, ...(set.size > 0 && { configs: Object.fromEntries([...set].sort()) }) }];
      }),
    ),
  }),

  async check(context, round, sending) {
    const kafka = await context.kafka();
    await sendTopics(round, sending, {
      create: reporting(context, round.existing, kafka.validateTopics),
      grow: kafka.validateGrowth,
      alter: (names, changesOf) =>
        kafka.validateConfigs(
          names.map((topic) => ({ topic, changes: [], ignored: [] })),
          changesOf,
        ),
    });
  },

  doubt: doubtIn,

  judge: judgeDeletions,
});

/** The fault that the cluster would find: a config that no topic has, a value that it cannot have, or too few brokers. */
function doubtIn({ changes }: Change, existing: ExistingTopics): string | undefined {
  const { known, brokers } = existing;
  const set = configChangesIn(changes).flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }]));
  const unknown = unknownConfig(
    set.map(({ key }) => key),
    existing,
  );
  if (unknown !== undefined) return unknown;
  const [fault] = set.flatMap(({ key, value }) => valueFault(key, value, known.get(key)) ?? []);
  if (fault !== undefined) return fault;
  const replicas = Number(changes.find(({ path }) => path === 'replicas')?.to ?? 0);
  return replicas > brokers ? tooFewBrokers(brokers, replicas) : undefined;
}

/** Says which config no topic has; undefined if all are known, or nobody knows. */
function unknownConfig(keys: readonly string[], { known, isRedpanda }: ExistingTopics): string | undefined {
  const isKnown = (key: string) => known.has(key) || (isRedpanda && mayBeUnlisted(key, { hasIceberg: false }));
  const unknown = known.size === 0 ? undefined : keys.find((key) => !isKnown(key));
  if (unknown === undefined) return undefined;
  const near = nearestName(unknown, [...known.keys()]);
  return `no topic has a config ${unknown}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** One topic of the cluster, whose configs show which there are; none if there is none. */
async function anyTopic(context: Context): Promise<readonly ExistingTopic[]> {
  const kafka = await context.kafka();
  const [first] = await kafka.listTopics({ topics: [], regex: false, internal: true });
  if (first === undefined) return [];
  const call = { topics: [first.name], regex: false, configs: true, partitions: false, stable: false };
  return (await kafka.describeTopics(call)).map(existingTopic);
}

function knownConfigs(topics: readonly ExistingTopic[]): ReadonlyMap<string, string | null> {
  const known = new Map<string, string | null>();
  for (const { values, set } of topics)
    for (const [key, value] of values) if (known.get(key) == null) known.set(key, set.has(key) ? null : value);
  return known;
}

function tooFewBrokers(brokers: number, replicas: number): string {
  return `needs ${count(replicas, 'broker')}, there ${brokers === 1 ? 'is' : 'are'} ${brokers}`;
}

function unreadTopic(name: string, { code, message, exit_code: exitCode }: ItemError): CliError {
  return new CliError(exitCode, `unable to read topic "${excerpt(name)}": ${message}`, { code, target: name });
}

/**
 * A request that creates topics, and reports the configs that have no effect. Redpanda creates topics without configs that it
 * does not know: nobody finds them before if the cluster has no topic yet.
 */
function reporting<C, R extends { readonly ignored: readonly string[]; readonly error: ItemError | null }>(
  context: Context,
  { isRedpanda }: ExistingTopics,
  create: (call: C) => Promise<readonly R[]>,
) {
  return async (call: C) => {
    const rows = (await create(call)).map((row) => {
      const unknown = isRedpanda ? row.ignored.filter((key) => !isSkipped(key)) : [];
      const error = unknown.length === 0 ? row.error : (row.error ?? unknownError(unknown));
      return { ...row, ignored: row.ignored.filter((key) => !unknown.includes(key)), error };
    });
    for (const notice of noticesOf(rows.flatMap(({ ignored }) => ignored))) context.noticeAfter(notice);
    return rows;
  };
}

function unknownError(keys: readonly string[]): ItemError {
  const message = `the cluster does not know ${keys.join(', ')}`;
  return { code: 'INVALID_CONFIG', number: null, message, retryable: false, exit_code: exitCodes.failure };
}

function noticesOf(ignored: readonly string[]): readonly string[] {
  return [...new Set(ignored)].map((key) => `the cluster ignores ${key}`);
}

/** The configs that Redpanda takes without an effect. */
function ignoredIn(configs: Configs, now: ExistingTopic | undefined): readonly string[] {
  if (now === undefined || now.error !== null) return [];
  const set = Object.entries(configs).filter(
    ([key, value]) => value !== null && isSkipped(key) && !now.values.has(key),
  );
  return set.map(([key]) => key);
}

function existingTopic({ summary, configs: all, configs_error: configsError }: DescribedTopic): ExistingTopic {
  const configs = all.filter(({ key, value }) => !isForbidden(key, value));
  const set = configs.filter(({ source }) => source === 'DYNAMIC_TOPIC_CONFIG');
  return {
    partitions: summary.partitions,
    replicas: summary.replicas,
    isInternal: summary.internal,
    set: new Map(set.flatMap(({ key, value }) => (value === null ? [] : [[key, value] as const]))),
    values: new Map(all.map(({ key, value }) => [key, value] as const)),
    error: summary.error ?? configsError ?? null,
  };
}

function compareTopic(topic: WantedTopic, cluster: ExistingTopics, { strict }: PlanOptions): Change[] {
  const { topics: existing, isRedpanda } = cluster;
  const { name, absent = false, because = null } = topic;
  const now = existing.get(name);
  const row = { kind: 'topic', name, changes: [], risk: 'none' as const, why: null };
  if (now?.error != null)
    return [{ ...row, action: 'blocked', why: now.error.message, error: now.error, isUnread: true }];
  if (absent) return now === undefined ? [] : [deletion(name, now, because)];
  if (now?.isInternal === true)
    return [refused({ ...row, action: 'blocked', why: 'it is an internal topic, which the brokers manage' })];
  if (now === undefined) return [isRedpanda ? creationOnRedpanda(topic, cluster) : creation(topic)];
  const configs = compareConfigs(topic.configs ?? {}, now.set, strict);
  if (!isRedpanda) return changesOf(topic, now, false, configs);
  const { [icebergMode]: mode = now.values.get(icebergMode) } = topic.configs ?? {};
  const hasIceberg = mode != null && mode !== 'disabled';
  return changesOf(
    topic,
    now,
    true,
    configs.filter((change) => isShown(change, now, hasIceberg)),
  );
}

/** The differences of a topic that exists: what can be changed, and what cannot. */
function changesOf(
  { name, partitions, replicas }: WantedTopic,
  now: ExistingTopic,
  isRedpanda: boolean,
  configs: readonly Difference[],
): Change[] {
  const blocked = (change: Difference, why: string) =>
    refused({ kind: 'topic', name, action: 'blocked', changes: [change], risk: 'none', why });
  const changes: Difference[] = [];
  const rows: Change[] = [];
  if (partitions !== undefined && partitions !== now.partitions) {
    const change = sizeDifference('partitions', now.partitions, partitions);
    if (partitions > now.partitions) changes.push(change);
    else rows.push(blocked(change, 'partitions cannot be removed'));
  }
  if (replicas !== undefined && replicas !== now.replicas) {
    const change = sizeDifference('replicas', now.replicas, replicas);
    const way = `replicas are moved with: weir topic reassign plan TOPIC --replicas ${replicas}`;
    if (isRedpanda) changes.push(change);
    else rows.push(blocked(change, way));
  }
  changes.push(...configs);
  return changes.length === 0 ? rows : [update(name, now, changes), ...rows];
}

const icebergMode = 'redpanda.iceberg.mode';

/**
 * Whether Redpanda shows what a config is, so that setting it makes a difference, or refuses it.
 * @param hasIceberg whether the topic has Iceberg after the change
 */
function isShown({ path, to }: Difference, { values }: ExistingTopic, hasIceberg: boolean): boolean {
  const key = path.slice('configs.'.length);
  if (to === null) return true;
  const now = values.get(key);
  return now === undefined ? !mayBeUnlisted(key, { hasIceberg }) : !(hidesSource(key, to) && isSameValue(key, now, to));
}

function sizeDifference(path: string, from: number | null, to: number): Difference {
  return { path, from: from === null ? null : String(from), to: String(to) };
}

function creation(topic: WantedTopic): Change {
  const { name, replicas } = topic;
  const changes = creationChanges(topic);
  const configs = configChangesIn(changes).map(({ key, value }) => ({ key, before: undefined, after: value }));
  const risk = topicRisk({ isNew: true, isGrowing: false, replicas, configs });
  return { kind: 'topic', name, action: 'create', changes, ...risk };
}

/** Redpanda finds too few brokers only while it creates a topic, and skips the configs that it does not know. */
function creationOnRedpanda(topic: WantedTopic, cluster: ExistingTopics): Change {
  const { name, replicas = 0, configs = {} } = topic;
  const { brokers, known } = cluster;
  const isIgnored = (key: string) => known.size > 0 && !known.has(key) && isSkipped(key);
  const effective = Object.fromEntries(Object.entries(configs).filter(([key]) => !isIgnored(key)));
  const row = {
    kind: 'topic',
    name,
    changes: creationChanges({ ...topic, configs: effective }),
    risk: 'none',
  } as const;
  const set = Object.keys(configs).filter((key) => configs[key] !== null);
  const why = replicas > brokers ? tooFewBrokers(brokers, replicas) : unknownConfig(set, cluster);
  return why === undefined ? { ...row, action: 'create', why: null } : refused({ ...row, action: 'blocked', why });
}

function creationChanges({ partitions, replicas, configs = {} }: WantedTopic): readonly Difference[] {
  return [
    ...(partitions === undefined ? [] : [sizeDifference('partitions', null, partitions)]),
    ...(replicas === undefined ? [] : [sizeDifference('replicas', null, replicas)]),
    ...compareConfigs(configs, new Map(), false),
  ];
}

function update(name: string, now: ExistingTopic, changes: readonly Difference[]): Change {
  const configs = configChangesIn(changes).map(({ key, value }) => {
    return { key, before: now.values.get(key), after: value };
  });
  const isGrowing = changes.some(({ path }) => path === 'partitions');
  const risk = topicRisk({ isNew: false, isGrowing, replicas: now.replicas, configs });
  return { kind: 'topic', name, action: 'update', changes, ...risk };
}

function deletion(name: string, { partitions, isInternal }: ExistingTopic, because: string | null): Change {
  const row = { kind: 'topic', name, changes: [{ path: 'partitions', from: String(partitions), to: null }] };
  if (isInternal)
    return refused({ ...row, action: 'blocked', risk: 'none', why: 'it is an internal topic, which is never deleted' });
  return { ...row, action: 'delete', risk: 'records', why: because };
}

/** The topics that the files own and do not name. */
function unnamedTopics(
  { wanted, owns }: Scope<WantedTopic>,
  { topics: existing }: ExistingTopics,
  options: PlanOptions,
): Change[] {
  if (owns === undefined) return [];
  return [...existing]
    .filter(([name, { isInternal }]) => !wanted.has(name) && !isInternal && owns(name))
    .map(([name, now]) => unnamed(options, (why) => deletion(name, now, why)));
}
