import { CliError, rephrased } from '../../errors.ts';
import type { Client } from '../protocol/client/client.ts';
import type { BatchWriter } from '../records/batches/batch-writer.ts';
import { CorruptRecordsError } from '../records/batches/corrupt.ts';
import type { AnswerMemory } from '../streams/consume/answer-memory.ts';
import type { PartitionPosition } from '../streams/consume/position.ts';
import { type Batch, type Lane, type ProducerIdentity, type Refusal, sealLane } from '../streams/produce/lane.ts';
import { uncertainBatches } from '../streams/produce/lane-flow.ts';
import { openSender, type Sender } from '../streams/produce/sender.ts';
import { openRefresher, type ProduceTopic, type Refresher } from '../streams/produce/topics.ts';
import { isSound } from './adopt.ts';
import { readFailure } from './failures.ts';
import { divideRefused, type WriterPool } from './packer.ts';
import type { Parcel } from './portions.ts';
import type { Trail, TrailStep } from './trail.ts';
import type { Transactions } from './transactions.ts';

/** The timeout inside a Produce request, in milliseconds. */
const produceTimeoutMs = 5_000;

/** The memory of an answer, which is used until every batch in it is acknowledged. */
export interface SharedMemory {
  readonly memory: ArrayBufferLike;
  /** Batches in it that are not acknowledged, and one while the answer is being divided. */
  uses: number;
}

/** Where a parcel comes from. */
export interface ParcelOrigin {
  readonly position: PartitionPosition;
  readonly step: TrailStep;
  readonly trail: Trail;
  readonly shared: SharedMemory;
}

/** A batch that is not acknowledged. */
export interface OpenBatch extends ParcelOrigin, Parcel {
  /** The size of its memory when it was added. */
  readonly capacity: number;
}

/** Where records come from, and where they go. */
export interface BatchOrigin {
  readonly position: PartitionPosition;
  readonly offsets: readonly bigint[];
  readonly topic: string;
}

/** Where records are written. */
export interface Destination {
  readonly client: Client;
  /** The topics that are written to, by name; more may be added. */
  readonly topics: ReadonlyMap<string, ProduceTopic>;
  /** The size in bytes above which no batch is built. */
  readonly maxBatchBytes: number;
  readonly identity: ProducerIdentity;
  readonly transactions: Transactions | undefined;
  /** Whether nothing is sent, and nothing stored: every batch counts as acknowledged at once. */
  readonly isDry: boolean;
  /** Where the batches go whose `partition` is this number. */
  laneOf(partition: number): Lane;
  /** Called with the number of records of each acknowledged batch. */
  onWritten(records: number): void;
  /** Called with where the records of each acknowledged batch come from, if that is noted. */
  onPlaced?(origin: BatchOrigin): void;
  /** Called for records that the destination refuses; undefined: the first refusal is a failure. */
  readonly onLeft?: ((origin: BatchOrigin, refusal: Refusal) => void) | undefined;
  /** Makes the error for a destination that was deleted and created again. */
  recreated(): unknown;
}

interface WritingOptions {
  readonly pool: WriterPool;
  readonly memory: Pick<AnswerMemory, 'release'>;
  /** Bytes that may wait for brokers before reading pauses. */
  readonly maxPendingBytes: number;
  warn(line: string): void;
  /** Called when sending has failed. */
  onFailure(): void;
}

/** Writes batches to the destination: idempotently, each partition in order. */
export interface Writing {
  readonly destination: Destination;
  readonly options: WritingOptions;
  readonly sender: Sender;
  /** Undefined if nothing is sent. */
  readonly refresher: Refresher | undefined;
  readonly lanes: Set<Lane>;
  /** The batches that are not acknowledged. */
  readonly batches: Map<BatchWriter, OpenBatch>;
  /** Records that are acknowledged, and their size in batches. */
  readonly written: { records: number; bytes: number };
  /** What was sent or waits, without an answer. */
  pendingBytes: number;
  pendingRecords: number;
  readonly waiters: Set<() => void>;
}

/** Opens a writing. */
export function openWriting(destination: Destination, options: WritingOptions): Writing {
  const { client, topics, identity, transactions, isDry, onLeft } = destination;
  // Half of the records would be in a topic that is gone.
  const refresher = isDry ? undefined : openRefresher(client, topics, () => sender.fail(destination.recreated()));
  const lanes = new Set<Lane>();
  const sender = openSender(
    client,
    {
      acks: -1,
      identity,
      transactionalId: transactions?.transactionalId,
      warn: options.warn,
      onTopics: (answer) => refresher?.update(answer),
      hasDeliveryTimeout: false,
      timeoutMs: produceTimeoutMs,
      onDelivered: (batch) => settle(writing, batch),
      replacementsOf: onLeft && ((batch) => replace(writing, batch)),
      onRefused(batch, { code }) {
        if (code === 'CORRUPT_MESSAGE') checkAdopted(writing, batch);
      },
      onProgress() {
        if (sender.failure !== undefined) options.onFailure();
        notify(writing);
      },
    },
    lanes,
  );
  const writing: Writing = {
    destination,
    options,
    sender,
    refresher,
    lanes,
    batches: new Map(),
    written: { records: 0, bytes: 0 },
    pendingBytes: 0,
    pendingRecords: 0,
    waiters: new Set(),
  };
  return writing;
}

/** Queues a batch for its partition. */
export function addBatch(writing: Writing, parcel: Parcel, lane: Lane, origin: ParcelOrigin): void {
  const { destination, lanes, sender, batches } = writing;
  const { clock } = destination.client.options.deadline;
  const { writer, adoptedAt } = parcel;
  if (!destination.isDry) {
    lane.open = { writer, createdAt: clock.now(), createdWallMs: clock.wallTime(), numbers: [] };
    sealLane(lane, destination.identity);
    lanes.add(lane);
  }
  const { capacity } = writer;
  batches.set(writer, { ...parcel, ...origin, capacity });
  writing.pendingBytes += capacity;
  writing.pendingRecords += writer.count;
  if (adoptedAt !== undefined) origin.shared.uses += 1;
  if (destination.isDry) settle(writing, { writer, lane });
  else sender.add(lane);
}

/** Whether so much waits that reading should pause. */
export function isCrowded({ pendingBytes, options }: Writing): boolean {
  return pendingBytes >= options.maxPendingBytes;
}

/** Whether every batch is acknowledged. */
export function isSettled({ batches }: Writing): boolean {
  return batches.size === 0;
}

/** Resolves when `isDone`, which is checked whenever something is acknowledged. @throws the first failure */
export async function until(writing: Writing, isDone: () => boolean): Promise<void> {
  const { sender, destination } = writing;
  for (;;) {
    destination.client.options.deadline.signal.throwIfAborted();
    if (sender.failure !== undefined) throw sender.failure;
    if (isDone()) return;
    sender.pump();
    await changed(writing);
  }
}

/**
 * Resolves if the topics that are written to are those of the beginning. Partitions are added to transactions by the
 * topic's name, and transactional batches name it as well: only its id tells whether they went to a new one.
 */
export async function confirmTopics({ destination, refresher, sender }: Writing): Promise<void> {
  const names = [...destination.topics.values()].flatMap(({ name, identity }) =>
    identity.id === undefined ? [] : [name],
  );
  if (names.length === 0) return;
  refresher?.update((await destination.client.metadata(names)).topics);
  if (sender.failure !== undefined) throw sender.failure;
}

/**
 * Repeats what the coordinator refuses because it does not know a topic, like brokers do with batches: a deleted one is
 * waited for, and one that was created again ends the run at once.
 */
export async function whileTopicsUnknown(writing: Writing, api: string, attempt: () => Promise<void>): Promise<void> {
  if (writing.sender.failure !== undefined) return await attempt();
  await writing.destination.client.retry(api, async () => {
    try {
      await attempt();
    } catch (error) {
      if (!(error instanceof CliError) || error.code !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error;
      await confirmTopics(writing);
      throw rephrased(error, error.message, { retryable: true });
    }
  });
}

/** The number of records that may or may not be in the log. */
export function inDoubt({ lanes }: Writing): number {
  return [...lanes].flatMap(uncertainBatches).reduce((sum, { records }) => sum + records, 0);
}

/** Resolves when no request is without an answer; call `sender.fail` first. */
export async function answered(writing: Writing): Promise<void> {
  while (writing.sender.isBusy) await changed(writing);
}

/** Gives up a use of an answer's memory. */
export function release({ options }: Writing, shared: SharedMemory): void {
  shared.uses -= 1;
  if (shared.uses === 0) options.memory.release(shared.memory);
}

/** Closes every connection. */
export function closeWriting(writing: Writing): void {
  writing.refresher?.close();
  writing.sender.close();
  notify(writing);
}

/** Ends the work if the batch was damaged when it was read; otherwise it was damaged on its way, and is sent again. */
function checkAdopted({ batches, sender }: Writing, { writer, bytes }: Batch): void {
  const { adoptedAt, position } = batches.get(writer) ?? {};
  if (adoptedAt === undefined || position === undefined || isSound(bytes)) return;
  sender.fail(readFailure(new CorruptRecordsError(adoptedAt, 'the checksum does not match'), position));
}

/** Resolves at the next change; test the condition in the same tick as this is called. */
function changed({ waiters }: Writing): Promise<void> {
  return new Promise((resolve) => {
    waiters.add(resolve);
  });
}

function notify({ waiters }: Writing): void {
  const waiting = [...waiters];
  waiters.clear();
  for (const wake of waiting) wake();
}

/** Leaves out the records for which the batch was refused. */
function replace(writing: Writing, batch: Batch): readonly BatchWriter[] {
  const { batches, destination, options } = writing;
  const { lane, writer, refusal } = batch;
  const open = batches.get(writer);
  if (open === undefined || refusal === undefined) return [writer];
  const { position, step, trail } = open;
  const { writers, left } = divideRefused(batch, refusal, options.pool);
  batches.delete(writer);
  writing.pendingBytes -= open.capacity;
  writing.pendingRecords -= left.length;
  for (const replacement of writers) {
    const { capacity } = replacement;
    batches.set(replacement, { ...open, writer: replacement, capacity });
    writing.pendingBytes += capacity;
  }
  step.left += writers.length;
  if (left.length > 0) destination.onLeft?.({ position, offsets: left, topic: lane.topic }, refusal);
  trail.acknowledge(step);
  options.pool.release(writer);
  return writers;
}

function settle(writing: Writing, { writer, lane }: Pick<Batch, 'writer' | 'lane'>): void {
  const { batches, destination, options, written } = writing;
  const open = batches.get(writer);
  if (open === undefined) return;
  batches.delete(writer);
  const { count, size } = writer;
  writing.pendingBytes -= open.capacity;
  writing.pendingRecords -= count;
  written.records += count;
  written.bytes += size;
  const { position, step, trail } = open;
  destination.onPlaced?.({ position, offsets: options.pool.offsets.get(writer) ?? [], topic: lane.topic });
  trail.acknowledge(step);
  destination.onWritten(count);
  if (open.adoptedAt !== undefined) release(writing, open.shared);
  else options.pool.release(writer);
}
