import type { ByteSink, RawOutput } from '../../../cli/command.ts';
import type { Context, Progress, StopCause } from '../../../context.ts';
import { type ExitCode, exitCodes } from '../../../errors.ts';
import { count, grouped } from '../../../format/count.ts';
import { printable } from '../../../format/printable.ts';
import { showUtcTime } from '../../../format/time.ts';
import { csvHeader } from '../../../kafka/records/language/csv.ts';
import type { Consumption } from '../../../kafka/streams/consume/request.ts';
import { adviseTopic } from '../../not-found.ts';
import type { CompleteRequest } from '../consume-request.ts';

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

/** A read under way. */
interface Reading {
  readonly context: Context;
  readonly request: CompleteRequest;
  progress: Progress | undefined;
  stopped: StopCause | undefined;
  /** Whether the last record ends in the middle of a line. */
  isInLine: boolean;
}

/** Reads the records of a request and prints them. */
export async function printRecords(context: Context, request: CompleteRequest, printing: Printing): Promise<RawOutput> {
  const kafka = await context.kafka();
  const reading: Reading = { context, request, progress: undefined, stopped: undefined, isInLine: false };
  const onPrinted = (printed: number): void => reportPrinted(reading, printed);
  const consumption = await kafka.consume({ ...request, onPrinted }).catch(async (error: unknown) => {
    throw await adviseTopic(error, context);
  });
  return { type: 'raw' as const, pump: (sink) => pump(reading, consumption, printing, sink) };
}

function reportPrinted({ progress, request: { filter } }: Reading, printed: number): void {
  if (filter === undefined) progress?.report({ done: printed, unit: 'records' });
  else progress?.report({ done: filter.scanned(), unit: 'records', detail: `${grouped(printed)} matched` });
}

async function pump(
  reading: Reading,
  consumption: Consumption,
  { ending }: Printing,
  sink: ByteSink,
): Promise<ExitCode> {
  const { context, request } = reading;
  const { topics, range, limit, filter, formatSource } = request;
  const { hasTopics } = consumption;
  const unregister = context.onStop((cause) => {
    reading.stopped = cause;
    consumption.stop();
  });
  if (showsProgress(reading)) reading.progress = context.progress(filter === undefined ? 'consume' : 'search');
  try {
    for (const line of filter?.explanation() ?? []) context.notice(line);
    if ('csv' in formatSource) await sink.write(Buffer.from(csvHeader));
    if (!hasTopics) context.notice(noTopics(topics, range.end === undefined));
    else if (isSilent(reading)) context.notice('waiting for new records (press Ctrl-C to stop)');
    const printed = await consumption.pump(screenOf(reading, sink));
    const { stopped } = reading;
    // Who closes the pipe has seen enough, and what was read by then says nothing about the topic. The failed output
    // decides the exit code.
    if (stopped === 'output') return exitCodes.ok;
    const notice = (line: string): void => noticeBelow(reading, line);
    if (stopped === undefined && printed < limit) await tellHeldBack(request, consumption, notice);
    return await ending({
      ...{ printed, hasTopics, isStopped: stopped !== undefined, notice },
      emptiness: (text) => emptiness(text, request, consumption),
    });
  } finally {
    unregister();
    reading.progress?.end();
    if (reading.stopped !== 'output') for (const line of summaryOf(request)) noticeBelow(reading, line);
  }
}

/** An endless read has no progress, and on a terminal the records themselves are visible, unless few match. */
function showsProgress({ context, request: { range, limit, filter } }: Reading): boolean {
  const { stdout, stderr } = context.host;
  const isBounded = range.end !== undefined || limit < Number.POSITIVE_INFINITY;
  return filter === undefined ? isBounded && !stdout.isTerminal : isBounded || stderr.isTerminal;
}

/** Whether a terminal would show nothing until a new record comes. */
function isSilent({ context, request: { range, group, filter } }: Reading): boolean {
  const { stdout, stderr } = context.host;
  const isOfNew = range.start.at === 'end' && range.end === undefined && group === undefined;
  return isOfNew && filter === undefined && stdout.isTerminal && stderr.isTerminal;
}

/** Where the records go; on a terminal, they share it with the progress and with notices. */
function screenOf(reading: Reading, sink: ByteSink): ByteSink {
  const { stdout, stderr } = reading.context.host;
  const { progress } = reading;
  const screen = stdout.isTerminal && progress ? besides(progress, sink) : sink;
  if (!stdout.isTerminal || !stderr.isTerminal) return screen;
  return {
    write(chunk) {
      if (chunk.length > 0) reading.isInLine = chunk.at(-1) !== newline;
      return screen.write(chunk);
    },
  };
}

function noticeBelow(reading: Reading, line: string): void {
  if (reading.isInLine) reading.context.notice('');
  reading.isInLine = false;
  reading.context.notice(line);
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
  const partitions = await heldBack().catch(() => []);
  for (const { topic, partition, offset, end, transactionalId } of partitions.slice(0, mostHeldBack)) {
    const whose = transactionalId === undefined ? '' : ` of "${printable(transactionalId)}"`;
    notice(
      `topic "${topic}" partition ${partition} stops at offset ${offset}: a transaction${whose} is open, ${count(Number(end - offset), 'more offset')}`,
    );
  }
  if (partitions.length > mostHeldBack) notice(`so do ${count(partitions.length - mostHeldBack, 'more partition')}`);
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
