import { collectGarbage } from '../../bytes/garbage.ts';
import { type Clock, sleepBy, within } from '../../clock.ts';
import { CliError, exitCodes, rephrased } from '../../errors.ts';
import type { Client } from '../protocol/client/client.ts';
import { codes } from '../protocol/wire/error-codes.ts';
import { type RecordOrigin, recordOrigin } from '../records/batches/cursor.ts';
import type { FetchedChunk } from '../streams/consume/answer.ts';
import { createAnswerMemory } from '../streams/consume/answer-memory.ts';
import { type Fetcher, openFetcher } from '../streams/consume/fetcher.ts';
import { recreationWarning } from '../streams/consume/leaders.ts';
import { createPosition, type PartitionPosition, type PartitionStart } from '../streams/consume/position.ts';
import { resetPositions } from '../streams/consume/reset.ts';
import { outsider } from '../streams/groups/commits.ts';
import type { GroupMembership } from '../streams/groups/member.ts';
import type { TopicPartitions } from '../streams/groups/subscription.ts';
import type { Lane, ProducerIdentity } from '../streams/produce/lane.ts';
import type { ProduceTopic } from '../streams/produce/topics.ts';
import type { OpenBatch } from './copy/ahead.ts';
import { isDamage, type Reached, readFailure } from './copy/failures.ts';
import { groupInUse, type StoredOffset, storeOffsets } from './copy/stored-progress.ts';
import { openDryWriting } from './dry-writing.ts';
import { createWriterPool, type WriterPool } from './packer.ts';
import type { Parcel, Porter, Portion } from './portions.ts';
import { createTrail, type Step, type Trail } from './trail.ts';
import { fencedIn, isForbidden, type Transactions } from './transactions.ts';
import { openWriting, type ParcelOrigin, type SharedMemory, type Writing, type WritingOptions } from './writing.ts';

/**
 * How often progress is stored, in milliseconds: what a killed process writes again without transactions. At first sooner, and
 * then after twice the time: also a process that is killed again and again gets ahead.
 */
const storeEveryMs = { first: 50, most: 1_000 };
/**
 * How often the progress of all partitions is stored, whether they got further or not, in milliseconds: brokers forget
 * each offset of a group without members by the time of its own commit. The least that `offsets.retention.minutes` can be is one.
 */
const storeAllEveryMs = 30_000;
/** How long a transaction stays open, in milliseconds; readers of the destination see its records after that. */
const transactionMs = 500;
/** How often new partitions of the source are looked for while it is followed, in milliseconds. */
const discoverEveryMs = 10_000;
/** How long a run that has failed may take to end, in milliseconds. */
const endMs = 2_000;
/** The size of rebuilt batches, in bytes before compression. */
const rebuiltBytes = 1 << 20;
/** Bytes that may wait for the destination, and that one answer of the source may have, for all topics together. */
const pendingBytes = 24 << 20;
const answerBytes = 8 << 20;
/** The least of these for one topic. */
const leastBytes = 2 << 20;

/** After how many bytes of answers and rebuilt batches, before compression, their garbage is collected. */
const garbageBytes = 32 << 20;

/** Carries the records of one topic to others. */
export interface Carrying {
  /** Carries everything to the end of the range, or until `stop`. @throws the first failure */
  run(): Promise<void>;
  /** Stops reading; `run` then writes what was read, stores the progress and resolves. */
  stop(): void;
  readonly reached: Reached;
  /** Records that are read but not acknowledged. */
  readonly pending: number;
}

/** A source partition whose records are carried. */
export interface Part {
  readonly position: PartitionPosition;
  readonly trail: Trail;
  readonly origin: RecordOrigin;
  /** The position's `jumps` up to which the trail has followed them. */
  jumps: number;
  /** The offset that is stored. */
  stored: bigint;
  /** The source offset up to which everything was handed to the writing. */
  handed: bigint;
}

/** Where the records of a topic go, and what is stored about them. */
export interface Route extends Pick<WritingOptions, 'onPlaced' | 'onLeft'> {
  /** The topic that is read. */
  readonly source: string;
  /** The client of the destination. */
  readonly target: Client;
  /** The topics that are written to, by name; more may be added. */
  readonly topics: ReadonlyMap<string, ProduceTopic>;
  /** The number of topics that are carried at the same time. */
  readonly atOnce: number;
  readonly fetchMaxWaitMs: number;
  /** Whether reading goes on until `stop`. */
  readonly isEndless: boolean;
  /** The size in bytes above which no batch is built. */
  readonly maxBatchBytes: number;
  readonly identity: ProducerIdentity;
  readonly transactions: Transactions | undefined;
  /** Whether nothing is written, and nothing stored. */
  readonly isDry?: boolean;
  /** The group that stores the progress of a process that is no member of it. */
  readonly group: string;
  /** Opens the membership in the group that shares the partitions; undefined if this process has all of them. */
  openMembership(onChange: () => void): GroupMembership | undefined;
  openPorter(pool: WriterPool): Porter;
  /** Where the batches go whose `partition` is this number. */
  laneOf(partition: number): Lane;
  /** Where to begin in the partitions of this process; `share` has those that its group has given to it. */
  starts(share: readonly TopicPartitions[] | undefined): Promise<readonly PartitionStart[]>;
  /** Called when records of the partition continue at another offset, where its log was cut. */
  onJump?(part: Part, offset: bigint): void;
  /** Finds partitions that the source has got since, which `starts` then has as well. */
  discover?(): Promise<readonly PartitionStart[]>;
  /** Called with every portion before it is written. */
  onPortion(part: Part, portion: Portion): Step;
  /** Makes it possible to go on at the record for which the porter has thrown the error; false if that cannot be done. */
  resolves(error: unknown): Promise<boolean>;
  /** What to store of partitions that got further. */
  progressOf(parts: readonly Part[]): readonly StoredOffset[];
  /**
   * What to store after a failure: also what was written behind something that was not; undefined: as always.
   * @param open what is not acknowledged
   */
  readonly lastProgress?: ((parts: readonly Part[], open: Iterable<OpenBatch>) => readonly StoredOffset[]) | undefined;
  /** Whether the members of the group have finished together. */
  isOver(): Promise<boolean>;
  /** Called when records of the partition show that its topic was deleted and created again. */
  recreatedSource(): unknown;
  /** Makes the error for a destination that was deleted and created again. */
  recreatedTarget(line: string): unknown;
  /** Says what was done before the failure, and how to go on. */
  failure(error: unknown, done: Reached): unknown;
  warn(line: string): void;
  /** Called with the number of records of each acknowledged batch. */
  onCarried(records: number): void;
}

/** The state of a running transport. */
interface Work {
  readonly client: Client;
  readonly route: Route;
  readonly fetcher: Fetcher;
  readonly writing: Writing;
  readonly pool: WriterPool;
  readonly porter: Porter;
  readonly membership: GroupMembership | undefined;
  readonly parts: Map<PartitionPosition, Part>;
  isStopped: boolean;
  /** When progress is stored next, on the client's clock, and how long after that again. */
  dueAt: number;
  storeMs: number;
  /** When that of all partitions is stored next. */
  allDueAt: number;
  /** When new partitions are looked for next. */
  discoverAt: number;
  /** What was acknowledged when progress was last stored. */
  kept: Reached['written'];
  /** Bytes of answers and rebuilt batches since garbage was collected. */
  garbage: number;
  /** Settles when nothing is being stored. */
  storing: Promise<void>;
  failure: unknown;
}

/** Prepares to carry records from the cluster of the client; sends no request before `run`. */
export function openCarrying(client: Client, route: Route): Carrying {
  const work = openWork(client, route);
  return {
    run: () => run(work),
    stop() {
      work.isStopped = true;
      work.fetcher.wake();
    },
    get reached() {
      return howFar(work);
    },
    get pending() {
      return work.writing.pending;
    },
  };
}

function openWork(client: Client, route: Route): Work {
  const { target, atOnce, identity, transactions, warn } = route;
  const memory = createAnswerMemory();
  const pool = createWriterPool(Math.min(rebuiltBytes, route.maxBatchBytes), transactions !== undefined);
  const maxBytes = Math.max(leastBytes, answerBytes / atOnce);
  // A source that was created again ends the run, with an error that says so.
  const untrue = [true, false].map((isRange) => recreationWarning(route.source, isRange));
  const warnOfSource = (line: string): void => {
    if (!untrue.includes(line)) warn(line);
  };
  const fetcher = openFetcher(client, {
    maxWaitMs: route.fetchMaxWaitMs,
    maxBytes,
    maxPartitionBytes: maxBytes / 2,
    readCommitted: true,
    rack: '',
    endless: route.isEndless,
    outlivesTopics: false,
    warn: warnOfSource,
    allocate: memory.allocate,
    reset: (positions) => resetPositions(client, positions, warnOfSource),
  });
  const open = route.isDry === true ? openDryWriting : openWriting;
  const writing = open(target, {
    identity,
    transactionalId: transactions?.transactionalId,
    topics: route.topics,
    pool,
    memory,
    maxPendingBytes: Math.max(leastBytes, pendingBytes / atOnce),
    warn,
    onWritten: route.onCarried,
    onPlaced: route.onPlaced,
    onLeft: route.onLeft,
    onFailure: fetcher.wake,
    recreated: route.recreatedTarget,
  });
  return {
    client,
    route,
    fetcher,
    writing,
    pool,
    porter: route.openPorter(pool),
    membership: route.openMembership(fetcher.wake),
    parts: new Map(),
    isStopped: false,
    dueAt: client.options.deadline.clock.now(),
    storeMs: transactions === undefined ? storeEveryMs.first : transactionMs,
    allDueAt: 0,
    discoverAt: client.options.deadline.clock.now() + discoverEveryMs,
    kept: { records: 0, bytes: 0 },
    garbage: 0,
    storing: Promise.resolve(),
    failure: undefined,
  };
}

function openPart(start: PartitionStart): Part {
  const position = createPosition(start);
  const { topic, partition, offset, jumps } = position;
  return {
    position,
    trail: createTrail(offset),
    origin: recordOrigin(topic, partition),
    jumps,
    stored: -1n,
    handed: offset,
  };
}

async function run(work: Work): Promise<void> {
  const { client, fetcher, writing, route } = work;
  const { clock } = client.options.deadline;
  const ending = abortion([client.options.deadline.signal, route.target.options.deadline.signal]);
  const timer = startTimer(clock, fetcher.wake);
  try {
    await Promise.race([loop(work), ending.promise]);
  } catch (error) {
    await giveUp(work, error).catch(() => undefined); // the first failure is the one to report
    const { transactions } = route;
    const cause = transactions === undefined ? error : fencedIn(error, transactions.transactionalId);
    throw route.failure(cause, { ...howFar(work), missing: await missingTopics(work, error) });
  } finally {
    timer.stop();
    ending.dispose();
    fetcher.close();
    writing.close();
  }
}

/** How far the run has come. */
function howFar({ route, writing, kept }: Work): Reached {
  // What was written in a transaction that is not committed does not count.
  if (route.transactions !== undefined) return { written: kept, forgotten: 0, inDoubt: 0 };
  const { written, inDoubt } = writing;
  return {
    written: { ...written },
    forgotten: route.isDry === true ? 0 : written.records - kept.records,
    inDoubt: route.isDry === true ? 0 : inDoubt,
  };
}

/** The topics that were written to and do not exist any more, if the failure may be about one. */
async function missingTopics({ client, route }: Work, failure: unknown): Promise<readonly string[]> {
  if (!(failure instanceof CliError) || failure.exitCode !== exitCodes.notFound) return [];
  const { target, topics } = route;
  const asked = target.metadata([...topics.keys()], 'once').then((found) => found.topics);
  const told = await within(client.options.deadline.clock, endMs, asked, () => []).catch(() => []);
  return told.flatMap(({ name, errorCode }) => (errorCode === codes.UNKNOWN_TOPIC_OR_PARTITION ? [name] : []));
}

/** Wakes the loop whenever something may be due. */
function startTimer(clock: Clock, wake: () => void): { stop(): void } {
  let cancel = (): void => undefined;
  const arm = (): void => {
    cancel = clock.after(transactionMs, () => {
      wake();
      arm();
    });
  };
  arm();
  return { stop: () => cancel() };
}

async function loop(work: Work): Promise<void> {
  const { fetcher, writing, membership } = work;
  await begin(work);
  while (!work.isStopped) {
    if (membership?.failure !== undefined) throw membership.failure;
    if (membership?.needsRejoin) await begin(work);

    if (writing.isCrowded) await writing.until(() => !writing.isCrowded || work.isStopped);
    await storeIfDue(work);
    await discoverIfDue(work);
    const got = await fetcher.next().catch((error: unknown) => afterRest(work, error));
    if (got === 'finished') {
      if (await isOver(work)) break;
      continue;
    }
    checkFailures(work);
    if (got !== 'woken') await forward(work, got);
  }
  await finish(work);
  await membership?.leave();
  checkSources(work);
}

/** Carries what is before damage, so that the next run begins with it; then fails. */
async function afterRest(work: Work, error: unknown): Promise<never> {
  if (isDamage(error)) await finish(work);
  throw error;
}

/** Fails if writing or storing has failed. */
function checkFailures({ failure, writing }: Work): void {
  if (failure !== undefined) throw failure;
  if (writing.failure !== undefined) throw writing.failure;
}

/**
 * Whether everything in the range is carried. In a group it may be for others to finish: they may also be killed, or give
 * up partitions, which this process gets then.
 */
async function isOver(work: Work): Promise<boolean> {
  const { membership, parts, route, client } = work;
  checkSources(work);
  // The last offsets of a range may have no record.
  for (const { position, trail } of parts.values()) {
    if (position.end !== undefined && trail.reached < position.end) trail.add(position.end, 0);
  }
  if (membership === undefined) return true;
  await finish(work);
  if (await route.isOver()) return true;
  const { clock, signal } = client.options.deadline;
  await sleepBy(clock.after, transactionMs, signal);
  return false;
}

/** Begins with the partitions of this process, which in a group may be others than before. */
async function begin(work: Work): Promise<void> {
  const { fetcher, membership, route, parts } = work;
  await finish(work);
  for (const position of parts.keys()) position.done = true;
  fetcher.setPositions([]);
  parts.clear();
  const joined = await membership?.join();
  for (const start of await route.starts(joined?.share)) {
    const part = openPart(start);
    parts.set(part.position, part);
  }
  // A destination that gets its first records has progress: another run may continue.
  await store(work);
  fetcher.setPositions([...parts.keys()]);
}

/** Takes up partitions that the source has got since. */
async function discoverIfDue(work: Work): Promise<void> {
  const { client, route, fetcher, membership, parts } = work;
  const now = client.options.deadline.clock.now();
  if (!route.isEndless || route.discover === undefined || now < work.discoverAt) return;
  work.discoverAt = now + discoverEveryMs;
  // Without an answer, the next turn asks again.
  const added = await route.discover().catch((error: unknown): readonly PartitionStart[] => {
    if (error instanceof CliError && error.exitCode === exitCodes.conflict) throw error;
    return [];
  });
  if (added.length === 0) return;
  // The members of a group get their shares of them.
  if (membership !== undefined) return membership.requestRejoin();
  for (const start of added) {
    const part = openPart(start);
    parts.set(part.position, part);
  }
  fetcher.setPositions([...parts.keys()]);
}

/** Waits until everything is written, and stores that. In a group, others may own the partitions by now. */
async function finish(work: Work): Promise<void> {
  const { writing, route, membership, parts } = work;
  await writing.until(() => writing.isSettled);
  await work.storing;
  try {
    await store(work);
  } catch (error) {
    if (membership === undefined || !isRefused(error)) throw error;
    for (const position of parts.keys()) position.done = true;
    parts.clear();
    await route.transactions?.abort();
    membership.requestRejoin();
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof CliError && error.code === groupInUse;
}

/** Hands what has arrived to the writing. */
async function forward(work: Work, chunks: readonly FetchedChunk[]): Promise<void> {
  const { writing } = work;
  const memory = chunks[0]?.records.buffer;
  if (memory === undefined) return;
  const shared: SharedMemory = { memory, uses: 1 };
  collectDue(work, memory.byteLength);
  for (const chunk of chunks) {
    const part = work.parts.get(chunk.position);
    if (part !== undefined) await forwardChunk(work, { part, chunk, shared });
  }
  writing.release(shared);
  writing.pump();
}

interface Arrived {
  readonly part: Part;
  readonly chunk: FetchedChunk;
  readonly shared: SharedMemory;
}

/** Takes note that reading goes on at another offset than the one after the last record. */
function jump(route: Route, part: Part, { jumps, offset }: Pick<PartitionPosition, 'jumps' | 'offset'>): void {
  if (part.jumps >= jumps) return;
  part.jumps = jumps;
  part.trail.jump(offset);
  route.onJump?.(part, offset);
}

async function forwardChunk(work: Work, { part, chunk, shared }: Arrived): Promise<void> {
  checkSource(work, chunk.position);
  jump(work.route, part, { jumps: chunk.jumps, offset: chunk.from });
  const { partition, end } = chunk.position;
  for (let { from } = chunk; ; ) {
    try {
      for (const portion of work.porter.portions({ ...chunk, from, partition, end }, part.origin)) {
        await forwardPortion(work, { part, shared }, portion);
        from = portion.upTo;
      }
      return;
    } catch (error) {
      if (!(await work.route.resolves(error))) {
        await afterRest(work, readFailure(error, chunk.position));
      }
    }
    // A chunk with pauses, as of a redrive with a rate, takes long.
    checkFailures(work);
    if (work.isStopped) return;
    await storeIfDue(work);
  }
}

async function forwardPortion(
  work: Work,
  { part, shared }: Pick<Arrived, 'part' | 'shared'>,
  portion: Portion,
): Promise<void> {
  const { route, writing } = work;
  const { position, trail } = part;
  const step = route.onPortion(part, portion);
  const all = portion.parcels.map((parcel) => ({ parcel, lane: route.laneOf(parcel.partition) }));
  for (const { parcel, lane } of await admit(work, all, { step, position, trail })) {
    writing.add(parcel, lane, { step, position, trail, shared });
  }
  part.handed = portion.upTo;
  writing.pump();
  if (portion.parcels.every(({ adoptedAt }) => adoptedAt !== undefined)) return;
  // Building takes long, and much may come of a small answer: sockets are served in between, and memory is bounded.
  if (writing.isCrowded) await writing.until(() => !writing.isCrowded || work.isStopped);
  for (const { writer } of portion.parcels) collectDue(work, writer.size);
  await nextTurn();
}

/** Collects garbage if there is much by now. */
function collectDue(work: Work, bytes: number): void {
  work.garbage += bytes;
  if (work.garbage < garbageBytes) return;
  work.garbage = 0;
  collectGarbage();
}

interface Addressed {
  readonly parcel: Parcel;
  readonly lane: Lane;
}

/** Includes the partitions in the transaction; returns what may be written to those that are not refused. */
async function admit(
  work: Work,
  all: readonly Addressed[],
  { step, position, trail }: Pick<ParcelOrigin, 'step' | 'position' | 'trail'>,
): Promise<readonly Addressed[]> {
  const { route, pool } = work;
  const { transactions, onLeft } = route;
  if (transactions === undefined) return all;
  const include = (some: readonly Addressed[]): Promise<void> =>
    whileUnknown(work, 'AddPartitionsToTxn', () =>
      transactions.include(some.map(({ lane: { topic, partition } }) => ({ topic, partition }))),
    );
  try {
    await include(all);
    return all;
  } catch (error) {
    if (!isForbidden(error) || onLeft === undefined) throw error;
  }
  const admitted: Addressed[] = [];
  for (const one of all) {
    try {
      await include([one]);
      admitted.push(one);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      const { writer } = one.parcel;
      const refusal = { code: codes.TOPIC_AUTHORIZATION_FAILED, reason: undefined, indexes: [] };
      onLeft({ position, offsets: pool.offsets.get(writer) ?? [], topic: one.lane.topic }, refusal);
      trail.acknowledge(step);
      pool.release(writer);
    }
  }
  return admitted;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Fails if the source is not the topic any more that the work began with. */
function checkSource({ route }: Work, { formerIds }: PartitionPosition): void {
  if (formerIds.length > 0) throw route.recreatedSource();
}

function checkSources(work: Work): void {
  for (const position of work.parts.keys()) checkSource(work, position);
}

async function storeIfDue(work: Work): Promise<void> {
  const { client, membership, storeMs } = work;
  const { transactions } = work.route;
  const now = client.options.deadline.clock.now();
  if (now < work.dueAt) return;
  work.dueAt = now + storeMs;
  if (transactions === undefined) work.storeMs = Math.min(storeMs * 2, storeEveryMs.most);
  else return await (membership === undefined ? store(work) : finish(work));
  work.storing = work.storing
    .then(() => store(work))
    .catch((error: unknown) => {
      // The next heartbeat has the member join again.
      if (membership === undefined || !isRefused(error)) work.failure ??= error;
      work.fetcher.wake();
    });
}

/** Stores how far the partitions are carried; in a transaction, together with what was written. */
async function store(work: Work): Promise<void> {
  const { writing, route } = work;
  const { transactions } = route;
  if (route.isDry === true) return;
  if (transactions !== undefined) await writing.until(() => writing.isSettled);
  if (transactions?.isOpen) await writing.confirm();
  await storeReached(work);
}

/** Stores what is acknowledged; in a transaction, nothing may be in flight. */
async function storeReached(work: Work): Promise<void> {
  const { client, writing, parts, membership, route } = work;
  const { transactions } = route;
  const now = client.options.deadline.clock.now();
  const committer = membership?.committer ?? outsider(route.group);
  // There may be no record after a jump for long; nothing else moves what counts as printed.
  for (const part of parts.values()) {
    const { jumps, printed } = part.position;
    jump(route, part, { jumps, offset: printed });
  }
  const isAllDue = now >= work.allDueAt;
  const due = [...parts.values()].filter(({ trail, stored }) => isAllDue || trail.reached !== stored);
  const reached = new Map(due.map((part) => [part, part.trail.reached]));
  const offsets = route.progressOf(due);
  const kept = { ...writing.written };
  await whileUnknown(work, transactions === undefined ? 'OffsetCommit' : 'TxnOffsetCommit', () =>
    transactions === undefined
      ? storeOffsets(route.target, committer, offsets)
      : transactions.commit(committer, offsets),
  );
  work.kept = kept;
  if (isAllDue) work.allDueAt = now + storeAllEveryMs;
  for (const [part, offset] of reached) part.stored = offset;
}

/**
 * Repeats what the coordinator refuses because it does not know a topic, like brokers do with batches: a deleted one is
 * waited for, and one that was created again ends the run at once.
 */
async function whileUnknown(
  { route: { target }, writing }: Work,
  api: string,
  attempt: () => Promise<void>,
): Promise<void> {
  if (writing.failure !== undefined) return await attempt();
  await target.retry(api, async () => {
    try {
      await attempt();
    } catch (error) {
      if (!(error instanceof CliError) || error.code !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error;
      await writing.confirm();
      throw rephrased(error, error.message, { retryable: true });
    }
  });
}

/** After a failure: ends the transaction, or stores what is acknowledged, if that is possible soon. */
async function giveUp(work: Work, failure: unknown): Promise<void> {
  const { client, writing, route } = work;
  const { transactions } = route;
  const { clock, signal } = client.options.deadline;
  if (signal.aborted || route.target.options.deadline.signal.aborted) return;
  const end = async (): Promise<void> => {
    writing.fail(new Error('the work has failed'));
    await writing.answered();
    if (transactions === undefined) await work.storing.then(() => storeLast(work));
    // What is before a damaged batch is carried: it would be damaged in every transaction.
    else if (isDamage(failure) && writing.inDoubt === 0) await storeReached(work);
    else await transactions.abort();
    await work.membership?.leave();
  };
  await within(clock, endMs, end(), () => undefined);
}

async function storeLast(work: Work): Promise<void> {
  const { route, parts, writing, membership } = work;
  if (route.lastProgress === undefined || route.isDry === true) return await store(work);
  const offsets = route.lastProgress([...parts.values()], writing.open);
  const kept = { ...writing.written };
  await storeOffsets(route.target, membership?.committer ?? outsider(route.group), offsets);
  work.kept = kept;
}

/** Rejects when one of the signals aborts. */
function abortion(signals: readonly AbortSignal[]) {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined); // nothing may wait for it any more
  const signal = AbortSignal.any([...signals]);
  const abort = (): void => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return { promise, dispose: () => signal.removeEventListener('abort', abort) };
}
