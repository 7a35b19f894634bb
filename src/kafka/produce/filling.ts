import type { Clock } from '../../clock.ts';
import { CliError, exitCodes } from '../../errors.ts';
import type { ParsedRecord } from '../record-language/parse.ts';
import type { Lines } from '../records/batch-records.ts';
import { type BatchWriter, createBatchWriter } from '../records/batch-writer.ts';
import type { Expiry } from './expiry.ts';
import { type Batch, type Lane, type ProducerIdentity, sealLane } from './lane.ts';
import type { ProduceRequest } from './request.ts';
import type { Sender } from './sender.ts';
import { giveLines, givenPartition, laneOf, type ProduceTopic } from './topics.ts';

/** Bytes that may wait for brokers (and for the reader of reports) before the input has to. */
const maxBufferedBytes = 12 << 20;
/**
 * Where a broker answers quickly, batches of this size are sent although they could be larger: a broker wrote 300 MB
 * in 1.39 s so, and in 1.58 s by megabytes. Those are huge objects for its Java, and its socket does not take one in
 * while it is busy with another.
 */
const quickBatchBytes = 250_000;
/** The longest that a record waits for others while the input never pauses. */
const lingerMs = 500;

/** What a batch counts for besides its bytes: its memory is never as small as a single short record. */
const batchOverhead = 4_096;

/** Batches being filled, and the memory of those on their way. */
export interface Filling {
  readonly request: ProduceRequest;
  readonly clock: Clock;
  readonly identity: ProducerIdentity;
  readonly lanes: Set<Lane>;
  /** Lanes with an open batch. */
  readonly open: Set<Lane>;
  /** Bytes in their batches. */
  openBytes: number;
  /** Memory for batches, free. */
  readonly writers: BatchWriter[];
  /** Bytes of it. */
  freeBytes: number;
  readonly sender: Sender;
  /** The limit of `--delivery-timeout`. */
  readonly expiry: Expiry | undefined;
  /** Bytes of finished batches that are not delivered and printed, with what each takes besides. */
  bufferedBytes: number;
  /** Records taken one by one so far. */
  taken: number;
  /** The input pauses. */
  isIdle: boolean;
  /** Called when memory is free again. */
  onRoom(): void;
}

/** Whether as much waits for brokers, and for the reader of reports, as may. */
export function isCrowded({ bufferedBytes, openBytes }: Filling): boolean {
  return bufferedBytes + openBytes >= maxBufferedBytes;
}

/** A batch is delivered and printed: its memory is free, and kept unless there is much of it. */
export function release(state: Filling, { writer }: Batch): void {
  state.bufferedBytes -= writer.size + batchOverhead;
  writer.reset();
  if (state.freeBytes + writer.capacity <= maxBufferedBytes) {
    state.freeBytes += writer.capacity;
    state.writers.push(writer);
  }
  state.onRoom();
}

/** Adds a record to the batch of its lane; a full batch is sent. */
export function take(state: Filling, record: ParsedRecord, topic: ProduceTopic): void {
  const { request } = state;
  state.isIdle = false;
  const lane = laneOf(topic, record, givenPartition(record, request));
  const { headers } = record;
  if (request.headers.length > 0) record.headers = [...request.headers, ...headers];
  if (!append(state, lane, record)) {
    send(state, lane);
    append(state, lane, record);
  }
  record.headers = headers;
  state.taken += 1;
  if (request.refusesLarger === true) refuseLarger(state, lane);
  if ((lane.open?.writer.size ?? 0) >= lane.enough) send(state, lane);
}

/** False when the lane's batch is full. */
function append(state: Filling, lane: Lane, record: ParsedRecord): boolean {
  const writer = openLane(state, lane);
  const before = writer.size;
  const isIn = writer.append(record);
  state.openBytes += writer.size - before;
  return isIn;
}

/** Takes a record back that fills more than a batch alone. @throws CliError that says so */
function refuseLarger(state: Filling, lane: Lane): void {
  const { maxMessageBytes } = state.request;
  const { writer } = lane.open ?? {};
  if (writer === undefined || writer.count > 1 || writer.size <= maxMessageBytes) return;
  const size = writer.size;
  writer.reset();
  state.openBytes += writer.size - size;
  const what = `record ${state.taken} to topic "${lane.topic}"`;
  throw new CliError(exitCodes.failure, `unable to produce ${what}: its batch takes ${size} bytes`, {
    code: 'MESSAGE_TOO_LARGE',
    target: lane.topic,
    hints: [`--max-message-bytes ${maxMessageBytes} allows no more`],
  });
}

/** The same for all whole lines, each a value and nothing else. */
export function takeLines(state: Filling, lines: Lines, topic: ProduceTopic, timestamp: number): void {
  state.isIdle = false;
  giveLines(topic, lines, state.request.partition, (lane, enough) => {
    const writer = openLane(state, lane);
    const before = writer.size;
    const isFull = writer.appendLines(lines, timestamp, { maxBytes: lane.enough, enough });
    state.openBytes += writer.size - before;
    if (isFull) send(state, lane);
  });
}

function send(state: Filling, lane: Lane): void {
  seal(state, lane);
  state.sender.pump();
}

function openLane(state: Filling, lane: Lane): BatchWriter {
  if (lane.open === undefined) {
    const { compression, maxMessageBytes: maxBytes } = state.request;
    const free = state.writers.pop();
    state.freeBytes -= free?.capacity ?? 0;
    const writer = free ?? createBatchWriter({ compression, maxBytes });
    lane.open = { writer, createdAt: state.clock.now() };
    state.expiry?.watch();
    // Packed, a megabyte is as small.
    const isQuick = compression === 'none' && state.sender.isQuick(lane.leader);
    lane.enough = isQuick ? Math.min(quickBatchBytes, maxBytes) : maxBytes;
    state.lanes.add(lane);
    state.open.add(lane);
    state.openBytes += writer.size;
  }
  return lane.open.writer;
}

function seal(state: Filling, lane: Lane): void {
  const batch = sealLane(lane, state.identity);
  if (batch === undefined) return;
  state.open.delete(lane);
  state.openBytes -= batch.writer.size;
  state.bufferedBytes += batch.writer.size + batchOverhead;
  state.sender.add(lane);
}

/** The input pauses: what waits goes out, unless its broker is busy enough for it to grow. */
export function flushIdle(state: Filling): void {
  for (const lane of state.open) if (state.sender.inFlight(lane.leader) < 2) seal(state, lane);
  state.sender.pump();
}

/** The input does not pause: what has waited long goes out all the same. */
export function sealOld(state: Filling): void {
  const before = state.clock.now() - lingerMs;
  const { size } = state.open;
  for (const lane of state.open) if (lane.open !== undefined && lane.open.createdAt < before) seal(state, lane);
  if (state.open.size < size) state.sender.pump();
}

/** Ends every open batch. */
export function sealAll(state: Filling): void {
  for (const lane of state.open) seal(state, lane);
}

/** Sends open batches, the largest first, when what is sent already would not make enough room. */
export function sealLargest(state: Filling): void {
  if (state.bufferedBytes * 2 >= maxBufferedBytes) return;
  const sizes = [...state.open].map((lane) => ({ lane, size: lane.open?.writer.size ?? 0 }));
  for (const { lane } of sizes.sort((left, right) => right.size - left.size)) {
    if (state.bufferedBytes * 2 >= maxBufferedBytes) return;
    seal(state, lane);
  }
}
