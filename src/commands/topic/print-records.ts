import type { ByteSink, RawOutput } from '../../cli/command.ts';
import type { Context, Progress, StopCause } from '../../context.ts';
import { type ExitCode, exitCodes } from '../../errors.ts';
import { count, grouped } from '../../format/count.ts';
import { printable } from '../../format/printable.ts';
import { showUtcTime } from '../../format/time.ts';
import { csvHeader } from '../../kafka/records/language/csv.ts';
import type { Consumption } from '../../kafka/streams/consume/request.ts';
import { adviseTopic } from '../missing.ts';
import type { CompleteRequest } from './consume-request.ts';

const newline = 0x0a;
/** The number of partitions that are listed. */
const mostHeldBack = 5;
/** The latest time that has a date, in milliseconds since the epoch. */
const latestTime = 8.64e15;

/** How a read has ended. */
interface Ending {
  /** The number of records that were printed. */
  readonly printed: number;
  readonly hasTopics: boolean;
  /** Whether a signal or the command timeout ended it. */
  readonly isStopped: boolean;
  /** Prints a notice on a line of its own, even if the last record ends in the middle of one. */
  notice(line: string): void;
  /** Says that the range, which was given so, has no record to print. */
  emptiness(range: string): Promise<string>;
}

/** What differs between commands that print records. */
interface Printing {
  /** Says how the read has ended; not called after an error. */
  ending(ending: Ending): ExitCode | Promise<ExitCode>;
}

/** Reads the records of a request and prints them. */
export async function printRecords(
  context: Context,
  request: CompleteRequest,
  { ending }: Printing,
): Promise<RawOutput> {
  const { topics, range, limit, filter } = request;
  const kafka = await context.kafka();
  let progress: Progress | undefined;
  const onPrinted = (printed: number): void => {
    if (filter === undefined) progress?.report({ done: printed, unit: 'records' });
    else progress?.report({ done: filter.scanned(), unit: 'records', detail: `${grouped(printed)} matched` });
  };
  const consumption = await kafka.consume({ ...request, onPrinted }).catch(async (error: unknown) => {
    throw await adviseTopic(error, context);
  });
  const { hasTopics } = consumption;
  return {
    type: 'raw' as const,
    async pump(sink) {
      let stopped: StopCause | undefined;
      let isInLine = false;
      const notice = (line: string): void => {
        if (isInLine) context.notice('');
        isInLine = false;
        context.notice(line);
      };
      const following = (screen: ByteSink): ByteSink => ({
        write(chunk) {
          if (chunk.length > 0) isInLine = chunk.at(-1) !== newline;
          return screen.write(chunk);
        },
      });
      const unregister = context.onStop((cause) => {
        stopped = cause;
        consumption.stop();
      });
      const isEndless = range.end === undefined;
      // An endless read has no progress, and on a terminal the records themselves are visible, unless few match.
      const isBounded = !isEndless || limit < Number.POSITIVE_INFINITY;
      const { stdout, stderr } = context.host;
      const isShown = filter === undefined ? isBounded && !stdout.isTerminal : isBounded || stderr.isTerminal;
      if (isShown) progress = context.progress(filter === undefined ? 'consume' : 'search');
      try {
        for (const line of filter?.explanation() ?? []) context.notice(line);
        const isCsv = request.formatSource !== undefined && 'csv' in request.formatSource;
        if (isCsv) await sink.write(Buffer.from(csvHeader));
        if (!hasTopics) context.notice(noTopics(topics, isEndless));
        const screen = stdout.isTerminal && progress ? besides(progress, sink) : sink;
        const printed = await consumption.pump(stdout.isTerminal && stderr.isTerminal ? following(screen) : screen);
        // Who closes the pipe has seen enough, and what was read by then says nothing about the topic. The failed output
        // decides the exit code.
        if (stopped === 'output') return exitCodes.ok;
        if (stopped === undefined && printed < limit) await tellHeldBack(request, consumption, notice);
        return await ending({
          ...{ printed, hasTopics, isStopped: stopped !== undefined, notice },
          emptiness: (text) => emptiness(text, request, consumption),
        });
      } finally {
        unregister();
        progress?.end();
        if (stopped !== 'output') for (const line of summaryOf(request)) notice(line);
      }
    },
  };
}

async function emptiness(
  text: string,
  { range, filter, group }: CompleteRequest,
  { newestTime }: Consumption,
): Promise<string> {
  if (group !== undefined) return `the group "${group.name}" has nothing left to read in the range ${text}`;
  const { bounds = {} } = filter?.filter ?? {};
  const isNarrowed = Object.values(bounds).some((bound) => bound !== undefined);
  const isOfTime = range.start.at === 'time' || range.end?.at === 'time' || bounds.minTime !== undefined;
  const newest = isOfTime ? await newestTime().catch(() => undefined) : undefined;
  return [
    isNarrowed ? `no record in the range ${text} can match the conditions` : `the range ${text} contains no records`,
    ...(range.start.at === 'beforeEnd' && range.start.count > 0n && !isNarrowed
      ? ['it counts offsets, and --tail N counts records']
      : []),
    ...(newest === undefined || newest > latestTime ? [] : [`the newest record is from ${showUtcTime(newest)}`]),
  ].join('; ');
}

/** Says where an open transaction ends a read of committed records, which looks like the end of the topic. */
async function tellHeldBack(
  { readCommitted, range }: CompleteRequest,
  { heldBack }: Consumption,
  notice: (line: string) => void,
): Promise<void> {
  if (!readCommitted || range.end?.at !== 'end') return;
  // Whoever may not see transactions has read the records nevertheless.
  const found = await heldBack().catch(() => []);
  for (const { topic, partition, offset, end, transactionalId } of found.slice(0, mostHeldBack)) {
    const whose = transactionalId === undefined ? '' : ` of "${printable(transactionalId)}"`;
    notice(
      `topic "${topic}" partition ${partition} stops at offset ${offset}: a transaction${whose} is open, ${count(Number(end - offset), 'more offset')}`,
    );
  }
  if (found.length > mostHeldBack) notice(`so do ${count(found.length - mostHeldBack, 'more partition')}`);
}

function summaryOf({ decode, filter }: CompleteRequest): readonly string[] {
  const undecoded = decode?.summary();
  return [...(undecoded === undefined ? [] : [undecoded]), ...(filter?.summary() ?? [])];
}

/** Writes to the terminal that shows the progress. */
function besides(progress: Progress, sink: ByteSink): ByteSink {
  return {
    write(chunk) {
      // In the middle of a line, there is no place for progress.
      if (chunk.at(-1) === newline) progress.clear();
      else progress.end();
      return sink.write(chunk);
    },
  };
}

function noTopics(patterns: readonly string[], isEndless: boolean): string {
  const none = `no topic matches ${patterns.join(' ')}`;
  return isEndless ? `${none} yet; waiting for one (press Ctrl-C to stop)` : none;
}
