import { command, flag, list, one, toggle, type ValuesOf } from '../../cli/command.ts';
import { type Column, errorIfAny, tableOf } from '../../cli/forms/columns.ts';
import { outcomeFields, withOutcome } from '../../cli/forms/outcome.ts';
import type { Context } from '../../context.ts';
import { CliError, stoppedError, usageError, withHints } from '../../errors.ts';
import { grouped } from '../../format/count.ts';
import { durationToMs } from '../../format/duration.ts';
import { plainView, type View } from '../../format/view.ts';
import { RedrivenTopic } from '../../kafka/carry/redrive/redrive-rows.ts';
import type { RedriveTarget, Redriving } from '../../kafka/carry/redrive/request.ts';
import { int32Id, integer, type Kind, maxInt32, oneOf } from '../../kinds.ts';
import { listOf, row } from '../../shape/shape.ts';
import { groupOrPattern } from '../group-name.ts';
import { adviseTopic } from '../not-found.ts';
import { offsetText } from './offset-text.ts';
import { ratePerSecond } from './rate.ts';
import { conditionDecoding, conditionDecodingFlags } from './records/condition-decoding.ts';
import type { ConsumeFiltering } from './records/conditions.ts';
import { conditionFlags } from './records/flags.ts';
import { newTopicName, topicName } from './topic-name.ts';

const header = 'header:';

function topicOf(value: string): string {
  if (value.includes(':')) {
    throw new Error(
      'dead letters stay in their cluster: copy them to another one first, or use header:NAME for a header',
    );
  }
  return newTopicName.parse(value);
}

/** `origin`, `header:NAME` or a topic. The names of topics have no colon; one with the name `origin` cannot be named. */
const redriveTarget: Kind<RedriveTarget> = {
  name: 'destination',
  hint: 'origin|header:NAME|TOPIC',
  completes: 'topic',
  offers: ['origin', header],
  parse(value) {
    if (value === 'origin') return value;
    if (!value.startsWith(header)) return { topic: topicOf(value) };
    const name = value.slice(header.length);
    if (name === '') throw new Error('the name of the header after "header:" is missing');
    return { header: name };
  },
  show: (target) => (target === 'origin' ? target : 'header' in target ? `${header}${target.header}` : target.topic),
};

const args = { topic: one(topicName, 'DLQ', 'topic with the dead letters') };

const flags = {
  to: flag(redriveTarget, {
    help: 'destination: the topic named by the headers of a known framework, the one named by another header, or one topic for all',
    fallback: 'origin' as RedriveTarget,
  }),
  only: list(topicName, {
    help: 'topics that records may go to; others are left (default: every topic that the headers name, after a question)',
    splits: true,
  }),
  offset: flag(offsetText, {
    short: 'o',
    help: 'dead letters to read: -N (the last N of each partition), @-1h, N:M, … (default: everything in the topic now)',
  }),
  partitions: list(int32Id, { short: 'p', help: 'read only these partitions', splits: true }),
  num: flag(integer({ min: 1 }), { short: 'n', help: 'stop after N records' }),
  rate: flag(ratePerSecond, { help: 'records per second (default: as many as possible)' }),
  partitionsBy: flag(oneOf('choice', ['origin', 'key', 'same']), {
    help: 'partition in the destination: that of the origin, the one where clients look for the key, or the one with the same number as in the DLQ',
    fallback: 'origin' as const,
  }),
  ...conditionFlags,
  ...conditionDecodingFlags,
  maxAttempts: flag(integer({ min: 1, max: maxInt32 }), {
    help: 'leave records that have been put back this many times',
    fallback: 3,
  }),
  keepHeaders: toggle({ help: 'keep the error headers that the framework has added' }),
  group: flag(groupOrPattern, {
    short: 'g',
    help: 'group that remembers what was put back (default weir-redrive-DLQ)',
  }),
  restart: toggle({ help: 'start over: also put back what earlier runs have put back' }),
  exactlyOnce: toggle({ help: 'write in transactions that include the progress: not even kill -9 repeats a record' }),
};

const { error: _, ...redrivenFields } = RedrivenTopic.fields;
const redrivenRow = row({ ...redrivenFields, ...outcomeFields });

type RedriveValues = ValuesOf<typeof args & typeof flags>;

/** `topic redrive` */
export const redrive = command({
  summary: 'Put dead letters back to the topics that they came from',
  description: `Reads a dead letter queue and writes each record to the topic that its headers name. weir knows the
headers of Spring for Apache Kafka, Spring Cloud Stream, Kafka Connect, Kafka Streams, share groups, SmallRye
(Quarkus), Karafka and Watermill. The error headers are removed, and nothing else changes. The dead letters stay in
their topic.

Whoever can write to the queue chooses the topics, so weir shows them and asks first, unless --only or --to names
them.

A record that has no origin, or that the destination refuses, is left in the queue and reported. The exit code is that
of the reason (6, 3, …), or 1 if there are several.

Running the same command again sends nothing twice. A run that is killed can send the records of its last second
again, unless it uses --exactly-once. The header weir-redrive-count counts the rounds, and --max-attempts limits them.`,
  examples: [
    ['Preview where each record would go', 'topic redrive orders.DLT --dry-run'],
    ['Everything that came from these topics', 'topic redrive orders.DLT --only orders,payments'],
    ['Everything, each record exactly once', 'topic redrive orders.DLT --exactly-once'],
    [
      'Those of the last day that failed with a timeout',
      'topic redrive orders.DLT -o @-24h --contains TimeoutException',
    ],
    ['Only ten at first, one per second', 'topic redrive orders.DLT -n 10 --rate 1'],
    ['By a header of your own', 'topic redrive dead --to header:failed-in'],
    ['All to one topic', 'topic redrive dead --to orders --partitions-by key'],
  ],
  apis: ['kafka', 'registry'],
  args,
  flags,
  changes: 'destroys',
  namesAll: namesTopics,
  result: listOf(redrivenRow),
  plan: (context, values) => openRedrive(context, values, context),
  async confirm(context, values) {
    const isNamed = namesTopics(values);
    if (isNamed && (await context.config()).profile?.protected !== true) return null;
    // What it finds is counted and warned of in the run.
    const { redriving } = await openRedrive(context, values, { notice: () => undefined, warn: () => undefined });
    const rows = await redriving.dryRun();
    const sent = rows.filter(({ error }) => error === null);
    const records = sent.reduce((sum, one) => sum + one.records, 0);
    if (records === 0) return null;
    const topics = sent.map(({ destination }) => destination ?? '').join(', ');
    return {
      question: `Put back ${grouped(records, 'record')} to ${grouped(sent.length, 'topic')} (${topics})`,
      name: values.topic,
      preview: redrivenTable(rows, plainView),
      hints: isNamed ? [] : ['or name the topics that records may go to: --only TOPIC,…'],
    };
  },
  async dryRun(context, _values, { redriving, filter }) {
    const rows = await redriving.dryRun();
    summarize(context, { rows, redriving, filter });
    return rows.map((row) => withOutcome(row, true));
  },
  async run(context, _values, { redriving, filter }) {
    const progress = context.progress('redrive');
    progress.report({ done: 0, unit: 'records', total: redriving.offsets });
    let isStopped = false;
    const unregister = context.onStop(() => {
      isStopped = true;
      redriving.stop();
      return redriving.pending > 0 ? `finishing ${grouped(redriving.pending, 'record')}` : undefined;
    });
    context.onInterrupt(() => stoppedError('stopped before all dead letters were put back', [redriving.again]));
    try {
      const rows = await redriving.run((records) => progress.report({ done: records }));
      summarize(context, { rows, redriving, filter });
      if (isStopped) context.notice(`stopped early (${redriving.again})`);
      return rows.map((row) => withOutcome(row, false));
    } catch (error) {
      // After a signal it says why the run did not end well.
      if (error instanceof CliError) context.onInterrupt(error);
      throw error;
    } finally {
      unregister();
      progress.end();
    }
  },
  show: { text: redrivenTable },
});

function redrivenTable(rows: readonly RedrivenTopic[], view: View): string {
  const columns: readonly Column<RedrivenTopic>[] = [
    'topic',
    ['destination', (row) => row.destination ?? '-'],
    'records',
    ['first', ({ first }) => placeText(first)],
    ['last', ({ last }) => placeText(last)],
    errorIfAny(),
  ];
  return tableOf(rows, columns, view);
}

/** Whether the line says to which topics records may go. */
function namesTopics({ to, only }: Pick<RedriveValues, 'to' | 'only'>): boolean {
  return only.length > 0 || (typeof to === 'object' && 'topic' in to);
}

function placeText(place: RedrivenTopic['first']): string {
  return place === null ? '-' : `${place.partition}:${place.offset}`;
}

interface OpenRedrive {
  readonly redriving: Redriving;
  readonly filter: ConsumeFiltering | undefined;
}

async function openRedrive(
  context: Context,
  values: RedriveValues,
  { notice, warn }: Pick<Context, 'notice' | 'warn'>,
): Promise<OpenRedrive> {
  const { rangeToChange } = await import('../times.ts');
  const { consumeFiltering } = await import('./records/conditions.ts');
  if (values.group === '') throw usageError('--group is empty');
  if (values.only.length > 0 && typeof values.to === 'object' && 'topic' in values.to) {
    throw usageError('--only and --to TOPIC are mutually exclusive: --to TOPIC names the only topic');
  }
  const { start, end = { at: 'end' } } = rangeToChange({ host: context.host, notice }, values.offset ?? 'start');
  const unexplained = { ...values, explain: false };
  const decode = await conditionDecoding(context, { ...values, topics: [values.topic], regex: false });
  const filter = await consumeFiltering(context, unexplained, { decode, isEndless: false });
  const kafka = await context.kafka();
  const redriving = await kafka
    .redrive({
      topic: values.topic,
      to: values.to,
      only: values.only,
      partitions: values.partitions,
      range: { start, end },
      partitionsBy: values.partitionsBy,
      filter: filter && { ...filter, decode },
      most: values.num,
      perSecond: values.rate,
      maxAttempts: values.maxAttempts,
      keepsHeaders: values.keepHeaders,
      group: values.group,
      restarts: values.restart,
      isExactlyOnce: values.exactlyOnce,
      fetchMaxWaitMs: durationToMs((await context.config()).get('globals.fetch_max_wait')),
      warn,
    })
    .catch(async (error: unknown) => {
      throw withHeaderHint(await adviseTopic(error, context), values.to);
    });
  return { redriving, filter };
}

/** A destination that does not exist may be the name of a header. */
function withHeaderHint(error: unknown, to: RedriveTarget): unknown {
  if (!(error instanceof CliError) || error.code !== 'UNKNOWN_TOPIC_OR_PARTITION') return error;
  if (typeof to !== 'object' || !('topic' in to) || error.target !== to.topic) return error;
  const name = to.topic === 'header' ? 'NAME' : to.topic;
  return withHints(error, [`if a header has the topic, name it with --to header:${name}`]);
}

interface Ending extends OpenRedrive {
  readonly rows: readonly RedrivenTopic[];
}

/** Says what the rows do not. */
function summarize(context: Context, { rows, redriving: { unwanted }, filter }: Ending): void {
  if (unwanted > 0)
    context.notice(`${grouped(unwanted, 'record')} did not match and ${unwanted === 1 ? 'was' : 'were'} left`);
  if (rows.length === 0) context.notice('there is nothing to put back');
  for (const line of filter?.summary() ?? []) context.notice(line);
}
