import { type Clock, sleepBy, within } from '../../clock.ts';
import { CliError } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import type { FetchedChunk } from '../consume/answer.ts';
import { type AnswerMemory, createAnswerMemory } from '../consume/answer-memory.ts';
import { type Fetcher, openFetcher } from '../consume/fetcher.ts';
import { createPosition, type PartitionPosition, type PartitionStart } from '../consume/position.ts';
import { resetPositions } from '../consume/reset.ts';
import { createSifter } from '../consume/sift.ts';
import type { GroupMembership } from '../groups/member.ts';
import { createMembership } from '../groups/membership.ts';
import { isOwnedBy } from '../groups/subscription.ts';
import { requestIdentity } from '../produce/identity.ts';
import { type RecordCursor, type RecordOrigin, recordOrigin } from '../records/cursor.ts';
import { partitionOfKey } from '../records/partitioner.ts';
import { copyFailure, readFailure } from './failures.ts';
import { createWriterPool } from './packer.ts';
import { continuedStarts, type PlannedPair, recreatedSource, recreatedTarget, withTarget } from './plan.ts';
import { createPorter, type Porter } from './portions.ts';
import type { CopyRequest } from './request.ts';
import { carrierOf, encodeProgress, groupInUse, storeOffsets } from './stored-progress.ts';
import { createTrail, type Trail } from './trail.ts';
import { openTransactions, type Transactions } from './transactions.ts';
import { openWriting, type SharedMemory, type Writing } from './writing.ts';

/** How often progress is stored, in milliseconds: what a killed copy writes again without transactions. */
const storeEveryMs = 1_000;
/** How long a transaction stays open, in milliseconds; readers of the destination see its records after that. */
const transactionMs = 500;
/** How long a copy that has failed may take to end, in milliseconds. */
const endMs = 2_000;
/** The timings of a member of a group, in milliseconds: others take over from one that was killed after the first. */
const timings = { sessionTimeoutMs: 15_000, rebalanceTimeoutMs: 60_000, heartbeatMs: 3_000 };
/** The size of rebuilt batches, in bytes before compression. */
const rebuiltBytes = 1 << 20;
/** Bytes that may wait for the destination, and that one answer of the source may have, for all topics together. */
const pendingBytes = 24 << 20;
const answerBytes = 8 << 20;
/** The least of these for one topic. */
const leastBytes = 2 << 20;

/** The copy of one topic. */
export interface PairCopy {
  /** Copies to the end of the range, or until `stop`. @throws the first failure */
  run(): Promise<void>;
  /** Stops reading; `run` then writes what was read, stores the progress and resolves. */
  stop(): void;
  readonly written: { readonly records: number; readonly bytes: number };
  /** Records that are read but not acknowledged. */
  readonly pending: number;
}

/** The parts of the copy of one topic. */
export interface PairOptions {
  readonly request: CopyRequest;
  readonly pair: PlannedPair;
  /** The number of topics that are copied at the same time. */
  readonly atOnce: number;
  /** Called with the number of records of each acknowledged batch. */
  onCopied(records: number): void;
}

/** A source partition that is being copied. */
interface Part {
  readonly position: PartitionPosition;
  readonly trail: Trail;
  readonly origin: RecordOrigin;
  /** The position's `jumps` when the last records arrived. */
  jumps: number;
  /** The offset that is stored. */
  stored: bigint;
}

/** The state of a running copy. */
interface Work extends PairOptions {
  readonly client: Client;
  readonly fetcher: Fetcher;
  readonly memory: AnswerMemory;
  readonly writing: Writing;
  readonly porter: Porter;
  readonly sifter: ReturnType<typeof sifterOf>;
  readonly transactions: Transactions | undefined;
  /** The membership in the group that shares the partitions; undefined if this process copies all of them. */
  readonly membership: GroupMembership | undefined;
  readonly parts: Map<PartitionPosition, Part>;
  /** When progress is stored next, on the client's clock. */
  dueAt: number;
  /** Settles when nothing is being stored. */
  storing: Promise<void>;
  failure: unknown;
}

/** Opens the copy of one topic, without a request. */
export function openPairCopy(client: Client, options: PairOptions): PairCopy {
  const state: { work: Work | undefined; isStopped: boolean } = { work: undefined, isStopped: false };
  return {
    async run() {
      const pair = await withTarget(options.pair, options.request);
      const work = await openWork(client, { ...options, pair });
      state.work = work;
      await run(work, () => state.isStopped);
    },
    stop() {
      state.isStopped = true;
      state.work?.fetcher.wake();
    },
    get written() {
      return state.work?.writing.written ?? { records: 0, bytes: 0 };
    },
    get pending() {
      return state.work?.writing.pending ?? 0;
    },
  };
}

async function openWork(client: Client, options: PairOptions): Promise<Work> {
  const { request, pair, atOnce } = options;
  const { target, maxBatchBytes, source } = pair;
  const { client: destination } = request.target;
  // Before the progress is read: from then on no other process moves it.
  const transactions = request.isExactlyOnce ? await openProducer(client, options) : undefined;
  const identity = transactions?.identity ?? (await requestIdentity(destination));
  const memory = createAnswerMemory();
  const isTransactional = transactions !== undefined;
  const pool = createWriterPool(Math.min(rebuiltBytes, maxBatchBytes), isTransactional);
  const maxBytes = Math.max(leastBytes, answerBytes / atOnce);
  const fetcher = openFetcher(client, {
    maxWaitMs: request.fetchMaxWaitMs,
    maxBytes,
    maxPartitionBytes: maxBytes / 2,
    readCommitted: true,
    rack: '',
    endless: request.range.end === undefined,
    outlivesTopics: false,
    warn: request.warn,
    allocate: memory.allocate,
    reset: (positions) => resetPositions(client, positions, request.warn),
  });
  const writing = openWriting(destination, {
    identity,
    transactionalId: transactions?.transactionalId,
    topic: target,
    pool,
    memory,
    maxPendingBytes: Math.max(leastBytes, pendingBytes / atOnce),
    warn: request.warn,
    onWritten: options.onCopied,
    onFailure: fetcher.wake,
    recreated: () => recreatedTarget(source.name, target.name),
  });
  const sifter = sifterOf(request);
  const partitionOf = request.isByKey ? byKey(target.lanes.length) : undefined;
  return {
    ...options,
    client,
    fetcher,
    memory,
    writing,
    porter: createPorter({ pool, maxBatchBytes, isTransactional, partitionOf, wants: sifter?.wants }),
    sifter,
    transactions,
    membership:
      request.group === undefined
        ? undefined
        : createMembership(destination, {
            group: request.group,
            instanceId: undefined,
            balancers: ['sticky', 'range'],
            ...timings,
            topics: () => [target.name],
            onChange: fetcher.wake,
          }),
    parts: new Map(),
    dueAt: client.options.deadline.clock.now(),
    storing: Promise.resolve(),
    failure: undefined,
  };
}

/** Chooses records; undefined for all of them. */
function sifterOf({ filter }: CopyRequest) {
  if (filter === undefined) return undefined;
  const sifter = createSifter(filter.filter, undefined);
  return {
    wants(cursor: RecordCursor): boolean {
      sifter.see();
      return sifter.takes(cursor);
    },
    report: () => filter.onSifted(sifter.take()),
  };
}

/** Members of a group have producers of their own; otherwise the last process that copies the topic is the only one. */
function openProducer(client: Client, { request, pair }: PairOptions): Promise<Transactions> {
  const { target, group } = request;
  if (group === undefined) return openTransactions(target.client, pair.group, 'alone');
  const suffix = Math.floor(client.options.deadline.clock.random() * 2 ** 48).toString(36);
  return openTransactions(target.client, `${group}-${suffix}`, 'inGroup');
}

function openPart(start: PartitionStart): Part {
  const position = createPosition(start);
  const { topic, partition, offset, jumps } = position;
  return { position, trail: createTrail(offset), origin: recordOrigin(topic, partition), jumps, stored: -1n };
}

/** The partition that clients choose for a key; records without one stay where they are, as far as that is possible. */
function byKey(partitions: number): (cursor: RecordCursor, partition: number) => number {
  return ({ bytes, keyStart, keyLength }, partition) =>
    keyLength < 0 ? partition % partitions : partitionOfKey(bytes, keyStart, keyLength, partitions);
}

async function run(work: Work, isStopped: () => boolean): Promise<void> {
  const { client, fetcher, writing, request } = work;
  const { clock } = client.options.deadline;
  const ending = abortion([client.options.deadline.signal, request.target.client.options.deadline.signal]);
  const timer = startTimer(clock, fetcher.wake);
  try {
    await Promise.race([loop(work, isStopped), ending.promise]);
  } catch (error) {
    await giveUp(work).catch(() => undefined); // the first failure is the one to report
    throw copyFailure(error, work.pair, writing);
  } finally {
    timer.stop();
    ending.dispose();
    fetcher.close();
    writing.close();
  }
}

/** Wakes the copy whenever something may be due. */
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

async function loop(work: Work, isStopped: () => boolean): Promise<void> {
  const { fetcher, writing, membership } = work;
  await begin(work);
  while (!isStopped()) {
    if (membership?.failure !== undefined) throw membership.failure;
    if (membership?.needsRejoin) await begin(work);

    if (writing.isCrowded) await writing.until(() => !writing.isCrowded || isStopped());
    await storeIfDue(work);
    const got = await fetcher.next();
    if (got === 'finished') {
      if (await isOver(work)) break;
      continue;
    }
    if (work.failure !== undefined) throw work.failure;
    if (writing.failure !== undefined) throw writing.failure;
    if (got !== 'woken') await forward(work, got);
  }
  await finish(work);
  await membership?.leave();
  checkSources(work);
}

/**
 * Whether everything in the range is copied. In a group it may be for others to finish: they may also be killed, or give
 * up partitions, which this process gets then.
 */
async function isOver(work: Work): Promise<boolean> {
  const { membership, parts, pair, request, client } = work;
  checkSources(work);
  // The last offsets of a range may have no record.
  for (const { position, trail } of parts.values()) {
    if (position.end !== undefined && trail.reached < position.end) trail.add(position.end, 0);
  }
  if (membership === undefined) return true;
  await finish(work);
  await continuedStarts(pair, request);
  const isReached = ({ partition, offset, end = offset }: PartitionStart): boolean =>
    (pair.known.get(partition) ?? offset) >= end;
  if (pair.starts.every(isReached)) return true;
  const { clock, signal } = client.options.deadline;
  await sleepBy(clock.after, transactionMs, signal);
  return false;
}

/** Begins with the partitions of this process, which in a group may be others than before. */
async function begin(work: Work): Promise<void> {
  const { fetcher, membership, pair, request, parts, transactions } = work;
  await finish(work);
  for (const position of parts.keys()) position.done = true;
  fetcher.setPositions([]);
  parts.clear();
  const share = await membership?.join();
  const starts = share === undefined && transactions === undefined ? pair.starts : await continuedStarts(pair, request);
  const isOwn = share === undefined ? () => true : isOwnedBy(share.share);
  const { name: topic, lanes } = pair.target;
  for (const start of starts) {
    if (!isOwn({ topic, partition: carrierOf(start.partition, lanes.length) })) continue;
    const part = openPart(start);
    parts.set(part.position, part);
  }
  // A destination that gets its first records has progress: another run may continue.
  await store(work);
  fetcher.setPositions([...parts.keys()]);
}

/** Waits until everything is written, and stores that. In a group, others may own the partitions by now. */
async function finish(work: Work): Promise<void> {
  const { writing, transactions, membership, parts } = work;
  await writing.until(() => writing.isSettled);
  await work.storing;
  try {
    await store(work);
  } catch (error) {
    if (membership === undefined || !isRefused(error)) throw error;
    for (const position of parts.keys()) position.done = true;
    parts.clear();
    await transactions?.abort();
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

async function forwardChunk(work: Work, { part, chunk, shared }: Arrived): Promise<void> {
  const { porter, pair, transactions, writing } = work;
  const { partition, end } = chunk.position;
  checkSource(work, chunk.position);
  if (chunk.jumps !== part.jumps) {
    part.jumps = chunk.jumps;
    part.trail.restart(chunk.from);
  }
  try {
    for (const { parcels, upTo } of porter.portions({ ...chunk, partition, end }, part.origin)) {
      const step = part.trail.add(upTo, parcels.length);
      const { position, trail } = part;
      if (transactions !== undefined) {
        await transactions.include(parcels.map(({ partition }) => ({ topic: pair.target.name, partition })));
      }
      for (const parcel of parcels) {
        const lane = pair.target.lanes[parcel.partition];
        if (lane === undefined) throw new Error(`no partition ${parcel.partition}`);
        writing.add(parcel, lane, { step, position, trail, shared });
      }
      writing.pump();
      work.sifter?.report();
    }
  } catch (error) {
    throw readFailure(error, chunk.position);
  }
}

/** Fails if the source is not the topic any more that the copy began with. */
function checkSource({ pair }: Work, { formerIds }: PartitionPosition): void {
  if (formerIds.length > 0) throw recreatedSource(pair.source.name, pair.target.name);
}

function checkSources(work: Work): void {
  for (const position of work.parts.keys()) checkSource(work, position);
}

async function storeIfDue(work: Work): Promise<void> {
  const { client, transactions, membership } = work;
  const now = client.options.deadline.clock.now();
  if (now < work.dueAt) return;
  work.dueAt = now + (transactions === undefined ? storeEveryMs : transactionMs);
  if (transactions !== undefined) return await (membership === undefined ? store(work) : finish(work));
  work.storing = work.storing
    .then(() => store(work))
    .catch((error: unknown) => {
      // The next heartbeat has the member join again.
      if (membership === undefined || !isRefused(error)) work.failure ??= error;
      work.fetcher.wake();
    });
}

/** Stores how far the partitions are copied; in a transaction, together with what was written. */
async function store(work: Work): Promise<void> {
  const { transactions, writing, request, pair, parts, membership } = work;
  const alone = { group: pair.group, generation: -1, memberId: '', instanceId: undefined };
  const committer = membership?.committer ?? alone;
  if (transactions !== undefined) await writing.until(() => writing.isSettled);
  const moved = [...parts.values()].filter(({ trail, stored }) => trail.reached !== stored);
  const reached = new Map(moved.map((part) => [part, part.trail.reached]));
  for (const [{ position }, offset] of reached) pair.known.set(position.partition, offset);
  const { name, lanes } = pair.target;
  const carriers = new Set(moved.map(({ position }) => carrierOf(position.partition, lanes.length)));
  const offsets = encodeProgress(name, { ...pair, offsets: pair.known }, lanes.length);
  const changed = offsets.filter(({ partition }) => carriers.has(partition));
  if (transactions !== undefined) await transactions.commit(committer, changed);
  else await storeOffsets(request.target.client, committer, changed);
  for (const [part, offset] of reached) part.stored = offset;
}

/** After a failure: ends the transaction, or stores what is acknowledged, if that is possible soon. */
async function giveUp(work: Work): Promise<void> {
  const { client, transactions, writing, request } = work;
  const { clock, signal } = client.options.deadline;
  if (signal.aborted || request.target.client.options.deadline.signal.aborted) return;
  const end = async (): Promise<void> => {
    writing.fail(new Error('the copy has failed'));
    await writing.answered();
    await (transactions === undefined ? work.storing.then(() => store(work)) : transactions.abort());
    await work.membership?.leave();
  };
  await within(clock, endMs, end(), () => undefined);
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
