import type { Client } from '../protocol/client/client.ts';
import type { BatchWriter } from '../records/batches/batch-writer.ts';
import { CorruptRecordsError } from '../records/batches/corrupt.ts';
import type { AnswerMemory } from '../streams/consume/answer-memory.ts';
import type { PartitionPosition } from '../streams/consume/position.ts';
import { type Batch, type Lane, type ProducerIdentity, type Refusal, sealLane } from '../streams/produce/lane.ts';
import { uncertainBatches } from '../streams/produce/lane-flow.ts';
import { openSender, type Sender, type SenderOptions } from '../streams/produce/sender.ts';
import { openRefresher, type ProduceTopic } from '../streams/produce/topics.ts';
import { isSound } from './adopt.ts';
import type { OpenBatch } from './copy/ahead.ts';
import { readFailure } from './copy/failures.ts';
import type { WriterPool } from './packer.ts';
import type { Parcel } from './portions.ts';
import { divideRefused } from './refused.ts';
import type { Step, Trail } from './trail.ts';

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
  readonly step: Step;
  readonly trail: Trail;
  readonly shared: SharedMemory;
}

/** Writes batches to the destination: idempotently, each partition in order. */
export interface Writing {
  /** Queues a batch for its partition. */
  add(parcel: Parcel, lane: Lane, origin: ParcelOrigin): void;
  /** Sends what can be sent. */
  pump(): void;
  /** Whether so much waits that reading should pause. */
  readonly isCrowded: boolean;
  /** Whether every batch is acknowledged. */
  readonly isSettled: boolean;
  /** Records that are acknowledged, and their size in batches. */
  readonly written: { readonly records: number; readonly bytes: number };
  /** Records that were sent or wait, without an answer. */
  readonly pending: number;
  /** The batches that are not acknowledged. */
  readonly open: Iterable<OpenBatch>;
  readonly failure: unknown;
  /** The number of records that may or may not be in the log. */
  readonly inDoubt: number;
  /** Stops sending with an error. */
  fail(error: unknown): void;
  /** Resolves when `isDone`, which is checked whenever something is acknowledged. @throws the first failure */
  until(isDone: () => boolean): Promise<void>;
  /**
   * Resolves if the topics that are written to are those of the beginning. Partitions are added to transactions by the
   * topic's name, and transactional batches name it as well: only its id tells whether they went to a new one.
   */
  confirm(): Promise<void>;
  /** Resolves when no request is without an answer; call `fail` first. */
  answered(): Promise<void>;
  /** Gives up a use of an answer's memory. */
  release(shared: SharedMemory): void;
  close(): void;
}

/** Where records come from, and where they go. */
export interface BatchOrigin {
  readonly position: PartitionPosition;
  readonly offsets: readonly bigint[];
  readonly topic: string;
}

/** The parts of a writing. */
export interface WritingOptions extends Pick<SenderOptions, 'identity' | 'transactionalId'> {
  /** The topics that are written to, by name; more may be added. */
  readonly topics: ReadonlyMap<string, ProduceTopic>;
  readonly pool: WriterPool;
  readonly memory: Pick<AnswerMemory, 'release'>;
  /** Bytes that may wait for brokers before reading pauses. */
  readonly maxPendingBytes: number;
  warn(line: string): void;
  /** Called with the records of each acknowledged batch. */
  onWritten(records: number, bytes: number): void;
  /** Called with where the records of each acknowledged batch come from, if that is noted. */
  onPlaced?: ((origin: BatchOrigin) => void) | undefined;
  /** Called for records that their destination refuses; undefined: the first refusal is a failure. */
  onLeft?: ((origin: BatchOrigin, refusal: Refusal) => void) | undefined;
  /** Called when sending has failed. */
  onFailure(): void;
  /** Makes the error for a destination that was deleted and created again. */
  recreated(line: string): unknown;
}

interface Carried extends ParcelOrigin, Parcel {
  /** The size of its memory when it was added. */
  readonly capacity: number;
}

interface State {
  readonly options: WritingOptions;
  readonly identity: ProducerIdentity;
  readonly clock: Client['options']['deadline']['clock'];
  readonly lanes: Set<Lane>;
  readonly carried: Map<BatchWriter, Carried>;
  readonly sender: Sender;
  readonly written: { records: number; bytes: number };
  pendingBytes: number;
  pendingRecords: number;
  readonly waiters: Set<() => void>;
}

/** Opens a writing; batches are written to the topics in `options`. */
export function openWriting(client: Client, options: WritingOptions): Writing {
  const { clock, signal } = client.options.deadline;
  const lanes = new Set<Lane>();
  const notify = (): void => {
    const waiting = [...state.waiters];
    state.waiters.clear();
    for (const wake of waiting) wake();
  };
  // Half of the records would be in a topic that is gone.
  const refresher = openRefresher(client, options.topics, (line) => sender.fail(options.recreated(line)));
  const sender = openSender(
    client,
    {
      acks: -1,
      identity: options.identity,
      transactionalId: options.transactionalId,
      warn: options.warn,
      onTopics: refresher.update,
      hasDeliveryTimeout: false,
      timeoutMs: produceTimeoutMs,
      onDelivered: (batch) => settle(state, batch),
      replacementsOf: options.onLeft && ((batch) => replace(state, batch)),
      onRefused(batch, { code }) {
        if (code === 'CORRUPT_MESSAGE') checkCarried(state, batch);
      },
      onProgress() {
        if (sender.failure !== undefined) options.onFailure();
        notify();
      },
    },
    lanes,
  );
  const state: State = {
    options,
    identity: options.identity,
    clock,
    lanes,
    carried: new Map(),
    sender,
    written: { records: 0, bytes: 0 },
    pendingBytes: 0,
    pendingRecords: 0,
    waiters: new Set(),
  };
  return {
    add: (parcel, lane, origin) => add(state, { ...parcel, ...origin, capacity: 0 }, lane),
    pump: sender.pump,
    get isCrowded() {
      return state.pendingBytes >= options.maxPendingBytes;
    },
    get isSettled() {
      return state.carried.size === 0;
    },
    written: state.written,
    get pending() {
      return state.pendingRecords;
    },
    get open() {
      return state.carried.values();
    },
    get failure() {
      return sender.failure;
    },
    get inDoubt() {
      return [...lanes].flatMap(uncertainBatches).reduce((sum, { records }) => sum + records, 0);
    },
    fail: sender.fail,
    async until(isDone) {
      for (;;) {
        signal.throwIfAborted();
        if (sender.failure !== undefined) throw sender.failure;
        if (isDone()) return;
        sender.pump();
        await changed(state);
      }
    },
    async confirm() {
      const names = [...options.topics.values()].flatMap(({ name, identity }) =>
        identity.id === undefined ? [] : [name],
      );
      if (names.length === 0) return;
      refresher.update((await client.metadata(names)).topics);
      if (sender.failure !== undefined) throw sender.failure;
    },
    async answered() {
      while (sender.isBusy) await changed(state);
    },
    release: (shared) => release(state, shared),
    close() {
      refresher.close();
      sender.close();
      notify();
    },
  };
}

/** Ends the copy if the batch was damaged when it was read; otherwise it was damaged on its way, and is sent again. */
function checkCarried({ carried, sender }: State, { writer, bytes }: Batch): void {
  const { adoptedAt, position } = carried.get(writer) ?? {};
  if (adoptedAt === undefined || position === undefined || isSound(bytes)) return;
  sender.fail(readFailure(new CorruptRecordsError(adoptedAt, 'the checksum does not match'), position));
}

/** Resolves at the next change; test the condition in the same tick as this is called. */
function changed({ waiters }: State): Promise<void> {
  return new Promise((resolve) => {
    waiters.add(resolve);
  });
}

function add(state: State, carried: Carried, lane: Lane): void {
  const { clock, identity, lanes, sender } = state;
  const { writer, shared, adoptedAt } = carried;
  lane.open = { writer, createdAt: clock.now(), createdWallMs: clock.wallTime(), numbers: [] };
  sealLane(lane, identity);
  lanes.add(lane);
  const { capacity } = writer;
  state.carried.set(writer, { ...carried, capacity });
  state.pendingBytes += capacity;
  state.pendingRecords += writer.count;
  if (adoptedAt !== undefined) shared.uses += 1;
  sender.add(lane);
}

/** Leaves out the records for which the batch was refused. */
function replace(state: State, batch: Batch): readonly BatchWriter[] {
  const { carried, options } = state;
  const { lane, writer, refusal } = batch;
  const found = carried.get(writer);
  if (found === undefined || refusal === undefined) return [writer];
  const { position, step, trail } = found;
  const { writers, left } = divideRefused(batch, refusal, options.pool);
  carried.delete(writer);
  state.pendingBytes -= found.capacity;
  state.pendingRecords -= left.length;
  for (const replacement of writers) {
    const { capacity } = replacement;
    carried.set(replacement, { ...found, writer: replacement, capacity });
    state.pendingBytes += capacity;
  }
  step.left += writers.length;
  if (left.length > 0) options.onLeft?.({ position, offsets: left, topic: lane.topic }, refusal);
  trail.acknowledge(step);
  options.pool.release(writer);
  return writers;
}

function settle(state: State, { writer, lane }: Batch): void {
  const { carried, options, written } = state;
  const found = carried.get(writer);
  if (found === undefined) return;
  carried.delete(writer);
  const { count, size } = writer;
  state.pendingBytes -= found.capacity;
  state.pendingRecords -= count;
  written.records += count;
  written.bytes += size;
  const { position, step, trail } = found;
  options.onPlaced?.({ position, offsets: options.pool.offsets.get(writer) ?? [], topic: lane.topic });
  trail.acknowledge(step);
  options.onWritten(count, size);
  if (found.adoptedAt !== undefined) release(state, found.shared);
  else options.pool.release(writer);
}

function release({ options }: State, shared: SharedMemory): void {
  shared.uses -= 1;
  if (shared.uses === 0) options.memory.release(shared.memory);
}
