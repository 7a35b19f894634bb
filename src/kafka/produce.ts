import type { Client } from './client.ts';
import { noIdentity, requestIdentity } from './produce-identity.ts';
import { type ChunkReader, createChunkReader } from './produce-input.ts';
import { type Batch, type Lane, type ProducerIdentity, sealLane } from './produce-lane.ts';
import { createReporter, type Reporter } from './produce-report.ts';
import type { PlannedRecords, ProduceRequest, Production, ReportSink } from './produce-request.ts';
import { createSender, type Sender } from './produce-sender.ts';
import { laneOf, openProduceTopic, type ProduceTopic } from './produce-topics.ts';
import type { ParsedRecord } from './record-parse.ts';
import { type BatchWriter, createBatchWriter } from './records/batch-writer.ts';

/** Bytes that may wait for brokers (and for the reader of reports) before the input has to. */
const maxBufferedBytes = 12 << 20;
/** What a Produce request says inside, in milliseconds, where no delivery timeout does. */
const produceTimeoutMs = 5_000;

/** Checks the topic; what comes back reads the input when it is pumped. */
export async function produce(client: Client, request: ProduceRequest): Promise<Production> {
  const topics = new Map<string, ProduceTopic>();
  const findTopic = async (name: string): Promise<ProduceTopic> => {
    const topic = await openProduceTopic(client, name, request.createMissing);
    topics.set(name, topic);
    return topic;
  };
  if (request.topic !== undefined) await findTopic(request.topic);
  const work: ProduceWork = { client, request, topics, findTopic, chunks: createChunkReader(request.input) };
  const { deadline } = client.options;
  return {
    pump: (sink) => deadline.openEnded(() => pump(work, sink)),
    plan: () => deadline.openEnded(() => plan(work)),
    stop: () => work.chunks.stop(),
  };
}

interface ProduceWork {
  readonly client: Client;
  readonly request: ProduceRequest;
  readonly topics: Map<string, ProduceTopic>;
  readonly findTopic: (name: string) => Promise<ProduceTopic>;
  readonly chunks: ChunkReader;
}

/** Takes records one by one from the input: `each` may answer with a promise to be waited for. */
async function readRecords(
  work: ProduceWork,
  each: (record: ParsedRecord, topic: ProduceTopic) => void,
  between: { afterChunk(): Promise<void> | undefined; onIdle(): void },
): Promise<number> {
  const { request, topics, chunks } = work;
  const named = request.topic === undefined ? {} : { topic: request.topic };
  const parser = request.parser.create({ tombstones: request.tombstones, ...named });
  const { record } = parser;
  let count = 0;
  for (let ended = false; !ended; ) {
    const chunk = await chunks.next(between.onIdle);
    if (chunk !== undefined) parser.push(chunk);
    else if (!chunks.isStopped) parser.end();
    ended = chunk === undefined;
    const now = Date.now();
    while (parser.next()) {
      const name = record.topic ?? request.topic ?? '';
      const topic = topics.get(name) ?? (await work.findTopic(name));
      complete(record, request, now);
      each(record, topic);
      count += 1;
    }
    const pause = between.afterChunk();
    if (pause !== undefined) await pause;
  }
  return count;
}

/** Fills in what the input did not say. */
function complete(record: ParsedRecord, request: ProduceRequest, now: number): void {
  if (!record.hasTimestamp) record.timestamp = now;
  if (!record.hasKey && request.key !== undefined) {
    record.keyBytes = request.key;
    record.keyStart = 0;
    record.keyLength = request.key.length;
  }
}

function partitionOf(record: ParsedRecord, request: ProduceRequest): number | undefined {
  return request.partition === undefined ? undefined : (record.partition ?? request.partition);
}

async function plan(work: ProduceWork): Promise<readonly PlannedRecords[]> {
  const { request } = work;
  const counts = new Map<string, { topic: string; partition: number | null; records: number }>();
  const each = (record: ParsedRecord, topic: ProduceTopic): void => {
    const isSpread = request.partition === undefined && record.keyLength < 0 && topic.lanes.length > 1;
    const partition = isSpread ? null : laneOf(topic, record, partitionOf(record, request)).partition;
    const row = counts.get(`${topic.name}/${partition}`) ?? { topic: topic.name, partition, records: 0 };
    row.records += 1;
    counts.set(`${topic.name}/${partition}`, row);
  };
  await readRecords(work, each, { afterChunk: () => undefined, onIdle: () => undefined });
  const order = (row: PlannedRecords): string => `${row.topic} ${String(row.partition ?? -1).padStart(12)}`;
  return [...counts.values()].sort((left, right) => (order(left) < order(right) ? -1 : 1));
}

/** What is between the input and the brokers. */
interface Pipeline {
  readonly work: ProduceWork;
  readonly identity: ProducerIdentity;
  readonly lanes: Set<Lane>;
  /** Lanes with an open batch. */
  readonly open: Set<Lane>;
  readonly writers: BatchWriter[];
  readonly sender: Sender;
  readonly reporter: Reporter;
  /** Bytes of finished batches that are not delivered and printed. */
  bufferedBytes: number;
  notify: () => void;
}

async function pump(work: ProduceWork, sink: ReportSink): Promise<number> {
  const pipeline = await openPipeline(work, sink);
  const { signal } = work.client.options.deadline;
  const wake = (): void => {
    work.chunks.stop();
    pipeline.notify();
  };
  signal.addEventListener('abort', wake, { once: true });
  try {
    const between = {
      afterChunk: () => (isFull(pipeline) ? settleUntil(pipeline, () => !isFull(pipeline)) : undefined),
      onIdle: () => flushIdle(pipeline),
    };
    let failure: unknown;
    const count = await readRecords(work, (record, topic) => take(pipeline, record, topic), between).catch((error) => {
      failure = error;
      return 0;
    });
    // What came before bad input is delivered and reported all the same.
    if (pipeline.sender.failure === undefined && !signal.aborted) await drain(pipeline);
    if (failure !== undefined) throw failure;
    return count;
  } finally {
    signal.removeEventListener('abort', wake);
    pipeline.sender.close();
  }
}

async function openPipeline(work: ProduceWork, sink: ReportSink): Promise<Pipeline> {
  const { client, request } = work;
  const { acks, deliveryTimeoutMs, report } = request;
  // acks 0 and 1 cannot be idempotent.
  const identity = acks === -1 ? await requestIdentity(client) : noIdentity;
  const lanes = new Set<Lane>();
  const release = (batch: Batch): void => {
    pipeline.bufferedBytes -= batch.writer.size;
    batch.writer.reset();
    pipeline.writers.push(batch.writer);
    pipeline.notify();
  };
  const reporter = createReporter({ format: report, sink, release });
  const sender = createSender(
    client,
    {
      ...{ acks, deliveryTimeoutMs, identity, warn: request.warn },
      timeoutMs: deliveryTimeoutMs === undefined ? produceTimeoutMs : deliveryTimeoutMs + produceTimeoutMs,
      onDelivered(batch, baseOffset, logAppendTimeMs) {
        request.onDelivered(batch.records);
        reporter.report(batch, baseOffset, logAppendTimeMs);
      },
      onProgress() {
        // Nobody waits for more input when it has nowhere to go.
        if (sender.failure !== undefined) work.chunks.stop();
        pipeline.notify();
      },
    },
    lanes,
  );
  const pipeline: Pipeline = {
    ...{ work, identity, lanes, open: new Set(), writers: [] },
    ...{ sender, reporter, bufferedBytes: 0, notify: () => undefined },
  };
  return pipeline;
}

/** Adds a record to its lane's batch; a full batch is sent. */
function take(pipeline: Pipeline, record: ParsedRecord, topic: ProduceTopic): void {
  const { request } = pipeline.work;
  const lane = laneOf(topic, record, partitionOf(record, request));
  const { headers } = record;
  if (request.headers.length > 0) record.headers = [...request.headers, ...headers];
  if (!openLane(pipeline, lane).append(record)) {
    seal(pipeline, lane);
    pipeline.sender.pump();
    openLane(pipeline, lane).append(record);
  }
  record.headers = headers;
}

function openLane(pipeline: Pipeline, lane: Lane): BatchWriter {
  if (lane.open === undefined) {
    const { compression, maxMessageBytes: maxBytes } = pipeline.work.request;
    const writer = pipeline.writers.pop() ?? createBatchWriter({ compression, maxBytes });
    lane.open = { writer, createdAt: performance.now() };
    pipeline.lanes.add(lane);
    pipeline.open.add(lane);
  }
  return lane.open.writer;
}

function seal(pipeline: Pipeline, lane: Lane): void {
  const batch = sealLane(lane, pipeline.identity);
  if (batch === undefined) return;
  pipeline.open.delete(lane);
  pipeline.bufferedBytes += batch.writer.size;
}

/** The input pauses: what waits goes out, unless its broker is busy enough for it to grow. */
function flushIdle(pipeline: Pipeline): void {
  for (const lane of pipeline.open) if (pipeline.sender.inFlight(lane.leader) < 2) seal(pipeline, lane);
  pipeline.sender.pump();
}

function isFull({ bufferedBytes, open, sender, reporter, work }: Pipeline): boolean {
  if (sender.failure !== undefined || reporter.failure !== undefined || work.client.options.deadline.signal.aborted) {
    return true;
  }
  let bytes = bufferedBytes;
  for (const lane of open) bytes += lane.open?.writer.size ?? 0;
  return bytes >= maxBufferedBytes;
}

/** Waits until `isDone`; what is open is sent, so that it can become so. @throws the first failure */
async function settleUntil(pipeline: Pipeline, isDone: () => boolean): Promise<void> {
  const { sender, reporter, open, work } = pipeline;
  const { signal } = work.client.options.deadline;
  for (const lane of open) seal(pipeline, lane);
  sender.pump();
  for (;;) {
    signal.throwIfAborted();
    const failure = sender.failure ?? reporter.failure;
    if (failure !== undefined) throw failure;
    if (isDone()) return;
    await new Promise<void>((resolve) => {
      pipeline.notify = resolve;
    });
  }
}

/** Everything read is delivered and printed. */
async function drain(pipeline: Pipeline): Promise<void> {
  await settleUntil(pipeline, () => pipeline.bufferedBytes === 0);
  await pipeline.reporter.flush();
}
