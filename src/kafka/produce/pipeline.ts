import { CliError, exitCodes } from '../../errors.ts';
import type { Client } from '../client/client.ts';
import type { ParsedRecord } from '../record-language/parse.ts';
import type { Lines } from '../records/batch-records.ts';
import { type BatchWriter, createBatchWriter } from '../records/batch-writer.ts';
import { noIdentity, requestIdentity } from './identity.ts';
import { type Batch, type Lane, type ProducerIdentity, sealLane } from './lane.ts';
import { createReporter, type Reporter } from './report.ts';
import type { ProduceRequest, ReportSink } from './request.ts';
import { createSender, type Sender } from './sender.ts';
import { giveLines, givenPartition, laneOf, type ProduceTopic } from './topics.ts';

/** Bytes that may wait for brokers (and for the reader of reports) before the input has to. */
const maxBufferedBytes = 12 << 20;
/**
 * Where a broker answers quickly, batches of this size are sent although they could be larger: a broker wrote 300 MB
 * in 1.39 s so, and in 1.58 s by megabytes. Those are huge objects for its Java, and its socket does not take one in
 * while it is busy with another.
 */
const quickBatchBytes = 250_000;
/** What a Produce request says inside, in milliseconds, where no delivery timeout does. */
const produceTimeoutMs = 5_000;
/** The longest that a record waits for others while the input never pauses. */
const lingerMs = 500;

/** The way of records from the input to the brokers, batch by batch. */
export interface Pipeline {
  /** Adds a record to its lane's batch; a full batch is sent. */
  take(record: ParsedRecord, topic: ProduceTopic): void;
  /** The same for all whole lines, each a value and nothing else. */
  takeLines(lines: Lines, topic: ProduceTopic, timestamp: number): void;
  /** A promise when more input has to wait. @throws (it rejects with) the first failure */
  makeRoom(): Promise<void> | undefined;
  /** Sends what is open, for a pause of the input. */
  flush(): void;
  /** Resolves when everything taken is delivered and printed. @throws the first failure */
  drain(): Promise<void>;
  /** Lets whoever waits look again. */
  wake(): void;
  /** Whether sending has failed for good. */
  readonly hasFailed: boolean;
  close(): void;
}

/** What a pipeline is made of. */
export interface PipelineOptions {
  readonly client: Client;
  readonly request: ProduceRequest;
  readonly sink: ReportSink;
  /** Called when there is nowhere to go for more input. */
  stopReading(): void;
}

interface State extends Pick<PipelineOptions, 'client' | 'request'> {
  readonly identity: ProducerIdentity;
  readonly lanes: Set<Lane>;
  /** Lanes with an open batch. */
  readonly open: Set<Lane>;
  /** Memory for batches, free. */
  readonly writers: BatchWriter[];
  readonly sender: Sender;
  readonly reporter: Reporter;
  /** Bytes of finished batches that are not delivered and printed. */
  bufferedBytes: number;
  /** Records taken one by one so far. */
  taken: number;
  notify: () => void;
}

/** Opens the way; an idempotent producer gets its identity here. */
export async function openPipeline(options: PipelineOptions): Promise<Pipeline> {
  const { client, request } = options;
  // acks 0 and 1 cannot be idempotent.
  const identity = request.acks === -1 ? await requestIdentity(client) : noIdentity;
  const state = createState(options, identity);
  const { sender } = state;
  return {
    take: (record, topic) => take(state, record, topic),
    takeLines: (lines, topic, timestamp) => takeLines(state, lines, topic, timestamp),
    makeRoom() {
      sealOld(state);
      return isFull(state) ? settleUntil(state, () => !isFull(state), sealLargest) : undefined;
    },
    flush: () => flushIdle(state),
    async drain() {
      await settleUntil(state, () => state.bufferedBytes === 0, sealAll);
      await state.reporter.flush();
    },
    wake: () => state.notify(),
    get hasFailed() {
      return sender.failure !== undefined;
    },
    close: () => sender.close(),
  };
}

function createState({ client, request, sink, stopReading }: PipelineOptions, identity: ProducerIdentity): State {
  const { acks, deliveryTimeoutMs, report, warn } = request;
  const lanes = new Set<Lane>();
  const reporter = createReporter({ format: report, sink, release: (batch) => release(state, batch) });
  const sender = createSender(
    client,
    {
      ...{ acks, deliveryTimeoutMs, identity, warn },
      timeoutMs: deliveryTimeoutMs === undefined ? produceTimeoutMs : deliveryTimeoutMs + produceTimeoutMs,
      onDelivered(batch, baseOffset, logAppendTimeMs) {
        request.onDelivered(batch.records);
        reporter.report(batch, baseOffset, logAppendTimeMs);
      },
      onProgress() {
        // Nobody waits for more input when it has nowhere to go.
        if (sender.failure !== undefined) stopReading();
        state.notify();
      },
    },
    lanes,
  );
  const state: State = {
    ...{ client, request, identity, lanes, open: new Set(), writers: [] },
    ...{ sender, reporter, bufferedBytes: 0, taken: 0, notify: () => undefined },
  };
  return state;
}

/** A batch is delivered and printed: its memory is free, and kept unless there is much of it. */
function release(state: State, { writer }: Batch): void {
  const { writers } = state;
  state.bufferedBytes -= writer.size;
  writer.reset();
  const kept = writers.reduce((sum, { capacity }) => sum + capacity, 0);
  if (kept + writer.capacity <= maxBufferedBytes) writers.push(writer);
  state.notify();
}

function take(state: State, record: ParsedRecord, topic: ProduceTopic): void {
  const { request } = state;
  const lane = laneOf(topic, record, givenPartition(record, request));
  const { headers } = record;
  if (request.headers.length > 0) record.headers = [...request.headers, ...headers];
  if (!openLane(state, lane).append(record)) {
    send(state, lane);
    openLane(state, lane).append(record);
  }
  record.headers = headers;
  state.taken += 1;
  if (request.refusesLarger === true) refuseLarger(state, lane);
  if ((lane.open?.writer.size ?? 0) >= lane.enough) send(state, lane);
}

/** Takes a record back that fills more than a batch alone. @throws CliError that says so */
function refuseLarger(state: State, lane: Lane): void {
  const { maxMessageBytes } = state.request;
  const { writer } = lane.open ?? {};
  if (writer === undefined || writer.count > 1 || writer.size <= maxMessageBytes) return;
  const size = writer.size;
  writer.reset();
  const what = `record ${state.taken} to topic "${lane.topic}"`;
  throw new CliError(exitCodes.failure, `unable to produce ${what}: its batch takes ${size} bytes`, {
    code: 'MESSAGE_TOO_LARGE',
    target: lane.topic,
    hints: [`--max-message-bytes ${maxMessageBytes} allows no more`],
  });
}

function takeLines(state: State, lines: Lines, topic: ProduceTopic, timestamp: number): void {
  giveLines(topic, lines, state.request.partition, (lane, enough) => {
    const writer = openLane(state, lane);
    if (writer.appendLines(lines, timestamp, { maxBytes: lane.enough, enough })) send(state, lane);
  });
}

function send(state: State, lane: Lane): void {
  seal(state, lane);
  state.sender.pump();
}

function openLane(state: State, lane: Lane): BatchWriter {
  if (lane.open === undefined) {
    const { compression, maxMessageBytes: maxBytes } = state.request;
    const writer = state.writers.pop() ?? createBatchWriter({ compression, maxBytes });
    lane.open = { writer, createdAt: performance.now() };
    // Packed, a megabyte is as small.
    const isQuick = compression === 'none' && state.sender.isQuick(lane.leader);
    lane.enough = isQuick ? Math.min(quickBatchBytes, maxBytes) : maxBytes;
    state.lanes.add(lane);
    state.open.add(lane);
  }
  return lane.open.writer;
}

function seal(state: State, lane: Lane): void {
  const batch = sealLane(lane, state.identity);
  if (batch === undefined) return;
  state.open.delete(lane);
  state.bufferedBytes += batch.writer.size;
}

/** The input pauses: what waits goes out, unless its broker is busy enough for it to grow. */
function flushIdle(state: State): void {
  for (const lane of state.open) if (state.sender.inFlight(lane.leader) < 2) seal(state, lane);
  state.sender.pump();
}

/** The input does not pause: what has waited long goes out all the same. */
function sealOld(state: State): void {
  const before = performance.now() - lingerMs;
  const { size } = state.open;
  for (const lane of state.open) if (lane.open !== undefined && lane.open.createdAt < before) seal(state, lane);
  if (state.open.size < size) state.sender.pump();
}

function sealAll(state: State): void {
  for (const lane of state.open) seal(state, lane);
}

/** Sends open batches, the largest first, when what is sent already would not make enough room. */
function sealLargest(state: State): void {
  if (state.bufferedBytes * 2 >= maxBufferedBytes) return;
  const sizes = [...state.open].map((lane) => ({ lane, size: lane.open?.writer.size ?? 0 }));
  for (const { lane } of sizes.sort((left, right) => right.size - left.size)) {
    if (state.bufferedBytes * 2 >= maxBufferedBytes) return;
    seal(state, lane);
  }
}

function isFull({ bufferedBytes, open, sender, reporter, client }: State): boolean {
  if (sender.failure !== undefined || reporter.failure !== undefined || client.options.deadline.signal.aborted) {
    return true;
  }
  let bytes = bufferedBytes;
  for (const lane of open) bytes += lane.open?.writer.size ?? 0;
  return bytes >= maxBufferedBytes;
}

/** Waits until `isDone`; `sealSome` ends batches, so that it can become so. @throws the first failure */
async function settleUntil(state: State, isDone: () => boolean, sealSome: (state: State) => void): Promise<void> {
  const { sender, reporter, client } = state;
  const { signal } = client.options.deadline;
  for (;;) {
    signal.throwIfAborted();
    const failure = sender.failure ?? reporter.failure;
    if (failure !== undefined) throw failure;
    sealSome(state);
    sender.pump();
    if (isDone()) return;
    await new Promise<void>((resolve) => {
      state.notify = resolve;
    });
  }
}
