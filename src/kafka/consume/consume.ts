import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client/client.ts';
import { createAnswerMemory } from './answer-memory.ts';
import { forgetEpochs } from './epochs.ts';
import { createFetcher, type Fetcher } from './fetcher.ts';
import { openGroupSource } from './group-source.ts';
import { planStarts } from './plan.ts';
import type { PartitionPosition } from './position.ts';
import { createRecordPrinter, type PrintTools, type RecordPrinter } from './printer.ts';
import type { ConsumeRequest, Consumption } from './request.ts';
import { type Due, openTopicSource, type PositionSource } from './topic-source.ts';

/** Every so often printed offsets are committed, in milliseconds. */
const commitEveryMs = 5_000;
/** New partitions and topics are looked for every so many commits. */
const discoverEvery = 2;
/** What the last commit and the leaving may take together after a stop. */
const closeLimitMs = 4_500;

/** Checks topics and offsets; what comes back prints when it is pumped. */
export async function consume(client: Client, request: ConsumeRequest): Promise<Consumption> {
  const memory = createAnswerMemory();
  const fetcher = createFetcher(client, {
    maxWaitMs: request.fetchMaxWaitMs,
    maxBytes: request.fetchMaxBytes,
    maxPartitionBytes: request.fetchMaxPartitionBytes,
    readCommitted: request.readCommitted,
    rack: request.rack,
    endless: request.range.end === undefined,
    warn: request.warn,
    allocate: memory.allocate,
    resetOffset: (position) => nearestOffset(client, request, position),
  });
  const source =
    request.group === undefined
      ? await openTopicSource(client, request)
      : await openGroupSource(client, request, request.group, fetcher.wake);
  const stopping = Promise.withResolvers<void>();
  return {
    pump: (sink) =>
      client.options.deadline.openEnded(() =>
        pump(client, { request, source, fetcher, stopping, tools: { sink, memory } }),
      ),
    stop: () => stopping.resolve(),
  };
}

interface PumpWork {
  readonly request: ConsumeRequest;
  readonly source: PositionSource;
  readonly fetcher: Fetcher;
  readonly stopping: PromiseWithResolvers<void>;
  readonly tools: PrintTools;
}

async function pump(client: Client, work: PumpWork): Promise<number> {
  const { request, fetcher, stopping, tools } = work;
  const printer = createRecordPrinter(request, tools);
  const clock = startClock(fetcher.wake);
  const ending = abortion(client.options.deadline.signal);
  try {
    // What is left behind by a stop (a join) ends with the sockets.
    await Promise.race([loop(work, printer, clock), stopping.promise, ending.promise]);
  } catch (error) {
    await close(client, work, printer).catch(() => undefined); // the first failure is the one to report
    throw error;
  } finally {
    clock.stop();
    ending.dispose();
    fetcher.close();
    void printer.close();
  }
  await close(client, work, printer);
  return printer.count;
}

/** A group commits what was printed: what is being written counts when it is written, unless its reader is too slow. */
async function close(client: Client, { source, request }: PumpWork, printer: RecordPrinter): Promise<void> {
  if (client.options.deadline.signal.aborted) return;
  const printed = request.group === undefined ? Promise.resolve() : printer.close();
  const limit = sleep(closeLimitMs, undefined, { ref: false });
  await Promise.race([printed.then(() => source.close()), limit]);
}

/** Rejects when `signal` aborts. */
function abortion(signal: AbortSignal) {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  promise.catch(() => undefined); // nobody may be waiting any more
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return { promise, dispose: () => signal.removeEventListener('abort', abort) };
}

async function loop({ request, source, fetcher }: PumpWork, printer: RecordPrinter, clock: Clock): Promise<void> {
  const positions = await source.open();
  fetcher.setPositions(positions);
  printer.expect(positions.reduce((sum, { offset, end = offset }) => sum + (end - offset), 0n));
  while (!printer.isFull) {
    const got = await fetcher.next();
    if (got === 'finished') return;
    if (got === 'woken') {
      const positions = await source.tick(clock.takeDue());
      if (positions !== undefined) fetcher.setPositions(positions);
      continue;
    }
    await printer.print(got);
    request.onPrinted(printer.count);
  }
}

interface Clock {
  /** What has become due since the last call. */
  takeDue(): Due;
  stop(): void;
}

/** Wakes the loop when something is due. */
function startClock(wake: () => void): Clock {
  let ticks = 0;
  let due = { commit: false, discovery: false };
  const timer = setInterval(() => {
    ticks += 1;
    due = { commit: true, discovery: due.discovery || ticks % discoverEvery === 0 };
    wake();
  }, commitEveryMs);
  return {
    takeDue() {
      const taken = due;
      due = { commit: false, discovery: false };
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * The rule for an offset that the broker does not have: below the log start, reading goes on there
 * (retention or `topic trim` took what was before); above the log end, at the end (the log was cut).
 */
async function nearestOffset(client: Client, request: ConsumeRequest, position: PartitionPosition): Promise<bigint> {
  const { topic, partition, offset } = position;
  const metadata = await client.metadata([topic]);
  const topics = metadata.topics.map((item) => ({
    ...item,
    partitions: item.partitions.filter((candidate) => candidate.partition === partition),
  }));
  const range = { start: { at: 'exact', offset }, end: { at: 'end' } } as const;
  const [start] = await planStarts(client, { topics, range, readCommitted: false, warn: request.warn });
  const nearest = start?.offset ?? offset;
  if (nearest !== offset) forgetEpochs(position);
  if (nearest !== offset) {
    const why = nearest > offset ? 'what was before is deleted' : 'the log was cut';
    request.warn(
      `topic "${topic}" partition ${partition} has no offset ${offset} (${why}): reading goes on at ${nearest}`,
    );
  }
  return nearest;
}
