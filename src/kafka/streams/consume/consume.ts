import { type Clock, unlessAborted, within } from '../../../clock.ts';
import { unreachableError } from '../../../errors.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { createAnswerMemory } from './answer-memory.ts';
import { type Fetcher, openFetcher } from './fetcher.ts';
import { openRecordPrinter, type PrintTools, type RecordPrinter } from './printer.ts';
import type { ConsumeRequest, Consumption } from './request.ts';
import { resetPositions } from './reset.ts';
import { type Due, newestTime, type PositionSource } from './topic-source.ts';

/** The interval between commits, in milliseconds. */
const commitEveryMs = 5_000;
/** The number of commits per discovery of new partitions and topics. */
const discoverEvery = 2;
/** How long the last commit and leaving the group may take together after a stop, in milliseconds. */
const closeLimitMs = 4_500;
/** A reader that takes the piece that is being written so soon saves a commit. */
const quickReaderMs = 200;
/** The shortest time for answers when not every broker has answered within `--idle`, in milliseconds. */
const answersMs = 1_000;

/** Opens a source of positions, and a fetcher and a printer for them; reads no records before `pump`. */
export async function consumeFrom(
  client: Client,
  request: ConsumeRequest,
  openSource: (wake: () => void) => Promise<PositionSource>,
): Promise<Consumption> {
  const memory = createAnswerMemory();
  const fetcher = openFetcher(client, {
    maxWaitMs: fetchWaitMs(request),
    maxBytes: request.fetchMaxBytes,
    maxPartitionBytes: request.fetchMaxPartitionBytes,
    readCommitted: request.readCommitted,
    rack: request.rack,
    endless: request.range.end === undefined,
    outlivesTopics: request.regex || request.group !== undefined,
    warn: request.warn,
    allocate: memory.allocate,
    reset: (positions) => resetPositions(client, positions, request.warn),
  });
  const source = await openSource(fetcher.wake);
  const stopping = Promise.withResolvers<void>();
  return {
    ...aboutTopics(client, source.topics),
    pump: (sink) =>
      client.options.deadline.openEnded(() =>
        pump(client, { request, source, fetcher, stopping, tools: { sink, memory } }),
      ),
    stop: () => stopping.resolve(),
  };
}

/** Empty answers come in time to count before `--idle` is over. */
function fetchWaitMs({ fetchMaxWaitMs, idleMs = Number.POSITIVE_INFINITY }: ConsumeRequest): number {
  return Math.min(fetchMaxWaitMs, Math.ceil(idleMs / 2));
}

/** What a consumption says about its topics. */
export function aboutTopics(client: Client, topics: readonly TopicMetadata[]) {
  return {
    hasTopics: topics.length > 0,
    newestTime: () => newestTime(client, topics),
    heldBack: async () => (await import('./held-back.ts')).findHeldBack(client, topics),
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
  const { clock, signal } = client.options.deadline;
  const ticks = startTicks(clock, fetcher.wake);
  const idle = watchIdleness(clock, request.idleMs, fetcher.hasAnswersSince);
  // A slow reader must not delay commits and rebalances: one answer may take minutes to print.
  const look = (): Promise<void> | undefined => (fetcher.takeWake() ? lookAround(work, ticks) : undefined);
  // Again after each wait: during it the process may have stood still for longer than its session.
  const interlude = (): Promise<void> | undefined => (work.source.confirmed?.() ?? look())?.then(interlude);
  const printer = openRecordPrinter(request, request.group === undefined ? tools : { ...tools, interlude });
  let isStopped = false;
  try {
    // Work that a stop leaves pending (such as a join) ends when the sockets close.
    const stopped = stopping.promise.then(() => {
      isStopped = true;
    });
    await unlessAborted(signal, Promise.race([loop(work, printer, { ticks, idle }), stopped, idle.promise]));
  } catch (error) {
    await close(client, work, printer, request.warn).catch(() => undefined); // the first failure is the one to report
    throw error;
  } finally {
    ticks.stop();
    idle.stop();
    fetcher.close();
    void printer.close();
  }
  let uncommitted: string | undefined;
  await close(client, work, printer, (line) => {
    uncommitted = line;
  });
  if (uncommitted !== undefined && !isStopped) throw uncommittedError(uncommitted);
  if (uncommitted !== undefined) request.warn(uncommitted);
  return printer.count;
}

/** Closes the source; a group first waits, within the limit, for the piece being written, so that it is committed. */
async function close(
  client: Client,
  { source, request }: PumpWork,
  printer: RecordPrinter,
  tell: (line: string) => void,
): Promise<void> {
  const { clock, signal } = client.options.deadline;
  if (signal.aborted) return;
  const printed = request.group === undefined ? Promise.resolve() : printer.close();
  // What was printed before is committed even if the reader takes nothing any more.
  const closed = within(clock, quickReaderMs, printed, () => undefined).then(() => source.close(printed, tell));
  await within(clock, closeLimitMs, closed, () => undefined);
}

/** A read that ends by itself has failed if its group would read the last records again. */
function uncommittedError(message: string): Error {
  return unreachableError(message, {
    code: 'NOT_COMMITTED',
    hints: ['run the command again: the group continues at its last commit, so the last records may come twice'],
  });
}

interface Timers {
  readonly ticks: Ticks;
  readonly idle: Idleness;
}

async function loop(work: PumpWork, printer: RecordPrinter, { ticks, idle }: Timers): Promise<void> {
  const { request, source, fetcher } = work;
  const positions = await source.open();
  fetcher.setPositions(positions);
  idle.begin();
  while (!printer.isFull) {
    const got = await fetcher.next();
    if (got === 'finished') return;
    if (got === 'woken') {
      await idle.interrupted(lookAround(work, ticks));
      continue;
    }
    // A slow reader is not idle.
    idle.pause();
    await printer.print(got);
    idle.begin();
    request.onPrinted(printer.count);
  }
}

/** Runs what is due and applies the source's new positions. */
async function lookAround({ source, fetcher }: PumpWork, ticks: Ticks): Promise<void> {
  const positions = await source.tick(ticks.takeDue());
  if (positions !== undefined) fetcher.setPositions(positions);
}

interface Idleness {
  /** Resolves when the time without records is over. */
  readonly promise: Promise<void>;
  /** Begins to wait for records anew. */
  begin(): void;
  pause(): void;
  /** Waits for work, such as a rebalance, during which the time does not run out. */
  interrupted(work: Promise<void>): Promise<void>;
  stop(): void;
}

/** The time begins again until every broker has answered during it: silence alone does not mean that nothing came. */
function watchIdleness(
  clock: Clock,
  idleMs: number | undefined,
  hasAnswersSince: Fetcher['hasAnswersSince'],
): Idleness {
  const { promise, resolve } = Promise.withResolvers<void>();
  let cancel = (): void => undefined;
  let isInterrupted = false;
  let isOver = false;
  const wait = (milliseconds: number): void => {
    const since = clock.now();
    cancel();
    if (isOver) return;
    cancel = clock.after(milliseconds, () => {
      if (!isInterrupted && hasAnswersSince(since)) resolve();
      else wait(Math.max(milliseconds, answersMs));
    });
  };
  return {
    promise,
    begin() {
      if (idleMs !== undefined) wait(idleMs);
    },
    pause: () => cancel(),
    async interrupted(work) {
      isInterrupted = true;
      await work;
      isInterrupted = false;
    },
    stop() {
      isOver = true;
      cancel();
    },
  };
}

interface Ticks {
  /** What has become due since the last call. */
  takeDue(): Due;
  stop(): void;
}

/** Wakes the loop whenever something is due. */
function startTicks(clock: Clock, wake: () => void): Ticks {
  let count = 0;
  let due = { commit: false, discovery: false };
  const tick = (): void => {
    count += 1;
    due = { commit: true, discovery: due.discovery || count % discoverEvery === 0 };
    cancel = clock.after(commitEveryMs, tick);
    wake();
  };
  let cancel = clock.after(commitEveryMs, tick);
  return {
    takeDue() {
      const taken = due;
      due = { commit: false, discovery: false };
      return taken;
    },
    stop: () => cancel(),
  };
}
