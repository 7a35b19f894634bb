import type { Clock } from '../../../clock.ts';
import { CliError, exitCodes } from '../../../errors.ts';
import type { Lines } from '../../records/batches/batch-records.ts';
import { type BatchWriter, createBatchWriter } from '../../records/batches/batch-writer.ts';
import type { ParsedRecord } from '../../records/language/parse.ts';
import type { Expiry } from './expiry.ts';
import { type Batch, type Lane, type ProducerIdentity, sealLane } from './lane.ts';
import { addNumbers } from './record-numbers.ts';
import type { ProduceRequest } from './request.ts';
import type { Sender } from './sender.ts';
import { giveLines, laneOf, type ProduceTopic } from './topics.ts';

/** Bytes that may wait for brokers and for the reader of reports before reading of the input pauses. */
const maxBufferedBytes = 12 << 20;
/**
 * The size at which batches for a broker that answers quickly are sent, although they could be larger: a broker wrote
 * 300 MB in 1.39 s this way, and in 1.58 s with batches of a megabyte. Those are huge objects for the JVM, and the
 * broker's socket does not read one while it is busy with another.
 */
const quickBatchBytes = 250_000;
/** The longest that a record waits for others while the input does not pause, in milliseconds. */
const lingerMs = 500;

/** What a batch counts in addition to its bytes: its memory is never as small as a single short record. */
const batchOverhead = 4_096;

/** The batches being filled, and the memory of those that are sent. */
export interface OpenBatches {
  readonly request: ProduceRequest;
  readonly clock: Clock;
  readonly identity: ProducerIdentity;
  readonly lanes: Set<Lane>;
  /** Lanes with an open batch. */
  readonly open: Set<Lane>;
  /** Bytes in the open batches. */
  openBytes: number;
  /** Free memory for batches. */
  readonly writers: BatchWriter[];
  /** The capacity of `writers` in bytes. */
  freeBytes: number;
  readonly sender: Sender;
  /** The limit of `--delivery-timeout`. */
  readonly expiry: Expiry | undefined;
  /** Bytes of finished batches that are not delivered and printed, including `batchOverhead` for each. */
  bufferedBytes: number;
  /** Records taken so far. */
  taken: number;
  /** Whether the input pauses. */
  isIdle: boolean;
  /** Called when memory becomes free. */
  onRoom(): void;
}

/** Whether the limit of bytes waiting for brokers and for the reader of reports is reached. */
export function isCrowded({ bufferedBytes, openBytes }: OpenBatches): boolean {
  return bufferedBytes + openBytes >= maxBufferedBytes;
}

/** Frees the memory of a batch that is delivered and printed; keeps it for reuse unless too much is kept already. */
export function release(state: OpenBatches, { writer }: Batch): void {
  state.bufferedBytes -= writer.size + batchOverhead;
  writer.reset();
  if (state.freeBytes + writer.capacity <= maxBufferedBytes) {
    state.freeBytes += writer.capacity;
    state.writers.push(writer);
  }
  state.onRoom();
}

/** Adds a record to its lane's batch and sends the batch when it is full. */
export function take(state: OpenBatches, record: ParsedRecord, topic: ProduceTopic): void {
  const { request } = state;
  state.isIdle = false;
  const number = state.taken + 1;
  const lane = laneOf(topic, record, request, number);
  const { headers } = record;
  if (request.headers.length > 0) record.headers = [...request.headers, ...headers];
  if (!append(state, lane, record)) {
    send(state, lane);
    append(state, lane, record);
  }
  record.headers = headers;
  if (request.refusesLarger === true) refuseLarger(state, lane);
  state.taken = number;
  if (lane.open !== undefined) addNumbers(lane.open.numbers, number, 1);
  if ((lane.open?.writer.size ?? 0) >= lane.enough) send(state, lane);
}

/** Adds a record to the lane's batch; returns false if the batch is full. */
function append(state: OpenBatches, lane: Lane, record: ParsedRecord): boolean {
  const writer = openLane(state, lane);
  const before = writer.size;
  const isIn = writer.append(record);
  state.openBytes += writer.size - before;
  return isIn;
}

/** Takes back a record that is too large for a batch of its own. @throws CliError */
function refuseLarger(state: OpenBatches, lane: Lane): void {
  const { maxMessageBytes } = state.request;
  const { writer } = lane.open ?? {};
  if (writer === undefined || writer.count > 1 || writer.size <= maxMessageBytes) return;
  const size = writer.size;
  writer.reset();
  state.openBytes += writer.size - size;
  const what = `record ${state.taken + 1} to topic "${lane.topic}": its batch takes ${size} bytes`;
  throw new CliError(exitCodes.failure, `unable to produce ${what}, more than --max-message-bytes ${maxMessageBytes}`, {
    code: 'MESSAGE_TOO_LARGE',
    target: lane.topic,
    hints: ['raise --max-message-bytes'],
  });
}

/** Adds all whole lines, each of which is a value without a key or headers. */
export function takeLines(state: OpenBatches, lines: Lines, topic: ProduceTopic, timestamp: number): void {
  state.isIdle = false;
  giveLines(topic, lines, state.request.partition, (lane, enough) => {
    const writer = openLane(state, lane);
    const before = writer.size;
    const taken = lines.count;
    const isFull = writer.appendLines(lines, timestamp, { maxBytes: lane.enough, enough });
    if (lane.open !== undefined) addNumbers(lane.open.numbers, state.taken + 1, lines.count - taken);
    state.taken += lines.count - taken;
    state.openBytes += writer.size - before;
    if (isFull) send(state, lane);
  });
}

function send(state: OpenBatches, lane: Lane): void {
  seal(state, lane);
  state.sender.pump();
}

function openLane(state: OpenBatches, lane: Lane): BatchWriter {
  if (lane.open === undefined) {
    const { compression, maxMessageBytes: maxBytes } = state.request;
    const free = state.writers.pop();
    state.freeBytes -= free?.capacity ?? 0;
    const writer = free ?? createBatchWriter({ compression, maxBytes });
    lane.open = { writer, createdAt: state.clock.now(), createdWallMs: state.clock.wallTime(), numbers: [] };
    state.expiry?.watch();
    // A compressed megabyte is as small.
    const isQuick = compression === 'none' && state.sender.isQuick(lane.leader);
    lane.enough = isQuick ? Math.min(quickBatchBytes, maxBytes) : maxBytes;
    state.lanes.add(lane);
    state.open.add(lane);
    state.openBytes += writer.size;
  }
  return lane.open.writer;
}

function seal(state: OpenBatches, lane: Lane): void {
  const batch = sealLane(lane, state.identity);
  if (batch === undefined) return;
  state.open.delete(lane);
  state.openBytes -= batch.writer.size;
  state.bufferedBytes += batch.writer.size + batchOverhead;
  state.sender.add(lane);
}

/** Sends open batches while the input pauses, unless the broker is busy enough to let them grow. */
export function flushIdle(state: OpenBatches): void {
  for (const lane of state.open) if (state.sender.inFlight(lane.leader) < 2) seal(state, lane);
  state.sender.pump();
}

/** Sends batches that have been open for long although the input does not pause. */
export function sealOld(state: OpenBatches): void {
  const before = state.clock.now() - lingerMs;
  const { size } = state.open;
  for (const lane of state.open) if (lane.open !== undefined && lane.open.createdAt < before) seal(state, lane);
  if (state.open.size < size) state.sender.pump();
}

/** Closes every open batch. */
export function sealAll(state: OpenBatches): void {
  for (const lane of state.open) seal(state, lane);
}

/** Closes open batches, the largest first, if the batches already sent would not make enough room. */
export function sealLargest(state: OpenBatches): void {
  if (state.bufferedBytes * 2 >= maxBufferedBytes) return;
  const sizes = [...state.open].map((lane) => ({ lane, size: lane.open?.writer.size ?? 0 }));
  for (const { lane } of sizes.sort((left, right) => right.size - left.size)) {
    if (state.bufferedBytes * 2 >= maxBufferedBytes) return;
    seal(state, lane);
  }
}
