import { flag, many, toggle } from '../../cli/command.ts';
import { listCommand } from '../../cli/forms/read.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { TopicAnalysis } from '../../kafka/cluster/analysis/analysis-rows.ts';
import type { OffsetRange } from '../../kafka/streams/consume/offset-words.ts';
import { integer, text } from '../../kinds.ts';
import { analysisText, detailedAnalysis } from './analyze-text.ts';
import { chosenTopics } from './chosen-topics.ts';
import { offsetText } from './offset-text.ts';
import { topicOrPattern } from './topic-name.ts';

const defaultRange = '-1000:end';

/** `topic analyze` */
export const analyze = listCommand({
  summary: 'Show rates, record sizes and the distribution of keys',
  description: `Reads a sample of each topic: by default the last 1,000 records of each partition, otherwise the
range of -o or the times of -t. Nothing is committed or changed.

Rates are the records and bytes in the sample, divided by its time: that of -t, or from the first record until now
(until the last record if the range does not go to the end). Wrong timestamps make wrong rates.

Sizes are those of key and value before compression; percentiles are at most 5 % too high. More than 20,000 different
keys are estimated.`,
  examples: [
    ['Rates, sizes and the most frequent keys', 'topic analyze orders'],
    ['The traffic of the last minute', 'topic analyze orders payments -t -1m:end'],
    ['The whole topic, up to a million records', 'topic analyze orders -o :end --limit 1000000'],
    ['The details of many topics as data', "topic analyze -r 'tmp-.*' --format json"],
  ],
  apis: ['kafka'],
  args: { topics: many(topicOrPattern, 'TOPIC', 'names of topics, or regular expressions with -r') },
  flags: {
    offset: flag(offsetText, {
      short: 'o',
      help: `the range to read of each partition, as in topic consume (default ${defaultRange})`,
    }),
    timeRange: flag(text, { short: 't', help: 'the times to read, for example -1m:end (the same as -o @-1m:end)' }),
    limit: flag(integer({ min: 1 }), { help: 'read at most this many records of each topic', fallback: 1_000_000 }),
    topKeys: flag(integer({ min: 0, max: 1000 }), { help: 'number of frequent keys to show', fallback: 10 }),
    printAll: toggle({ short: 'a', help: 'show keys and partitions for several topics, too' }),
    regex: toggle({ short: 'r', help: 'treat arguments as regular expressions that match whole names' }),
  },
  row: TopicAnalysis,
  async read(context, { topics, regex, offset, timeRange, limit, topKeys }) {
    const nowMs = context.host.now();
    const range = await rangeOf(context, offset, timeRange);
    const chosen = await chosenTopics(context, { topics, regex }, 'analyze topics');
    const kafka = await context.kafka();
    const warn = (line: string): void => context.warn(line);
    return await kafka.analyzeTopics({ topics: chosen, range, limit, topKeys, nowMs, warn });
  },
  text: (rows, view, { printAll }) => (printAll ? detailedAnalysis(rows, view) : analysisText(rows, view)),
  wide: (rows, view) => detailedAnalysis(rows, view),
});

async function rangeOf(context: Context, offset: string | undefined, times: string | undefined): Promise<OffsetRange> {
  const { rangeToRead } = await import('../times.ts');
  if (offset !== undefined && times !== undefined)
    throw usageError('--offset and --time-range are mutually exclusive', { target: '--time-range' });
  const rangeText = times === undefined ? (offset ?? defaultRange) : `@${times.replace(/^@/, '')}`;
  const range = rangeToRead(context, rangeText);
  if (range.end === undefined)
    throw usageError(`the range "${rangeText}" has no end, so the sample would have none`, {
      target: times === undefined ? '--offset' : '--time-range',
      hints: ['use for example -o -1000:end or -t -1m:end'],
    });
  return range;
}
