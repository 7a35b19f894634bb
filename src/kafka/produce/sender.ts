import { CliError, exitCodes } from '../../errors.ts';
import { backoffMs } from '../../net/retry.ts';
import type { BrokerConnection, Client } from '../client/client.ts';
import { isRetriable, kafkaError, kafkaErrorKind, kafkaErrorText } from '../errors.ts';
import { idempotentProduce, type ProducedPartition, type ProduceResponse, produce } from '../protocol/produce.ts';
import { type Batch, type Lane, type ProducerIdentity, requeueReturned } from './lane.ts';
import { lostTrackCodes, recoverLane } from './recovery.ts';

/** How batches are sent. */
export interface SenderOptions {
  readonly acks: -1 | 0 | 1;
  /** Inside the request: how long the broker may wait for its replicas. */
  readonly timeoutMs: number;
  /** Instead of the retry timeout, from a batch's first record on; undefined for none. */
  readonly deliveryTimeoutMs: number | undefined;
  /** Of lanes that have not got their own. */
  readonly identity: ProducerIdentity;
  warn(line: string): void;
  /** The broker has the batch, from this offset on; -1 when it does not say. */
  onDelivered(batch: Batch, baseOffset: bigint, logAppendTimeMs: bigint): void;
  /** Room was made, or `failure` is set. */
  onProgress(): void;
}

/** Sends ready batches: up to five requests in flight per broker, each partition in order. */
export interface Sender {
  /** Sends what can be sent now. */
  pump(): void;
  /** Requests in flight to a broker. */
  inFlight(node: number): number;
  /** Whether a broker answers so fast that small batches keep it busy; true before its first answer. */
  isQuick(node: number): boolean;
  /** The first failure that the retry rule does not, or no longer, repeat. */
  readonly failure: unknown;
  close(): void;
}

/** The idempotent producer's limit: the broker remembers five batches per producer and partition. */
const maxInFlight = 5;
/** A request takes more batches up to this size. */
const requestBytes = 2 << 20;

/** A quarter of a megabyte answered within 15 ms, with four others before it: what a broker in the same network does. */
const quickBytesPerMs = 17_000;

/** Answers that the batch was surely not written, so that even a producer without sequence numbers may repeat it. */
const notWritten: ReadonlySet<number> = new Set([3, 5, 6, 19, 56, 72, 74, 75, 89]);
const duplicateSequence = 46;
const outOfOrderSequence = 45;
const messageTooLarge: ReadonlySet<number> = new Set([10, 18]);

interface Node {
  connection: Promise<BrokerConnection> | undefined;
  inFlight: number;
  /** By its last answer. */
  isQuick: boolean;
}

interface Sending {
  readonly client: Client;
  readonly options: SenderOptions;
  readonly lanes: ReadonlySet<Lane>;
  readonly nodes: Map<number, Node>;
  failure: unknown;
  refreshing: boolean;
}

/** A sender for lanes that may still become more. */
export function createSender(client: Client, options: SenderOptions, lanes: ReadonlySet<Lane>): Sender {
  const sending: Sending = { client, options, lanes, nodes: new Map(), failure: undefined, refreshing: false };
  return {
    pump: () => pump(sending),
    inFlight: (node) => sending.nodes.get(node)?.inFlight ?? 0,
    isQuick: (node) => sending.nodes.get(node)?.isQuick ?? true,
    get failure() {
      return sending.failure;
    },
    close() {
      for (const node of sending.nodes.values()) dropConnection(node);
    },
  };
}

function pump(sending: Sending): void {
  if (sending.failure !== undefined) return;
  const lanePipeline = sending.options.acks === 1 ? 1 : maxInFlight;
  const waiting = [...sending.lanes].filter(
    (lane) => lane.ready.length > 0 && !lane.isPaused && lane.inFlight < lanePipeline,
  );
  for (const [leader, lanes] of Map.groupBy(waiting, (lane) => lane.leader)) {
    const node = nodeFor(sending, leader);
    while (node.inFlight < maxInFlight) {
      const batches = takeBatches(lanes, lanePipeline);
      if (batches.length === 0) break;
      void sendBatches(sending, leader, node, batches);
    }
  }
  if (!sending.refreshing && [...sending.lanes].some(needsLeader)) void findLeaders(sending);
}

function needsLeader(lane: Lane): boolean {
  return lane.isPaused && lane.inFlight === 0 && lane.ready.length + lane.returned.length > 0;
}

function nodeFor({ nodes }: Sending, id: number): Node {
  const known = nodes.get(id);
  if (known !== undefined) return known;
  const node: Node = { connection: undefined, inFlight: 0, isQuick: true };
  nodes.set(id, node);
  return node;
}

/** At most one batch per lane: the broker takes one per partition and request. */
function takeBatches(lanes: readonly Lane[], lanePipeline: number): Batch[] {
  const batches: Batch[] = [];
  let bytes = 0;
  for (const lane of lanes) {
    const [first] = lane.ready;
    if (first === undefined || lane.inFlight >= lanePipeline) continue;
    if (bytes > 0 && bytes + first.bytes.length > requestBytes) continue;
    lane.ready.shift();
    lane.inFlight += 1;
    bytes += first.bytes.length;
    batches.push(first);
  }
  return batches;
}

/** One request; never rejects. */
async function sendBatches(sending: Sending, leader: number, node: Node, batches: readonly Batch[]): Promise<void> {
  const { client, options } = sending;
  node.inFlight += 1;
  const now = performance.now();
  for (const batch of batches) batch.firstSentAt ??= now;
  const topics = [...Map.groupBy(batches, ({ lane }) => lane.topic)].map(([topic, items]) => ({
    topic,
    partitions: items.map(({ lane, bytes }) => ({ partition: lane.partition, records: bytes })),
  }));
  node.connection ??= client.dedicated(leader);
  const { connection } = node;
  try {
    const request = { acks: options.acks, timeoutMs: options.timeoutMs, topics };
    const api = options.acks === -1 ? idempotentProduce : produce;
    const response = await (await connection).send(api, request);
    node.inFlight -= 1;
    node.isQuick = (performance.now() - now) * quickBytesPerMs < sizeOf(batches);
    settle(sending, batches, options.acks === 0 ? undefined : response);
  } catch (error) {
    node.inFlight -= 1;
    if (node.connection === connection) dropConnection(node);
    const isSafe = options.acks === -1 && isRetriable(error);
    for (const batch of batches) batch.isUncertain = true;
    for (const batch of batches) giveBack(sending, batch, isSafe ? error : unsafeError(error, options.acks));
  }
  options.onProgress();
  pump(sending);
}

/** Before compression, in bytes. */
function sizeOf(batches: readonly Batch[]): number {
  return batches.reduce((sum, { writer }) => sum + writer.size, 0);
}

function settle(sending: Sending, batches: readonly Batch[], response: ProduceResponse | undefined): void {
  for (const batch of batches) {
    const { lane } = batch;
    const answer = response?.partitions.find(
      ({ topic, partition }) => topic === lane.topic && partition === lane.partition,
    );
    const code = answer?.errorCode ?? 0;
    if (code === 0 || code === duplicateSequence) {
      lane.inFlight -= 1;
      sending.options.onDelivered(batch, answer?.baseOffset ?? -1n, answer?.logAppendTimeMs ?? -1n);
      if (lane.inFlight === 0 && lane.isPaused) requeueReturned(lane);
    } else giveBack(sending, batch, answerError(sending, batch, answer));
  }
}

/** The batch goes to the front of its lane again, or its error ends everything. */
function giveBack(sending: Sending, batch: Batch, error: unknown): void {
  const { lane } = batch;
  lane.inFlight -= 1;
  lane.isPaused = true;
  lane.leader = -1;
  batch.failures += 1;
  lane.returned.push(batch);
  if (lane.inFlight === 0) requeueReturned(lane);
  if (!isRetriable(error) || isOverdue(sending, batch)) sending.failure ??= error;
}

function isOverdue({ client, options }: Sending, batch: Batch): boolean {
  const now = performance.now();
  if (options.deliveryTimeoutMs !== undefined) return now - batch.createdAt >= options.deliveryTimeoutMs;
  return now - (batch.firstSentAt ?? now) >= client.options.deadline.limits.retryMs;
}

function answerError(sending: Sending, batch: Batch, answer: ProducedPartition | undefined): CliError {
  const { lane } = batch;
  const code = answer?.errorCode ?? 0;
  const { retriable } = kafkaErrorKind(code);
  const mayRepeat = sending.options.acks === -1 ? retriable : notWritten.has(code);
  // Batches behind one that came back are out of order by that alone.
  const isConsequence = code === outOfOrderSequence && lane.isPaused;
  const hasLostTrack = sending.options.acks === -1 && lostTrackCodes.has(code);
  if (hasLostTrack && !isConsequence && lane.lostTrack === 0) lane.lostTrack = code;
  if (!(hasLostTrack || notWritten.has(code))) batch.isUncertain = true;
  const reason = answer?.recordErrors.find(({ message }) => message !== undefined)?.message ?? answer?.errorMessage;
  const where = `topic "${lane.topic}" partition ${lane.partition}`;
  return kafkaError(code, `unable to produce to ${where}: ${kafkaErrorText(code, reason)}`, {
    target: lane.topic,
    retryable: mayRepeat || hasLostTrack,
    hints: messageTooLarge.has(code)
      ? ['lower --max-message-bytes, or raise max.message.bytes of the topic (batch of the broker: message.max.bytes)']
      : [],
  });
}

/** Without sequence numbers a lost answer must not be repeated: the records may be there. */
function unsafeError(error: unknown, acks: -1 | 0 | 1): unknown {
  if (acks === -1 || !(error instanceof CliError)) return error;
  return new CliError(error.exitCode, `${error.message} (records in flight may or may not be written)`, {
    code: error.code,
    hints: [...error.hints, `--acks ${acks} cannot repeat a request without writing twice: --acks -1 can`],
    cause: error,
  });
}

/** Looks for the leaders of paused lanes after the backoff of their failures. Never rejects. */
async function findLeaders(sending: Sending): Promise<void> {
  const { client, options } = sending;
  sending.refreshing = true;
  const paused = [...sending.lanes].filter(needsLeader);
  const failures = Math.max(1, ...paused.map((lane) => lane.ready[0]?.failures ?? 0));
  try {
    await new Promise((resolve) => setTimeout(resolve, backoffMs(failures)));
    const { topics } = await client.metadata([...new Set(paused.map((lane) => lane.topic))]);
    for (const lane of paused) {
      const partitions = topics.find(({ name }) => name === lane.topic)?.partitions;
      lane.leader = partitions?.find(({ partition }) => partition === lane.partition)?.leader ?? -1;
      const error = lane.leader < 0 ? noLeader(lane) : await clearUp(sending, lane);
      lane.isPaused = error !== undefined;
      if (error !== undefined) countFailure(sending, lane, error);
    }
  } catch (error) {
    sending.failure ??= error;
  }
  sending.refreshing = false;
  options.onProgress();
  pump(sending);
}

/** Finds out where the broker is with the producer, if it has lost track; the failure when that did not work. */
async function clearUp(sending: Sending, lane: Lane): Promise<unknown> {
  if (lane.lostTrack === 0) return undefined;
  const { client, options } = sending;
  const onFound = (batch: Batch): void => {
    options.warn(
      `topic "${lane.topic}" partition ${lane.partition}: ${batch.records} records were written already, at offsets that the broker does not tell`,
    );
    options.onDelivered(batch, -1n, -1n);
  };
  try {
    await recoverLane(lane, { client, identity: options.identity, onFound, warn: options.warn });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The first batch of a lane could not be sent again yet: the retry rule says whether it will be. */
function countFailure(sending: Sending, lane: Lane, error: unknown): void {
  const [first] = lane.ready;
  if (first === undefined) return;
  first.failures += 1;
  first.firstSentAt ??= performance.now();
  if (!isRetriable(error) || isOverdue(sending, first)) sending.failure ??= error;
}

function noLeader({ topic, partition }: Lane): CliError {
  return new CliError(
    exitCodes.unreachable,
    `unable to produce to topic "${topic}" partition ${partition}: it has no leader`,
    { code: 'LEADER_NOT_AVAILABLE', target: topic, retryable: true },
  );
}

function dropConnection(node: Node): void {
  node.connection?.then(
    (open) => open.destroy(),
    () => undefined,
  );
  node.connection = undefined;
}
