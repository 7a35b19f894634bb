import { command, flag, one, toggle, type ValuesOf } from '../../cli/command.ts';
import { sandboxOf } from '../../config/profile/sandbox-mark.ts';
import type { Context } from '../../context.ts';
import { CliError, notFoundError, usageError } from '../../errors.ts';
import { partitionOfKey } from '../../kafka/records/batches/partitioner.ts';
import type { OffsetRange } from '../../kafka/streams/consume/offset-words.ts';
import { integer } from '../../kinds.ts';
import { momentOf, time } from '../times.ts';
import { type LogReading, readLogRecords } from './log-records.ts';
import { LogLine, logRow, logText, wideLogText } from './log-row.ts';
import { transformName } from './transform-name.ts';

/** The topic that the brokers write the logs of all transforms to. */
const logTopic = '_redpanda.transform_logs';

const flags = {
  follow: toggle({ short: 'f', help: 'keep printing new lines until Ctrl-C' }),
  head: flag(integer({ min: 1 }), { help: 'print only the first N lines' }),
  tail: flag(integer({ min: 1, max: 1_000_000 }), { help: 'print only the last N lines' }),
  since: flag(time, { help: 'print only lines from this time on' }),
  until: flag(time, { help: 'print only lines before this time' }),
};

/** `transform logs` */
export const logs = command({
  summary: 'Show what a transform has logged',
  description: `Reads the topic ${logTopic}, which every transform writes to, over the Kafka API. Prints only what the
transform wrote; --format wide adds the time and the level, and --format json prints one object per line with the
attributes. Ends with the newest line, unless --follow is given.

TIME is now, a duration before now (1h or -1h), or one of the others in weir help offsets, such as "yesterday 9:00".`,
  examples: [
    ['Everything, then new lines as they arrive', 'transform logs redact -f'],
    ['The last ten lines, with time and level', 'transform logs redact --tail 10 --format wide'],
    ['The last hour', 'transform logs redact --since 1h'],
  ],
  aliases: ['log'],
  apis: ['kafka'],
  args: { name: one(transformName, 'NAME', 'name of the transform') },
  flags,
  changes: 'reads',
  result: LogLine,
  async run(context, { name, since, until, ...values }): Promise<AsyncIterable<LogLine>> {
    if (values.head !== undefined && values.tail !== undefined) throw exclusive('--head', '--tail');
    if (values.follow && until !== undefined) throw exclusive('--follow', '--until');
    const range = rangeOf({ since, until }, context.host.now());
    const partition = await partitionOf(context, name);
    return rowsOf(context, { name, partition, range }, values);
  },
  show: { text: logText, wide: wideLogText },
});

function exclusive(one: string, other: string): Error {
  return usageError(`${one} and ${other} are mutually exclusive`, { target: other });
}

/** The range to read at first; it ends with what is there now. */
function rangeOf(
  { since, until }: { readonly since: string | undefined; readonly until: string | undefined },
  nowMs: number,
): OffsetRange {
  const from = since === undefined ? undefined : momentOf(since, '--since', nowMs);
  const to = until === undefined ? undefined : momentOf(until, '--until', nowMs);
  if (from !== undefined && to !== undefined && to <= from)
    throw usageError('the time of --until is not after that of --since', { target: '--until' });
  return {
    start: from === undefined ? { at: 'start' } : { at: 'time', timestamp: from },
    end: to === undefined ? { at: 'end' } : { at: 'time', timestamp: to },
  };
}

/** The partition with the logs of a transform: its name is the key. @throws CliError (exit 3) if there is no such topic */
async function partitionOf(context: Context, name: string): Promise<number> {
  const [row] = await (await context.kafka()).listTopics({ topics: [logTopic], regex: false, internal: true });
  if (row === undefined || row.error?.exit_code === 3)
    throw notFoundError(`unable to read the logs: the topic "${logTopic}" does not exist`, {
      target: logTopic,
      hints: [
        sandboxOf(await context.config()) === undefined
          ? 'it exists while transforms are enabled: weir cluster config get data_transforms_enabled'
          : 'a sandbox only keeps transforms: it does not run them, so there are no logs',
      ],
    });
  if (row.error !== null)
    throw new CliError(row.error.exit_code, `unable to read the topic "${logTopic}": ${row.error.message}`, {
      code: row.error.code,
      target: logTopic,
      retryable: row.error.retryable,
    });
  const key = Buffer.from(name);
  return partitionOfKey(key, 0, key.length, row.partitions);
}

interface LogPartition {
  readonly name: string;
  readonly partition: number;
  readonly range: OffsetRange;
}

/** First what is there now, then with `--follow` what arrives after that. */
async function* rowsOf(
  context: Context,
  place: LogPartition,
  values: Omit<ValuesOf<typeof flags>, 'since' | 'until'>,
): AsyncGenerator<LogLine> {
  const { follow, head = Number.POSITIVE_INFINITY, tail } = values;
  const stopping = stopper(context);
  const { start } = place.range;
  const sinceMs = start.at === 'time' ? start.timestamp : Number.NEGATIVE_INFINITY;
  let [printed, next]: [number, bigint | undefined] = [0, undefined];
  async function* lines(range: OffsetRange): AsyncGenerator<LogLine> {
    const { name, partition } = place;
    const reading = await readLogRecords(context, { topic: logTopic, partition, range });
    stopping.watch(reading);
    for await (const record of reading.records) {
      next = record.offset + 1n;
      // Brokers only find the first record of a time; older ones may follow it.
      if (record.key === name && record.timestamp >= sinceMs) yield logRow(record, partition);
    }
  }
  async function* printedOnce(rows: AsyncIterable<LogLine> | Iterable<LogLine>): AsyncGenerator<LogLine> {
    for await (const row of rows) {
      yield row;
      printed += 1;
      if (printed >= head) return;
    }
  }
  try {
    const first = lines(place.range);
    yield* printedOnce(tail === undefined ? first : await lastOf(first, tail));
    if (follow && printed < head && !stopping.isStopped)
      yield* printedOnce(lines({ start: next === undefined ? start : { at: 'exact', offset: next }, end: undefined }));
    else if (printed === 0 && !stopping.isStopped) context.notice(`no logs of the transform "${place.name}" found`);
  } finally {
    stopping.end();
  }
}

/** Stops the current reading at the first signal. */
function stopper(context: Context) {
  let current: LogReading | undefined;
  const state = { isStopped: false, watch, end: () => undefined as unknown };
  function watch(reading: LogReading): void {
    current = reading;
    if (state.isStopped) reading.stop();
  }
  state.end = context.onStop(() => {
    state.isStopped = true;
    current?.stop();
  });
  return state;
}

async function lastOf(rows: AsyncIterable<LogLine>, most: number): Promise<readonly LogLine[]> {
  const last: LogLine[] = [];
  for await (const row of rows) {
    last.push(row);
    // Not at every line, so that each is moved only once or twice.
    if (last.length >= 2 * most) last.splice(0, last.length - most);
  }
  return last.slice(-most);
}
