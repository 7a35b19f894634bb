import { type Clock, sleepBy, unlessAborted, within } from '../../clock.ts';
import { CliError, exitCodes } from '../../errors.ts';
import type { Client } from '../protocol/client/client.ts';
import { codes } from '../protocol/wire/error-codes.ts';
import { createAnswerMemory } from '../streams/consume/answer-memory.ts';
import { openFetcher } from '../streams/consume/fetcher.ts';
import { recreationWarning } from '../streams/consume/leaders.ts';
import type { PartitionStart } from '../streams/consume/position.ts';
import { resetPositions } from '../streams/consume/reset.ts';
import { finish, finishBefore, firstStoreMs, store, storeIfDue, storeLast, storeReached } from './checkpoint.ts';
import { isDamage, noProgress, type RunProgress } from './failures.ts';
import { checkFailures, checkSource, forward } from './forward.ts';
import { createWriterPool } from './packer.ts';
import { createPorter } from './portions.ts';
import { fencedIn } from './transactions.ts';
import { openPart, type Transfer, type TransferState } from './transfer.ts';
import { answered, closeWriting, inDoubt, isCrowded, openWriting, until } from './writing.ts';

/** How often the loop looks for what is due, and how long a transaction may stay open, in milliseconds. */
const tickMs = 500;
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

/** Carries the records of one topic to others. */
export interface RunningTransfer {
  /** Carries everything to the end of the range, or until `stop`. @throws the first failure */
  run(): Promise<void>;
  /** Stops reading; `run` then writes what was read, stores the progress and resolves. */
  stop(): void;
  readonly reached: RunProgress;
  /** Records that are read but not acknowledged. */
  readonly pending: number;
}

/** Opens a transfer from the cluster of the client, without a request: `run` prepares it first. */
export function openTransfer(client: Client, prepare: () => Promise<Transfer>): RunningTransfer {
  let state: TransferState | undefined;
  let isStopped = false;
  return {
    async run() {
      state = openState(client, await prepare());
      state.isStopped = isStopped;
      await run(state);
      state.transfer.onEnd?.(howFar(state));
    },
    stop() {
      isStopped = true;
      if (state === undefined) return;
      state.isStopped = true;
      state.fetcher.wake();
    },
    get reached() {
      return state === undefined ? noProgress : howFar(state);
    },
    get pending() {
      return state?.writing.pendingRecords ?? 0;
    },
  };
}

function openState(client: Client, transfer: Transfer): TransferState {
  const { source, records, destination, progress, warn } = transfer;
  const { maxBatchBytes, transactions } = destination;
  const memory = createAnswerMemory();
  const isTransactional = transactions !== undefined;
  const pool = createWriterPool(Math.min(rebuiltBytes, maxBatchBytes), isTransactional);
  const maxBytes = Math.max(leastBytes, answerBytes / source.atOnce);
  // A source that was created again ends the run, with an error that says so.
  const untrue = [true, false].map((isRange) => recreationWarning(source.topic, isRange));
  const warnOfSource = (line: string): void => {
    if (!untrue.includes(line)) warn(line);
  };
  const fetcher = openFetcher(client, {
    maxWaitMs: source.fetchMaxWaitMs,
    maxBytes,
    maxPartitionBytes: maxBytes / 2,
    readCommitted: true,
    rack: '',
    endless: source.isEndless,
    outlivesTopics: false,
    warn: warnOfSource,
    allocate: memory.allocate,
    reset: (positions) => resetPositions(client, positions, warnOfSource),
  });
  const { clock } = client.options.deadline;
  return {
    client,
    transfer,
    fetcher,
    writing: openWriting(destination, {
      pool,
      memory,
      maxPendingBytes: Math.max(leastBytes, pendingBytes / source.atOnce),
      warn,
      onFailure: fetcher.wake,
    }),
    pool,
    porter: createPorter({ ...records, pool, maxBatchBytes, isTransactional }),
    membership: progress.openMembership?.(fetcher.wake),
    parts: new Map(),
    isStopped: false,
    storeAt: clock.now(),
    storeMs: isTransactional ? tickMs : firstStoreMs,
    storeAllAt: 0,
    discoverAt: clock.now() + discoverEveryMs,
    stored: { records: 0, bytes: 0 },
    garbage: 0,
    storing: Promise.resolve(),
    failure: undefined,
  };
}

async function run(state: TransferState): Promise<void> {
  const { client, fetcher, writing, transfer } = state;
  const { client: target, transactions } = transfer.destination;
  const timer = startTimer(client.options.deadline.clock, fetcher.wake);
  try {
    await unlessAborted(
      AbortSignal.any([client.options.deadline.signal, target.options.deadline.signal]),
      carryAll(state),
    );
  } catch (error) {
    await giveUp(state, error).catch(() => undefined); // the first failure is the one to report
    const cause = transactions === undefined ? error : fencedIn(error, transactions.transactionalId);
    throw transfer.failure(cause, { ...howFar(state), missing: await missingTopics(state, error) });
  } finally {
    timer.stop();
    fetcher.close();
    closeWriting(writing);
  }
}

/** Wakes the loop whenever something may be due. */
function startTimer(clock: Clock, wake: () => void): { stop(): void } {
  let cancel = (): void => undefined;
  const arm = (): void => {
    cancel = clock.after(tickMs, () => {
      wake();
      arm();
    });
  };
  arm();
  return { stop: () => cancel() };
}

async function carryAll(state: TransferState): Promise<void> {
  const { fetcher, writing, membership } = state;
  await begin(state);
  while (!state.isStopped) {
    if (membership?.failure !== undefined) throw membership.failure;
    if (membership?.needsRejoin) await begin(state);

    if (isCrowded(writing)) await until(writing, () => !isCrowded(writing) || state.isStopped);
    await storeIfDue(state);
    await discoverIfDue(state);
    const chunks = await fetcher.next().catch((error: unknown) => finishBefore(state, error));
    if (chunks === 'finished') {
      if (await isOver(state)) break;
      continue;
    }
    checkFailures(state);
    if (chunks !== 'woken') await forward(state, chunks);
  }
  await finish(state);
  await membership?.leave();
  checkSources(state);
}

/** Begins with the partitions of this process, which in a group may be others than before. */
async function begin(state: TransferState): Promise<void> {
  const { fetcher, membership, transfer, parts } = state;
  await finish(state);
  for (const position of parts.keys()) position.done = true;
  fetcher.setPositions([]);
  parts.clear();
  const joined = await membership?.join();
  addParts(state, await transfer.source.starts(joined?.share));
  // A destination that gets its first records has progress: another run may continue.
  await store(state);
  fetcher.setPositions([...parts.keys()]);
}

function addParts({ parts }: TransferState, starts: readonly PartitionStart[]): void {
  for (const start of starts) {
    const part = openPart(start);
    parts.set(part.position, part);
  }
}

/** Takes up partitions that the source has got since. */
async function discoverIfDue(state: TransferState): Promise<void> {
  const { client, transfer, fetcher, membership, parts } = state;
  const { source } = transfer;
  const now = client.options.deadline.clock.now();
  if (!source.isEndless || source.discover === undefined || now < state.discoverAt) return;
  state.discoverAt = now + discoverEveryMs;
  // Without an answer, the next turn asks again.
  const added = await source.discover().catch((error: unknown): readonly PartitionStart[] => {
    if (error instanceof CliError && error.exitCode === exitCodes.conflict) throw error;
    return [];
  });
  if (added.length === 0) return;
  // The members of a group get their shares of them.
  if (membership !== undefined) return membership.requestRejoin();
  addParts(state, added);
  fetcher.setPositions([...parts.keys()]);
}

/**
 * Whether everything in the range is carried. In a group it may be for others to finish: they may also be killed, or give
 * up partitions, which this process gets then.
 */
async function isOver(state: TransferState): Promise<boolean> {
  const { membership, parts, transfer, client } = state;
  checkSources(state);
  // The last offsets of a range may have no record.
  for (const { position, trail } of parts.values()) {
    if (position.end !== undefined && trail.reached < position.end) trail.add(position.end, 0);
  }
  if (membership === undefined) return true;
  await finish(state);
  if (await transfer.progress.isOver?.()) return true;
  const { clock, signal } = client.options.deadline;
  await sleepBy(clock.after, tickMs, signal);
  return false;
}

function checkSources({ parts, transfer }: TransferState): void {
  for (const position of parts.keys()) checkSource(transfer, position);
}

/** How far the run has come. */
function howFar({ transfer, writing, stored }: TransferState): RunProgress {
  const { transactions, isDry } = transfer.destination;
  // What was written in a transaction that is not committed does not count.
  if (transactions !== undefined) return { written: stored, forgotten: 0, inDoubt: 0 };
  const written = { ...writing.written };
  if (isDry) return { written, forgotten: 0, inDoubt: 0 };
  return { written, forgotten: written.records - stored.records, inDoubt: inDoubt(writing) };
}

/** After a failure: ends the transaction, or stores what is acknowledged, if that is possible soon. */
async function giveUp(state: TransferState, failure: unknown): Promise<void> {
  const { client, writing, transfer } = state;
  const { client: target, transactions } = transfer.destination;
  const { clock, signal } = client.options.deadline;
  if (signal.aborted || target.options.deadline.signal.aborted) return;
  const end = async (): Promise<void> => {
    writing.sender.fail(new Error('the work has failed'));
    await answered(writing);
    if (transactions === undefined) await state.storing.then(() => storeLast(state));
    // What is before a damaged batch is carried: it would be damaged in every transaction.
    else if (isDamage(failure) && inDoubt(writing) === 0) await storeReached(state);
    else await transactions.abort();
    await state.membership?.leave();
  };
  await within(clock, endMs, end(), () => undefined);
}

/** The topics that were written to and do not exist any more, if the failure may be about one. */
async function missingTopics({ client, transfer }: TransferState, failure: unknown): Promise<readonly string[]> {
  if (!(failure instanceof CliError) || failure.exitCode !== exitCodes.notFound) return [];
  const { client: target, topics } = transfer.destination;
  const metadata = target.metadata([...topics.keys()], 'once').then((answer) => answer.topics);
  const now = await within(client.options.deadline.clock, endMs, metadata, () => []).catch(() => []);
  return now.flatMap(({ name, errorCode }) => (errorCode === codes.UNKNOWN_TOPIC_OR_PARTITION ? [name] : []));
}
