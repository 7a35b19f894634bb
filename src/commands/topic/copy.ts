import { command, flag, list, many, one, toggle, type ValuesOf } from '../../cli/command.ts';
import { type Column, errorIfAny, tableOf } from '../../cli/forms/columns.ts';
import { type Outcome, outcomeFields, withOutcome } from '../../cli/forms/outcome.ts';
import type { Context, Progress } from '../../context.ts';
import { CliError, exitCodeOfItems, rephrased, stoppedError, usageError } from '../../errors.ts';
import { grouped } from '../../format/count.ts';
import { durationToMs } from '../../format/duration.ts';
import { sections } from '../../format/sections.ts';
import { showSize } from '../../format/size.ts';
import type { View } from '../../format/view.ts';
import { CopiedTopic, TranslatedOffset } from '../../kafka/carry/copy/copy-rows.ts';
import type { Copying, CopyRequest } from '../../kafka/carry/copy/request.ts';
import type { SchemaMapping } from '../../kafka/carry/copy/schemas.ts';
import type { OffsetRange } from '../../kafka/streams/consume/offset-words.ts';
import { int32Id, type Kind, oneOf } from '../../kinds.ts';
import { listOf, row } from '../../shape/shape.ts';
import { groupName, groupOrPattern } from '../group-name.ts';
import { adviseTopic } from '../not-found.ts';
import { chosenTopics } from './chosen-topics.ts';
import { offsetText } from './offset-text.ts';
import { conditionDecoding, conditionDecodingFlags } from './records/condition-decoding.ts';
import type { ConsumeFiltering } from './records/conditions.ts';
import { conditionFlags } from './records/flags.ts';
import { checkTopicNames } from './topic-name.ts';

/** A topic of a profile; without one, of the profile of the command. */
interface CopyPlace {
  readonly profile: string | undefined;
  /** '' for topics of the same names. */
  readonly topic: string;
}

/** `[PROFILE:]TOPIC`, or `PROFILE:` alone. The names of topics have no colon, and patterns only that of a group. */
const copyPlace: Kind<CopyPlace> = {
  name: 'place of a topic',
  hint: '[PROFILE:]TOPIC',
  completes: 'place',
  parse(value) {
    const colon = value.replaceAll('(?:', '(? ').lastIndexOf(':');
    const profile = colon < 0 ? undefined : value.slice(0, colon);
    if (profile === '') throw new Error('the name of the profile before ":" is missing');
    return { profile, topic: value.slice(colon + 1) };
  },
  show: ({ profile, topic }) => (profile === undefined ? topic : `${profile}:${topic}`),
};

const groupOrAll: Kind<string> = { ...groupName, offers: ['all'] };

const args = {
  topic: one(copyPlace, 'TOPIC', 'topic to copy, after PROFILE: if it is in the cluster of another profile'),
  places: many(
    copyPlace,
    'DESTINATION',
    'more topics, and at the end the destination: a topic, or PROFILE: to keep the names',
  ),
};

const flags = {
  offset: flag(offsetText, {
    short: 'o',
    help: 'range to copy (default: everything in the topic now); after an earlier copy, only an end is allowed',
  }),
  partitions: list(int32Id, { short: 'p', help: 'copy only these partitions of every topic', splits: true }),
  regex: toggle({
    short: 'r',
    help: 'treat topics as regular expressions that match whole names; they keep their names',
  }),
  follow: toggle({ help: 'keep copying new records until interrupted' }),
  exactlyOnce: toggle({ help: 'write in transactions that include the progress: not even kill -9 repeats a record' }),
  partitionsBy: flag(oneOf('choice', ['same', 'key']), {
    help: 'partition in the destination: the one with the same number, or the one where clients look for the key',
    fallback: 'same' as const,
  }),
  ...conditionFlags,
  ...conditionDecodingFlags,
  mapSchemas: list(oneOf('field', ['key', 'value']), {
    help: "register the schemas of keys and values (or only key or value) in the destination's registry, and use its ids",
    bare: 'key,value',
    splits: true,
  }),
  group: flag(groupOrPattern, {
    short: 'g',
    help: 'share the partitions with other processes that name the same group',
  }),
  offsets: list(groupOrAll, {
    help: 'at the end, commit the offsets at which these groups continue in the destination; all means every group of the topics',
    splits: true,
  }),
  create: toggle({ help: 'create a missing destination with the partitions and configs of its source' }),
  append: toggle({ help: 'allow a destination that already has records from elsewhere' }),
  restart: toggle({ help: 'start over: also copy what earlier copies have copied' }),
};

const { error: _, ...copiedFields } = CopiedTopic.fields;
const copiedRow = row({ ...copiedFields, offsets: listOf(TranslatedOffset), ...outcomeFields });

type CopyValues = ValuesOf<typeof args & typeof flags> & { readonly dryRun: boolean };

/** `topic copy` */
export const copy = command({
  summary: 'Copy topics, within a cluster or to another one',
  description: `Copies the records of a topic with their keys, values, headers, timestamps, partitions and order, up
to the last record that was in the topic when the copy began; --follow goes on. Running the same command again
continues where the copy stopped, also after Ctrl-C. A run that is killed can write the records of its last second
again, unless it uses --exactly-once.

PROFILE: before a topic names the profile of its cluster; other topics are in the cluster of the command. To copy
several topics to another cluster under the same names, use PROFILE: alone as DESTINATION.

--where and the other conditions choose records (see weir help where), --map-schemas takes their schemas to another
registry, and --offsets moves consumer groups to the same records; stop their members first. The destination assigns
its own offsets. The guide docs/guides/copy.md says more about each.`,
  examples: [
    ['Everything that is in a topic now', 'topic copy orders orders-copy'],
    ['From the cluster of one profile to that of another', 'topic copy prod:orders staging:orders'],
    ['Several topics, under the same names', 'topic copy orders payments staging:'],
    ['All topics that begin with pay', "topic copy -r 'pay.*' staging: --create"],
    ['Keep a copy up to date, each record exactly once', 'topic copy orders staging:orders --follow --exactly-once'],
    [
      'Share the work with other processes that run the same command',
      'topic copy orders staging:orders -g mirror --exactly-once',
    ],
    ['Only what failed', 'topic copy orders failed --create --where \'value.status == "FAILED"\''],
    ['With the schemas, to a cluster with another registry', 'topic copy orders staging:orders --map-schemas=value'],
    ['Move a consumer group to another cluster', 'topic copy orders staging:orders --offsets billing'],
    ['Preview how much would be copied', 'topic copy orders staging:orders --dry-run'],
  ],
  apis: ['kafka', 'registry'],
  args,
  flags,
  changes: 'creates',
  guarded: 'if --restart or --append is given, because it can write records a second time',
  result: listOf(copiedRow),
  plan: openCopying,
  confirm(_context, { restart, append }, { copying: { planned }, to }) {
    if (!restart && !append) return null;
    const topics = planned.map(({ destination }) => destination);
    const places = `${grouped(topics.length, 'topic')} (${topics.join(', ')})`;
    return {
      question: restart
        ? `Copy to ${places} again what earlier copies have copied`
        : `Copy to ${places} although records may be there already`,
      name: topics[0] ?? '',
      at: to,
    };
  },
  async dryRun(context, _values, { copying, filter }) {
    const rows = withOffsets(copying.planned, await copying.translateOffsets(true));
    if (filter !== undefined) context.notice('the dry run counts all records: it does not test the conditions');
    return rows.map((row) => withOutcome(row, true));
  },
  async run(context, values, { copying, filter }) {
    const progress = startProgress(context, values, copying);
    let isStopped = false;
    const unregister = context.onStop(() => {
      isStopped = true;
      copying.stop();
      return copying.pending > 0 ? `finishing ${grouped(copying.pending, 'record')}` : undefined;
    });
    context.onInterrupt(() => stoppedError('stopped before all records were copied', [copying.again]));
    try {
      const rows = await copying.run((records) => progress.report({ done: records }));
      const isWhole = rows.every(({ error }) => error === null);
      progress.end();
      const offsets = isWhole ? await copying.translateOffsets(false) : [];
      if (isStopped && !values.follow) context.notice(`stopped early (${copying.again})`);
      return withOffsets(rows, offsets).map((row) => withOutcome(row, false));
    } catch (error) {
      // After a signal it says why the run did not end well.
      if (error instanceof CliError) context.onInterrupt(error);
      throw error;
    } finally {
      unregister();
      progress.end();
      for (const line of filter?.summary() ?? []) context.notice(line);
    }
  },
  show: {
    text(rows, view, { topic, places }) {
      const profiles = { from: topic.profile, to: places.at(-1)?.profile };
      const topics = { title: 'topics', body: topicTable(rows, view, profiles) };
      const offsets = rows.flatMap((row) => row.offsets);
      return offsets.length === 0
        ? topics.body
        : sections([topics, { title: 'groups', body: tableOf(offsets, offsetColumns, view) }], view);
    },
    exitCode: (rows) =>
      exitCodeOfItems(rows.flatMap(({ error, offsets }) => [error, ...offsets.map((offset) => offset.error)])),
  },
});

type CopiedRow = CopiedTopic & { readonly offsets: readonly TranslatedOffset[] };

function withOffsets(rows: readonly CopiedTopic[], offsets: readonly TranslatedOffset[]): readonly CopiedRow[] {
  return rows.map((row) => ({ ...row, offsets: offsets.filter(({ topic }) => topic === row.topic) }));
}

/** In text, topics are named as on the command line. */
function topicTable(rows: readonly (CopiedRow & Outcome)[], view: View, { from, to }: Sides['profiles']): string {
  const columns: readonly Column<CopiedRow & Outcome>[] = [
    ['topic', ({ topic }) => copyPlace.show({ profile: from, topic })],
    ['destination', ({ destination }) => copyPlace.show({ profile: to, topic: destination })],
    'partitions',
    'records',
    ['size', (row) => (row.bytes === null ? '-' : showSize(row.bytes)), (all) => all.some((row) => !row.dry_run)],
    errorIfAny(),
  ];
  return tableOf(rows, columns, view);
}

const offsetColumns: readonly Column<TranslatedOffset>[] = [
  'group',
  'topic',
  'partition',
  'source_offset',
  ['prior offset', (row) => row.prior_offset ?? '-'],
  ['offset', (row) => row.offset ?? '-'],
  errorIfAny(),
];

interface OpenCopy {
  readonly copying: Copying;
  /** The context of the destination. */
  readonly to: Context;
  readonly filter: ConsumeFiltering | undefined;
}

async function openCopying(context: Context, values: CopyValues): Promise<OpenCopy> {
  const { rangeToChange } = await import('../times.ts');
  const { consumeFiltering } = await import('./records/conditions.ts');
  checkGroup(values);
  const { topics, target, from, to, profiles } = sidesOf(context, values);
  const range = rangeToChange(context, values.offset ?? 'start');
  checkRange(values, range);
  const unexplained = { ...values, explain: false };
  const decode = await conditionDecoding(from, { ...values, topics });
  const filter = await consumeFiltering(context, unexplained, { decode, isEndless: values.follow });
  const schemas = values.mapSchemas.length === 0 ? undefined : await mappingOf({ from, to }, values);
  // In the order of the line: either may ask for a password.
  const kafka = await from.kafka();
  const names = values.regex ? await chosenTopics(from, { topics, regex: true }, 'copy topics') : topics;
  if (values.group !== undefined && names.length > 1) {
    throw usageError('--group shares the partitions of one topic: copy the topics one at a time');
  }
  const request: CopyRequest = {
    target: { client: (await to.kafka()).client, profile: profiles.to },
    profile: profiles.from,
    topics: names.map((source) => ({ source, target: target || source })),
    partitions: values.partitions,
    range: { start: range.start, end: values.follow ? undefined : (range.end ?? { at: 'end' }) },
    // Only an end leaves open where to begin.
    hasStart: values.offset !== undefined && !/^@?:/.test(values.offset) && !values.restart,
    restarts: values.restart,
    appends: values.append,
    group: values.group,
    filter: filter && { ...filter, decode },
    schemas,
    onForeignIds: schemas === undefined ? await warningOfIds(context, { from, to }) : undefined,
    creates: values.create,
    isDry: values.dryRun,
    isExactlyOnce: values.exactlyOnce,
    isByKey: values.partitionsBy === 'key',
    groups: values.offsets.includes('all') ? 'all' : values.offsets,
    fetchMaxWaitMs: durationToMs((await from.config()).get('globals.fetch_max_wait')),
    warn: context.warn,
    notice: context.notice,
  };
  const profile = values.create ? await profileAsTopic(context, values) : undefined;
  if (profile !== undefined) context.warn(`"${profile}" is a topic here; its profile would be ${profile}:`);
  const copying = await kafka.copyTopics(request).catch(async (error: unknown) => {
    throw await adviseProfile(await adviseTopic(error, from), context, values);
  });
  return { copying, to, filter };
}

function checkGroup(values: CopyValues): void {
  if (values.group === '') throw usageError('--group is empty');
  if (values.group !== undefined && values.restart) {
    throw usageError('--group and --restart are mutually exclusive: use the name of a new group');
  }
}

function checkRange(values: CopyValues, range: OffsetRange): void {
  if (values.follow && range.end !== undefined) {
    throw usageError('--follow and --offset with an end are mutually exclusive');
  }
  if (values.offsets.length > 0 && values.partitionsBy === 'key') {
    throw usageError('--offsets and --partitions-by key are mutually exclusive: a partition gets records of several');
  }
}

/** A destination that does not exist may be the name of a profile, without the colon. */
async function adviseProfile(error: unknown, context: Context, values: CopyValues): Promise<unknown> {
  if (!(error instanceof CliError) || error.code !== 'UNKNOWN_TOPIC_OR_PARTITION') return error;
  const profile = await profileAsTopic(context, values);
  if (profile === undefined || error.target !== profile) return error;
  const hint = `to copy to the cluster of the profile "${profile}", write a colon after it: ${profile}:`;
  return rephrased(error, error.message, { hints: [hint, ...error.hints] });
}

/** The destination, if it is a topic in the cluster of the command, but there is a profile with its name. */
async function profileAsTopic(context: Context, { places }: CopyValues): Promise<string | undefined> {
  const { topic = '', profile } = places.at(-1) ?? {};
  if (topic === '' || profile !== undefined) return undefined;
  const { names } = await (await context.profiles()).names();
  return names.includes(topic) ? topic : undefined;
}

async function mappingOf({ from, to }: Pick<Sides, 'from' | 'to'>, values: CopyValues): Promise<SchemaMapping> {
  if (from === to) {
    throw usageError('--map-schemas needs two registries: name the profile of one side, as in PROFILE:TOPIC');
  }
  const { schemaMapping } = await import('./records/mapped-schemas.ts');
  return schemaMapping(from, to, { ...values, fields: [...new Set(values.mapSchemas)] });
}

/** Warns once of schema ids that the destination's registry does not know; undefined if both sides use one registry. */
async function warningOfIds(
  context: Context,
  { from, to }: Pick<Sides, 'from' | 'to'>,
): Promise<CopyRequest['onForeignIds']> {
  if (from === to || (await sharesRegistry(from, to))) return undefined;
  let isWarned = false;
  return (topic, fields) => {
    if (isWarned) return;
    isWarned = true;
    context.warn(
      `the ${fields.join('s and ')}s of topic "${topic}" seem to start with schema ids, which another registry does not ` +
        `know: map them with --map-schemas=${fields.join()}`,
    );
  };
}

/** Whether two profiles name the same registry, or the same brokers where one of them names none. */
async function sharesRegistry(from: Context, to: Context): Promise<boolean> {
  const configs = [await from.config(), await to.config()];
  const areKnown = configs.every((config) => config.setting('registry.hosts').source !== 'default');
  const [source, target] = configs.map((config) => JSON.stringify(config.get(areKnown ? 'registry.hosts' : 'brokers')));
  return source === target;
}

interface Sides {
  /** The topics of the source, or patterns. */
  readonly topics: readonly string[];
  /** The topic of the destination; '' for the names of the source. */
  readonly target: string;
  readonly from: Context;
  readonly to: Context;
  /** The profiles that the line names. */
  readonly profiles: { readonly from: string | undefined; readonly to: string | undefined };
}

/** Which topics are copied to which, and the contexts of both clusters. */
function sidesOf(context: Context, { topic, places, regex }: CopyValues): Sides {
  const all = [topic, ...places];
  const destination = all[all.length - 1] as CopyPlace;
  const sources = all.slice(0, -1);
  const [from, ...others] = new Set(sources.map(({ profile }) => profile));
  if (others.length > 0)
    throw usageError('the topics are in the clusters of several profiles: copy those of one at a time');
  checkPlaces(sources, destination, regex);
  const to = destination.profile;
  const source = from === undefined ? context : context.ofProfile(from);
  const target = to === undefined ? context : to === from ? source : context.ofProfile(to);
  const topics = [...new Set(sources.map((one) => one.topic))];
  return { topics, target: destination.topic, from: source, to: target, profiles: { from, to } };
}

function checkPlaces(sources: readonly CopyPlace[], destination: CopyPlace, regex: boolean): void {
  const [nameless] = sources.filter((source) => source.topic === '');
  if (nameless?.profile !== undefined) throw usageError(`"${nameless.profile}:" names no topic to copy`);
  const keepsNames = destination.profile !== undefined && destination.topic === '';
  if (regex && !keepsNames)
    throw usageError('with --regex, the last argument is PROFILE: alone, where topics keep their names');
  if (!regex) {
    checkTopicNames(
      sources.map((source) => source.topic),
      ['copy the topics that match a regular expression with: --regex'],
    );
    if (!keepsNames) checkTopicNames([destination.topic]);
  }
  if (sources.length > 1 && destination.topic !== '') {
    throw usageError('several topics cannot be copied to one', {
      hints: ['copy them to the cluster of another profile, under their names: end the line with PROFILE:'],
    });
  }
}

function startProgress(context: Context, { follow }: CopyValues, { planned }: Copying): Progress {
  const progress = context.progress('copy');
  const total = planned.reduce((sum, { records }) => sum + records, 0);
  progress.report({ done: 0, unit: 'records', ...(follow ? {} : { total }) });
  return progress;
}
