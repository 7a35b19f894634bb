import type { Context } from '../../context.ts';
import { CliError, exitCodes, type ItemError } from '../../errors.ts';
import { count, grouped } from '../../format/count.ts';
import { excerpt } from '../../format/excerpt.ts';
import { shortList } from '../../format/name-lists.ts';
import { commandText } from '../../format/shell-word.ts';
import { showSize } from '../../format/size.ts';
import { showUtcTime } from '../../format/time.ts';
import { topicNameFault } from '../../format/topic-name-fault.ts';
import { erasedTogether } from '../../kafka/cluster/config-risk-words.ts';
import { hidesSource, ignoredKeys, isForbidden } from '../../kafka/cluster/topics/topic-config-words.ts';
import type { DescribedTopic, TopicCreation } from '../../kafka/cluster/topics/topic-rows.ts';
import { described, leftOut, type RowOf } from '../../shape/shape.ts';
import { byName, checked, emptyIfNull, fields, wholeFrom } from '../file/fields.ts';
import { removalFault, removalFields } from '../file/removal.ts';
import type { Difference } from '../plan/plan-rows.ts';
import { type Configs, compareConfigs, configChangesIn, configFacts, configsField, isSameValue } from './configs.ts';
import { type Change, factsOf, type Kind, kind, type PlanOptions, type Round, type Scope } from './kind.ts';
import { refused, unnamed } from './refusal.ts';
import { type Answer, errorsOf, inParts, type Sending } from './sending.ts';

const sizeFields = {
  partitions: leftOut(described(wholeFrom(1, 100_000), 'number of partitions; it is never made smaller')),
  replicas: leftOut(described(wholeFrom(1, 32_767), 'number of replicas of each partition; reported, not changed')),
  configs: checked(configsField, (configs = {}) =>
    Object.hasOwn(configs, 'replication.factor') ? 'write "replicas:" instead of replication.factor' : undefined,
  ),
} as const;

const defaultsShape = fields(sizeFields);
const topicShape = checked(emptyIfNull(fields({ ...sizeFields, ...removalFields })), removalFault);
const topicsShape = byName(topicShape, (name) => {
  const fault = topicNameFault(name);
  return fault === undefined ? undefined : `this is no name of a topic: ${fault}`;
});

type TopicEntry = RowOf<typeof topicShape>;

interface WantedTopic extends TopicEntry {
  readonly name: string;
  readonly way: readonly string[];
}

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
  /** The number of brokers that are up, if this is Redpanda, which does not look at it before a topic is created. */
  readonly redpandaBrokers: number | undefined;
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
    things({ name, way, absent, configs, partitions, replicas }, { topics: existing }) {
      if (absent === true) return [];
      const now = existing.get(name);
      const size = { partitions: partitions ?? now?.partitions, replicas: replicas ?? now?.replicas };
      return [{ way, fields: factsOf({ name, ...size, configs: configFacts(now?.values, configs) }) }];
    },
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
      isRedpanda ? kafka.clusterInfo('none') : undefined,
    ]);
    const existing = described.filter(({ summary: { error } }) => error?.exit_code !== exitCodes.notFound);
    return {
      topics: new Map(existing.map((topic) => [topic.summary.name, existingTopic(topic)])),
      redpandaBrokers: info?.brokers.length,
    };
  },

  notices: ({ wanted }, { topics: existing, redpandaBrokers }) =>
    redpandaBrokers === undefined
      ? []
      : noticesOf([...wanted.values()].flatMap(({ name, configs = {} }) => ignoredIn(configs, existing.get(name)))),

  compare(scope, existing, options) {
    const named = [...scope.wanted.values()].flatMap((topic) => compareTopic(topic, existing, options));
    return [...named, ...unnamedTopics(scope, existing, options)];
  },

  order: ({ action }) => (action === 'delete' ? 140 : 20),

  async apply(context, round, sending) {
    const kafka = await context.kafka();
    await sendTopics(round, sending, {
      create: reporting(context, kafka.createTopics),
      grow: kafka.addPartitions,
      alter: async (names, changesOf) => kafka.alterConfigs(await kafka.planConfigs(names, changesOf), changesOf),
    });
    const deleted = round.changes.filter(({ action }) => action === 'delete').map(({ name }) => name);
    for (const part of inParts(deleted, mostDeleted)) await sending.send(part, String, errorsOf(kafka.deleteTopics));
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
      create: reporting(context, kafka.validateTopics),
      grow: kafka.validateGrowth,
      alter: (names, changesOf) =>
        kafka.validateConfigs(
          names.map((topic) => ({ topic, changes: [], ignored: [] })),
          changesOf,
        ),
    });
  },

  judge: judgeDeletions,
});

function unreadTopic(name: string, { code, message, exit_code: exitCode }: ItemError): CliError {
  return new CliError(exitCode, `unable to read topic "${excerpt(name)}": ${message}`, { code, target: name });
}

/** A request that creates topics, and reports the configs that have no effect. */
function reporting<C>(
  context: Context,
  create: (call: C) => Promise<readonly { readonly ignored: readonly string[]; readonly error: ItemError | null }[]>,
) {
  return async (call: C) => {
    const rows = await create(call);
    for (const notice of noticesOf(rows.flatMap(({ ignored }) => ignored))) context.noticeAfter(notice);
    return rows;
  };
}

function noticesOf(ignored: readonly string[]): readonly string[] {
  return [...new Set(ignored)].map((key) => `the cluster ignores ${key}`);
}

/** The configs that Redpanda does not have: it takes them without an effect, or would refuse them. */
function ignoredIn(configs: Configs, now: ExistingTopic | undefined): readonly string[] {
  if (now === undefined || now.error !== null) return [];
  const keys = Object.entries(configs).flatMap(([key, value]) => (value === null ? [] : [key]));
  return ignoredKeys(keys, now.values);
}

function existingTopic({ summary, configs: all, configs_error: configsError }: DescribedTopic): ExistingTopic {
  const configs = all.filter(({ key, value }) => !isForbidden(key, value));
  const set = configs.filter(({ source }) => source === 'DYNAMIC_TOPIC_CONFIG');
  return {
    partitions: summary.partitions,
    replicas: summary.replicas,
    isInternal: summary.internal,
    set: new Map(set.flatMap(({ key, value }) => (value === null ? [] : [[key, value] as const]))),
    values: new Map(configs.map(({ key, value }) => [key, value] as const)),
    error: summary.error ?? configsError ?? null,
  };
}

function compareTopic(
  topic: WantedTopic,
  { topics: existing, redpandaBrokers }: ExistingTopics,
  { strict }: PlanOptions,
): Change[] {
  const { name, absent = false, because = null } = topic;
  const now = existing.get(name);
  const row = { kind: 'topic', name, changes: [], risk: 'none' as const, why: null };
  if (now?.error != null)
    return [{ ...row, action: 'blocked', why: now.error.message, error: now.error, isUnread: true }];
  if (absent) return now === undefined ? [] : [deletion(name, now, because)];
  if (now?.isInternal === true)
    return [refused({ ...row, action: 'blocked', why: 'it is an internal topic, which the brokers manage' })];
  if (now === undefined) return [creation(topic, redpandaBrokers)];
  const configs = compareConfigs(topic.configs ?? {}, now.set, strict);
  const isRedpanda = redpandaBrokers !== undefined;
  return changesOf(topic, now, isRedpanda, isRedpanda ? configs.filter((change) => isShown(change, now)) : configs);
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
    const way = commandText`replicas are moved with: weir topic reassign plan ${name} --replicas ${String(replicas)}`;
    if (isRedpanda) changes.push(change);
    else rows.push(blocked(change, way));
  }
  changes.push(...configs);
  return changes.length === 0 ? rows : [update(name, now, changes), ...rows];
}

/** Whether Redpanda shows what a config is, so that setting it makes a difference. */
function isShown({ path, to }: Difference, { values }: ExistingTopic): boolean {
  const key = path.slice('configs.'.length);
  if (to === null) return true;
  const now = values.get(key);
  return now !== undefined && !(hidesSource(key, to) && isSameValue(key, now, to));
}

function sizeDifference(path: string, from: number | null, to: number): Difference {
  return { path, from: from === null ? null : String(from), to: String(to) };
}

function creation({ name, partitions, replicas, configs = {} }: WantedTopic, brokers = Infinity): Change {
  return {
    kind: 'topic',
    name,
    action: 'create',
    changes: [
      ...(partitions === undefined ? [] : [sizeDifference('partitions', null, partitions)]),
      ...(replicas === undefined ? [] : [sizeDifference('replicas', null, replicas)]),
      ...compareConfigs(configs, new Map(), false),
    ],
    risk: 'none',
    why:
      replicas !== undefined && replicas > brokers ? `${count(brokers, 'broker')} of ${replicas} that it needs` : null,
  };
}

function update(name: string, now: ExistingTopic, changes: readonly Difference[]): Change {
  const erased = erasedTogether(
    configChangesIn(changes).map(({ key, value }) => ({ key, before: now.values.get(key), after: value })),
  );
  return {
    kind: 'topic',
    name,
    action: 'update',
    changes,
    risk: erased === undefined ? 'none' : 'records',
    why: erased === undefined ? null : `can erase ${erased}`,
  };
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

type TopicRound = Round<WantedTopic, ExistingTopics>;

function creationsOf({ changes, scope }: TopicRound): TopicCreation[] {
  return changes
    .filter(({ action }) => action === 'create')
    .map(({ name: topic }) => {
      const { partitions = -1, replicas = -1, configs = {} } = scope.wanted.get(topic) ?? {};
      const set = Object.entries(configs).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
      return { topic, partitions, replicas, configs: set };
    });
}

/** Kafka's controller refuses a request that would write more than 10,000 records: topics, partitions and configs. */
const mostRecords = 9000;
/** Partitions of a topic that gets as many as the cluster has as default, for the number of records: clouds have up to 6. */
const guessedPartitions = 10;
/** The most topics in one deletion: Ctrl-C does not wait for more. */
const mostDeleted = 1000;

/** The requests that make changes of topics, or check them. */
interface TopicRequests {
  create(call: { readonly topics: readonly TopicCreation[]; readonly ifNotExists: false }): Answer;
  grow(growths: readonly Growth[]): Answer;
  alter(names: readonly string[], changesOf: (topic: string) => ReturnType<typeof configChangesIn>): Answer;
}

/** Sends all that creates topics and changes their partitions and configs. */
async function sendTopics(round: TopicRound, { send }: Sending, requests: TopicRequests): Promise<void> {
  const recordsOf = ({ partitions, configs }: TopicCreation) =>
    (partitions > 0 ? partitions : guessedPartitions) + configs.length + 1;
  const creations = errorsOf((topics: readonly TopicCreation[]) => requests.create({ topics, ifNotExists: false }));
  for (const part of inParts(creationsOf(round), mostRecords, recordsOf)) await send(part, topicOf, creations);
  const added = (one: Growth) => one.new_partitions - (one.old_partitions ?? 0);
  for (const part of inParts(growthsOf(round), mostRecords, added)) await send(part, topicOf, errorsOf(requests.grow));
  const { names, changesOf } = configChangesOf(round);
  const alterations = errorsOf((topics: readonly string[]) => requests.alter(topics, changesOf));
  for (const part of inParts(names, mostRecords, (name) => changesOf(name).length))
    await send(part, String, alterations);
}

function topicOf({ topic }: { readonly topic: string }): string {
  return topic;
}

type Growth = ReturnType<typeof growthsOf>[number];

function growthsOf({ changes, existing }: TopicRound) {
  return changes
    .filter(({ action }) => action === 'update')
    .flatMap(({ name: topic, changes: differences }) => {
      const to = differences.find(({ path }) => path === 'partitions')?.to;
      const old = existing.topics.get(topic)?.partitions ?? null;
      return to == null ? [] : [{ topic, old_partitions: old, new_partitions: Number(to) }];
    });
}

function configChangesOf({ changes }: TopicRound) {
  const byTopic = new Map(
    changes
      .filter(({ action }) => action === 'update')
      .map(({ name, changes: differences }) => [name, configChangesIn(differences.map(replicasAsConfig))] as const)
      .filter(([, configs]) => configs.length > 0),
  );
  return { names: [...byTopic.keys()], changesOf: (topic: string) => byTopic.get(topic) ?? [] };
}

/** Redpanda changes the number of replicas by a config. */
function replicasAsConfig(change: Difference): Difference {
  return change.path === 'replicas' ? { ...change, path: 'configs.replication.factor' } : change;
}

/** Says what a deletion takes away, and refuses that of a topic that is read. */
async function judgeDeletions(
  context: Context,
  { changes }: TopicRound,
  { force }: PlanOptions,
): Promise<readonly Change[]> {
  const names = changes.filter(({ action }) => action === 'delete').map(({ name }) => name);
  if (names.length === 0) return changes;
  const kafka = await context.kafka();
  const call = { topics: names, regex: false, configs: false, partitions: true, stable: false, sizes: true };
  const [topicRows, writes, readers] = await Promise.all([
    kafka.describeTopics(call),
    // Brokers before Kafka 3.0 cannot say it.
    kafka.lastWrites(names).catch(() => new Map<string, number>()),
    readersOf(context),
  ]);
  const contents = new Map(
    topicRows.map((topic) => [topic.summary.name, contentsOf(topic, writes.get(topic.summary.name))]),
  );
  return changes.map((change): Change => {
    if (change.action !== 'delete') return change;
    const groups = readers(change.name);
    const whys = [change.why, contents.get(change.name), groups.length > 0 && `read by ${shortList(groups)}`];
    const why = whys.filter(Boolean).join('; ');
    if (groups.length === 0 || force) return { ...change, why };
    return refused({ ...change, action: 'blocked', why: `${why}; --force deletes it` });
  });
}

function contentsOf({ partitions, sizes = [] }: DescribedTopic, lastWrite: number | undefined): string {
  const records = partitions.reduce((sum, one) => sum + (one.records ?? 0n), 0n);
  const bytes = sizes.reduce((sum, one) => sum + (one.bytes ?? 0n), 0n);
  const write = lastWrite === undefined ? '' : `, last write ${showUtcTime(lastWrite - (lastWrite % 1000))}`;
  return `${grouped(Number(records), 'record')}, ${showSize(Number(bytes))}${write}`;
}

/** The groups with members that read a topic. */
async function readersOf(context: Context): Promise<(topic: string) => readonly string[]> {
  const groups = await (await context.kafka()).describeGroups({ groups: ['.*'], regex: true });
  const byTopic = new Map<string, string[]>();
  for (const { group, partitions } of groups)
    for (const topic of new Set(partitions.filter((one) => one.member_id !== null).map((one) => one.topic)))
      byTopic.set(topic, [...(byTopic.get(topic) ?? []), group]);
  return (topic) => byTopic.get(topic) ?? [];
}
