import { flag, list, optional, type ValuesOf } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import type { Context } from '../../context.ts';
import { invalidError, missingError, usageError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { shortList } from '../../format/name-lists.ts';
import { TrimmedPartition, type TrimPoint, type TrimTarget } from '../../kafka/cluster/topics/topic-rows.ts';
import { int32Id, path } from '../../kinds.ts';
import { missingIn, suggestTopics } from '../not-found.ts';
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
export const trimPrefix = change({
  summary: 'Delete the oldest records of partitions',
  description: `Deletes all records before an offset. OFFSET is a number, end (all records), @TIME (the records
before TIME), +N (the first N records) or -N (all but the last N records); see weir help offsets. Shows the plan
before it asks, and deletes exactly what the plan shows.

A file has lines of TOPIC PARTITION OFFSET, or a JSON or YAML list of objects with these fields. The topic may be left
out if it is given as an argument.`,
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
  noun: 'partition',
  item: TrimmedPartition,
  plan: async (context, values) => (await context.kafka()).planTrim(await targetsOf(context, values)),
  asks(trimmed) {
    const records = recordsText(trimmed.reduce((sum, one) => sum + recordsIn(one), 0n));
    const topics = [...new Set(trimmed.map(({ topic }) => topic))];
    return {
      question: `Delete ${records} of ${count(trimmed.length, 'partition')} (${shortList(topics)})`,
      name: topics.length === 1 ? String(topics[0]) : count(topics.length, 'topic'),
    };
  },
  previews: true,
  apply: async (context, trimmed) => (await context.kafka()).trim(trimmed),
  columns: [
    'topic',
    'partition',
    ['prior start offset', (one) => one.prior_start_offset, (rows) => rows.some(({ dry_run: isDryRun }) => isDryRun)],
    'new_start_offset',
  ],
  wide: ['topic', 'partition', 'prior_start_offset', 'new_start_offset'],
  ends: 'error',
  would: (one) => `delete ${recordsText(recordsIn(one))}`,
  notNeeded: 'nothing to delete',
  after: (context, trimmed) => suggestTopics(context, [...new Set(missingIn(trimmed, ({ topic }) => topic))]),
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
  if (topic === undefined) throw missingError('TOPIC', ['name a topic, or use --from-file']);
  if (offset === undefined) throw missingError('--offset', ['use --offset, or --from-file']);
  const to = await pointOf(context, offset);
  const chosen: readonly (number | undefined)[] = partitions.length === 0 ? [undefined] : [...new Set(partitions)];
  return chosen.map((partition) => ({ topic, partition, to }));
}

async function pointOf(context: Context, offset: string): Promise<TrimPoint> {
  const { rangeToChange } = await import('../times.ts');
  const { start, end } = rangeToChange(context, offset);
  if (end === undefined && start.at !== 'start') return start;
  throw invalidError(`invalid offset "${offset}": one offset is needed, from which the partitions start`, {
    target: 'offset',
    hints: ['use N, end, @TIME, +N or -N'],
  });
}

/** The number of offsets that are removed. */
function recordsIn({ prior_start_offset: prior, new_start_offset: start }: TrimmedPartition): bigint {
  return prior === null || start === null ? 0n : start - prior;
}

function recordsText(records: bigint): string {
  return `${records} ${records === 1n ? 'record' : 'records'}`;
}
