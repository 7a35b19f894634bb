import { command, flag, list, optional, type ValuesOf } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { type Column, columnTable, errorColumn } from '../../format/columns.ts';
import { count } from '../../format/count.ts';
import { shortList } from '../../format/named.ts';
import { plainView, type View } from '../../format/view.ts';
import {
  type TrimPoint,
  type TrimRow,
  type TrimTarget,
  trimmedPartition,
} from '../../kafka/cluster/topics/topic-rows.ts';
import { int32Id, path } from '../../kinds.ts';
import { listOf, row, truth } from '../../shape/shape.ts';
import { placeText } from './offset-text.ts';
import { readPartitionFile } from './partition-file.ts';
import { checkTopicNames, topicOrPattern } from './topic-name.ts';

const args = { topic: optional(topicOrPattern, 'TOPIC', 'name of the topic') };
const flags = {
  offset: flag(placeText, { short: 'o', help: 'the offset to start from: N, end, @TIME, +N or -N' }),
  partitions: list(int32Id, {
    short: 'p',
    splits: true,
    help: 'partitions, separated by commas (default: all)',
  }),
  fromFile: flag(path, {
    short: 'f',
    help: 'read topics, partitions and offsets from a file, or from stdin with "-"',
  }),
};

/** `topic trim-prefix` */
export const trimPrefix = command({
  summary: 'Delete the oldest records of partitions',
  description: `Deletes all records before an offset, so that the partitions start there. OFFSET is a number, end (all records),
@TIME (the records before TIME), +N (the first N records) or -N (all but the last N records); weir help offsets lists
the forms of TIME, which must not be in the future. Shows the plan before it asks, and deletes exactly what the plan
shows.

A file has lines of TOPIC PARTITION OFFSET, or a JSON or YAML list of objects with the keys topic, partition and offset.
The topic may be left out if it is given as an argument.`,
  examples: [
    ['The records of a partition before offset 100', 'topic trim-prefix orders -o 100 -p 0'],
    ['Show what is older than a day', 'topic trim-prefix orders -o @-24h --dry-run'],
    ['Everything, without a prompt', 'topic trim-prefix orders -o end --yes'],
    ['The partitions and offsets of a file', 'topic trim-prefix --from-file trim.txt'],
  ],
  aliases: ['trim'],
  apis: ['kafka'],
  args,
  flags,
  changes: 'destroys',
  result: listOf(row({ ...trimmedPartition.fields, dry_run: truth })),
  plan: async (context, values) => (await context.kafka()).planTrim(await targetsOf(context, values)),
  confirm(_context, _values, plan) {
    const records = recordsIn(plan);
    const topics = [...new Set(plan.map(({ topic }) => topic))];
    const question = `Delete ${records} ${records === 1n ? 'record' : 'records'} of ${count(plan.length, 'partition')} (${shortList(topics)})`;
    return {
      question,
      name: topics.length === 1 ? String(topics[0]) : count(topics.length, 'topic'),
      preview: planText(plan, plainView),
    };
  },
  dryRun: (_context, _values, plan) => plan.map((row) => ({ ...row, dry_run: true })),
  async run(context, _values, plan) {
    const rows = await (await context.kafka()).trim(plan);
    return rows.map((row) => ({ ...row, dry_run: false }));
  },
  show: {
    text: (rows, view, { dryRun }) => (dryRun ? planText(rows, view) : resultText(rows, view)),
    wide: (rows, view) => planText(rows, view),
  },
});

async function targetsOf(
  context: Context,
  request: ValuesOf<typeof args & typeof flags>,
): Promise<readonly TrimTarget[]> {
  const { topic, offset, partitions, fromFile } = request;
  if (topic !== undefined) checkTopicNames([topic]);
  if (fromFile !== undefined) {
    if (offset !== undefined || partitions.length > 0)
      throw usageError('--from-file cannot be combined with --offset or --partitions', { target: '--from-file' });
    const form = { flag: '--from-file', offsets: 'numbers', topic } as const;
    return (await readPartitionFile(context, fromFile, form)).map(({ offset, ...place }) => ({
      ...place,
      to: { at: 'exact', offset: offset ?? 0n },
    }));
  }
  if (topic === undefined) throw usageError('TOPIC is missing', { hints: ['name a topic, or use --from-file'] });
  if (offset === undefined) throw usageError('missing flag --offset', { hints: ['use --offset, or --from-file'] });
  const to = await pointOf(context, offset);
  const chosen: readonly (number | undefined)[] = partitions.length === 0 ? [undefined] : [...new Set(partitions)];
  return chosen.map((partition) => ({ topic, partition, to }));
}

async function pointOf(context: Context, offset: string): Promise<TrimPoint> {
  const { rangeToChange } = await import('../moment.ts');
  const { start, end } = rangeToChange(context, offset);
  if (end === undefined && start.at !== 'start') return start;
  throw usageError(`invalid offset "${offset}": one offset is needed, from which the partitions start`, {
    target: 'offset',
    hints: ['use N, end, @TIME, +N or -N'],
  });
}

/** The number of offsets that a plan removes. */
function recordsIn(rows: readonly TrimRow[]): bigint {
  return rows.reduce((sum, { prior_start_offset: old, new_start_offset: start }) => {
    return old === null || start === null ? sum : sum + start - old;
  }, 0n);
}

const partition: readonly Column<TrimRow>[] = [
  ['topic', ({ topic }) => topic],
  ['partition', (row) => row.partition],
];
const after: Column<TrimRow> = ['new start offset', (row) => row.new_start_offset];

/** The offsets before and after, with a column ERROR if a row has one. */
function planText(rows: readonly TrimRow[], view: View): string {
  const before: Column<TrimRow> = ['prior start offset', (row) => row.prior_start_offset];
  return columnTable(rows, [...partition, before, after, errorColumn(rows)], view);
}

/** What was done, in rpk's columns. */
function resultText(rows: readonly TrimRow[], view: View): string {
  return columnTable(rows, [...partition, after, errorColumn()], view);
}
