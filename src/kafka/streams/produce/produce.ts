import { within } from '../../../clock.ts';
import { CliError } from '../../../errors.ts';
import { showUtcTime } from '../../../format/time.ts';
import type { Client } from '../../protocol/client/client.ts';
import { byPartition } from '../../protocol/partitions/by-topic.ts';
import type { Lines } from '../../records/batches/batch-records.ts';
import { encodeRecord, type RecordEncoding } from '../../records/language/encoding.ts';
import type { ParsedRecord, RecordParser } from '../../records/language/parse.ts';
import { type Account, accountOf, withAccount, withCounts } from './account.ts';
import { setUpError } from './expiry.ts';
import { type ChunkReader, idleMs, openChunkReader } from './input.ts';
import { openPipeline, type Pipeline } from './pipeline.ts';
import type { PlannedRecords, ProduceRequest, Production, ReportSink } from './request.ts';
import { laneOf, openProduceTopic, openRefresher, type ProduceTopic } from './topics.ts';

/** Checks the topic and returns a production; the input is read only when that is pumped or planned. */
export async function produce(client: Client, request: ProduceRequest): Promise<Production> {
  const { deadline } = client.options;
  const topics = new Map<string, ProduceTopic>();
  const encodings = new Map<string, RecordEncoding>();
  const findTopic = async (name: string): Promise<ProduceTopic> => {
    const opening = openProduceTopic(client, name, request.createMissing);
    const topic = await inTime(client, request, opening, `metadata for topic "${name}"`);
    const encoding = await request.encodingOf?.(name);
    if (encoding !== undefined) encodings.set(name, encoding);
    topics.set(name, topic);
    return topic;
  };
  if (request.topic !== undefined) await findTopic(request.topic);
  const work: ProduceWork = {
    client,
    request,
    topics,
    encodings,
    findTopic,
    parser: parserOf(request),
    pipeline: undefined,
    warnsOfSeconds: true,
    chunks: openChunkReader(request.input, deadline.clock),
  };
  return {
    pump: (sink) => deadline.openEnded(() => pump(work, sink)),
    plan: () => deadline.openEnded(() => plan(work)),
    stop: () => work.chunks.stop(),
    account: () => accountIn(work),
    topics: () => [...topics.keys()],
    giveUp(error) {
      work.chunks.stop();
      work.pipeline?.fail(error);
      const account = accountIn(work);
      // Even if all are acknowledged: what was printed of them may be less.
      return account.read > 0 ? withCounts(error, account) : error;
    },
  };
}

function parserOf({ topic, parser, encodingOf, tombstones }: ProduceRequest): RecordParser {
  const named = topic === undefined ? {} : { topic };
  return parser.create({ tombstones, countsLines: encodingOf !== undefined, ...named });
}

function accountIn({ parser: { count: read, areLines }, pipeline }: ProduceWork): Account {
  if (pipeline !== undefined) return pipeline.account(read, areLines);
  return accountOf({
    read,
    areLines,
    taken: 0,
    acknowledged: 0,
    lanes: [],
  });
}

interface ProduceWork {
  readonly client: Client;
  readonly request: ProduceRequest;
  readonly topics: Map<string, ProduceTopic>;
  /** How the records of each topic are encoded. */
  readonly encodings: ReadonlyMap<string, RecordEncoding>;
  readonly findTopic: (name: string) => Promise<ProduceTopic>;
  readonly chunks: ChunkReader;
  readonly parser: RecordParser;
  /** Undefined until there is one. */
  pipeline: Pipeline | undefined;
  /** Whether a timestamp in seconds is to be reported. */
  warnsOfSeconds: boolean;
}

/** Receives the records that are read from the input. */
interface Taker {
  /** Takes one record, which is valid only until this returns. */
  record(record: ParsedRecord, topic: ProduceTopic): void;
  /** Takes all whole lines of the current chunk at once; undefined where records must be taken one by one. */
  readonly lines: ((lines: Lines, topic: ProduceTopic, now: number) => void) | undefined;
  /** Returns a promise to wait for before reading more input, if there is one. */
  afterChunk(): Promise<void> | undefined;
  onIdle(): void;
}

/**
 * Reads the input to its end and returns the number of records. If one of them cannot be taken, all complete records of
 * the same chunk are still counted.
 */
async function readRecords(work: ProduceWork, taker: Taker): Promise<number> {
  const { client, chunks, parser } = work;
  for (let ended = false; !ended; ) {
    const chunk = await chunks.next(taker.onIdle);
    if (chunk !== undefined) parser.push(chunk);
    else if (!chunks.isStopped) parser.end();
    ended = chunk === undefined;
    await takeChunk(work, taker, client.options.deadline.clock.wallTime());
    const pause = taker.afterChunk();
    if (pause !== undefined) await pause;
  }
  return parser.count;
}

/** Takes the records of a chunk: whole lines at once if possible, all others one by one. */
async function takeChunk(work: ProduceWork, taker: Taker, now: number): Promise<void> {
  const { request, topics, encodings, parser } = work;
  const { record } = parser;
  takeLines(work, taker, now);
  while (parser.next()) {
    try {
      const name = record.topic ?? request.topic ?? '';
      const topic = topics.get(name) ?? (await findWhile(work, name, taker.onIdle));
      complete(record, request, now);
      if (record.hasTimestamp) checkUnit(work, record.timestamp);
      const encoding = encodings.get(name);
      if (encoding !== undefined) encodeRecord(record, encoding, parser);
      taker.record(record, topic);
    } catch (error) {
      countRest(parser);
      throw error;
    }
    takeLines(work, taker, now);
  }
}

function takeLines({ request, topics, parser }: ProduceWork, taker: Taker, now: number): void {
  const topic = taker.lines && topics.get(request.topic ?? '');
  const lines = topic && parser.lines();
  if (lines === undefined || topic === undefined) return;
  try {
    taker.lines?.(lines, topic, now);
  } catch (error) {
    countRest(parser);
    throw error;
  }
}

/** Reads the complete records of a chunk that are not taken any more, so that they are counted. */
function countRest(parser: RecordParser): void {
  try {
    while (parser.next());
  } catch {
    // Nothing after an invalid record can be read.
  }
}

/** Looks up a topic; a lookup that takes long does not hold back the records before it. */
async function findWhile({ client, findTopic }: ProduceWork, name: string, onIdle: () => void): Promise<ProduceTopic> {
  const cancel = client.options.deadline.clock.after(idleMs, onIdle);
  try {
    return await findTopic(name);
  } finally {
    cancel();
  }
}

/** Warns once of a timestamp that is in seconds: as milliseconds, they are a time in the first months of 1970. */
function checkUnit(work: ProduceWork, timestamp: number): void {
  if (!work.warnsOfSeconds || timestamp < 1e9 || timestamp >= 1e10) return;
  work.warnsOfSeconds = false;
  work.request.warn(`the timestamp ${timestamp} is ${showUtcTime(timestamp)}: timestamps are in milliseconds`);
}

/** Fills in a timestamp and a key that the input did not give. */
function complete(record: ParsedRecord, request: ProduceRequest, now: number): void {
  if (!record.hasTimestamp) record.timestamp = now;
  if (!record.hasKey && request.key !== undefined) {
    record.keyBytes = request.key;
    record.keyStart = 0;
    record.keyLength = request.key.length;
  }
}

async function plan(work: ProduceWork): Promise<readonly PlannedRecords[]> {
  const { request } = work;
  const counts = new Map<string, { topic: string; partition: number | null; records: number }>();
  let taken = 0;
  const count = (record: ParsedRecord, topic: ProduceTopic): void => {
    taken += 1;
    const isSpread = request.partition === undefined && record.keyLength < 0 && topic.lanes.length > 1;
    const partition = isSpread ? null : laneOf(topic, record, request, taken).partition;
    const row = counts.get(`${topic.name}/${partition}`) ?? { topic: topic.name, partition, records: 0 };
    row.records += 1;
    counts.set(`${topic.name}/${partition}`, row);
  };
  await readRecords(work, {
    record: count,
    lines: undefined,
    afterChunk: () => undefined,
    onIdle: () => undefined,
  });
  // The row of records that may go to any partition comes first.
  return [...counts.values()].sort(byPartition);
}

async function pump(work: ProduceWork, sink: ReportSink): Promise<number> {
  const { client, request, chunks, topics } = work;
  const refresher = openRefresher(client, topics, request.warn);
  const options = { client, request, sink, stopReading: chunks.stop, onTopics: refresher.update };
  const { signal } = client.options.deadline;
  let wake = (): void => undefined;
  try {
    const pipeline = await inTime(client, request, openPipeline(options), 'a producer id');
    work.pipeline = pipeline;
    wake = () => {
      chunks.stop();
      pipeline.wake();
    };
    signal.addEventListener('abort', wake, { once: true });
    try {
      return await produceAll(work, pipeline);
    } finally {
      pipeline.close();
    }
  } finally {
    signal.removeEventListener('abort', wake);
    refresher.close();
  }
}

async function produceAll(work: ProduceWork, pipeline: Pipeline): Promise<number> {
  let failure: unknown;
  const count = await readRecords(work, takerOf(pipeline, work.request)).catch((error) => {
    failure = error;
    return 0;
  });
  try {
    // Records before bad input are still delivered and reported.
    await pipeline.drain();
    if (failure !== undefined) throw failure;
    return count;
  } catch (error) {
    throw error instanceof CliError ? withAccount(error, accountIn(work)) : error;
  }
}

/** Applies `--delivery-timeout` to the set-up before the first record, too. */
async function inTime<T>(client: Client, request: ProduceRequest, work: Promise<T>, what: string): Promise<T> {
  const { deliveryTimeoutMs } = request;
  if (deliveryTimeoutMs === undefined) return work;
  return within(client.options.deadline.clock, deliveryTimeoutMs, work, (): never => {
    throw setUpError(what, deliveryTimeoutMs);
  });
}

function takerOf(pipeline: Pipeline, { key, headers, refusesLarger, encodingOf }: ProduceRequest): Taker {
  const isPlain = key === undefined && headers.length === 0 && refusesLarger !== true && encodingOf === undefined;
  return {
    record: pipeline.take,
    lines: isPlain ? pipeline.takeLines : undefined,
    afterChunk: pipeline.makeRoom,
    onIdle: pipeline.flush,
  };
}
