import { CliError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { aboutTopics, topicOf } from '../../protocol/client/cluster-metadata.ts';
import type { ResponseOf } from '../../protocol/wire/api.ts';
import { metadata } from '../../protocol/wire/apis/metadata.ts';
import { produce, topicIdsFrom } from '../../protocol/wire/apis/produce.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import type { BatchWriter } from '../../records/batches/batch-writer.ts';
import { type Batch, type Lane, type ProducerIdentity, replaceRefused } from './lane.ts';
import { acknowledge, giveBack, halt, hasNewTopic, maySend, type Pipelining, resume, takeNext } from './lane-flow.ts';
import { isInDoubt } from './lane-recovery.ts';
import { createNode, cutLink, linkTo, type Node } from './links.ts';
import { cutLogWarning, refusedError } from './loss.ts';
import { openSeeker, type Seeker, type TopicsListener } from './seeker.ts';
import { type Acks, judgeAnswer, judgeFailure, type ProducedPartition, type Verdict } from './verdict.ts';

/** How batches are sent. */
export interface SenderOptions {
  readonly acks: Acks;
  /** How long the broker may wait for its replicas, as sent in the request, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether a delivery timeout bounds every record; otherwise the retry rule does. */
  readonly hasDeliveryTimeout: boolean;
  /** The identity of lanes that do not have their own. */
  readonly identity: ProducerIdentity;
  /** The transactional id of the producer, whose partitions the caller adds to its transactions; undefined for none. */
  readonly transactionalId?: string | undefined;
  warn(line: string): void;
  /** Called when the broker has the batch, from this offset on; -1 if the broker does not report it. */
  onDelivered(batch: Batch, baseOffset: bigint, logAppendTimeMs: bigint): void;
  /** Called when the broker has not taken the batch, before it is sent again. */
  onRefused?(batch: Batch, error: CliError): void;
  /** Returns batches for a refused one, in order and without the records at fault; undefined: the first refusal is a failure. */
  readonly replacementsOf?: ((batch: Batch) => readonly BatchWriter[]) | undefined;
  /** Called when there is more room or `failure` is set. */
  onProgress(): void;
  readonly onTopics: TopicsListener;
}

/** Sends finished batches: up to five requests in flight per broker, each partition in order. */
export interface Sender {
  /** Adds a lane that has finished batches. */
  add(lane: Lane): void;
  /** Sends what can be sent now. */
  pump(): void;
  /** Returns the number of requests in flight to a broker. */
  inFlight(node: number): number;
  /** Whether any request is in flight. */
  readonly isBusy: boolean;
  /** Whether a broker answers so fast that small batches keep it busy; true before its first answer. */
  isQuick(node: number): boolean;
  /** The first failure that the retry rule does not (or no longer) retry. */
  readonly failure: unknown;
  /** Stops sending; later failures change nothing. */
  fail(error: unknown): void;
  /** Resolves when every warning about what is acknowledged is given. */
  settled(): Promise<unknown>;
  close(): void;
}

/** Requests in flight per broker. */
const maxInFlight = 5;
/** The size up to which a request takes more than one batch, in bytes. */
const requestBytes = 2 << 20;
/**
 * Bytes per millisecond from which a broker counts as quick: a quarter of a megabyte answered within 15 ms after four
 * others, which is typical of a broker in the same network.
 */
const quickBytesPerMs = 17_000;

interface Sending {
  readonly client: Client;
  readonly options: SenderOptions;
  readonly lanes: ReadonlySet<Lane>;
  /** Lanes with finished batches that are not in flight. */
  readonly ready: Set<Lane>;
  readonly nodes: Map<number, Node>;
  readonly pipelining: Pipelining;
  readonly seeker: Seeker;
  failure: unknown;
  /** Checks of logs whose offsets went back. */
  readonly checks: Set<Promise<void>>;
}

/** Opens a sender for a set of lanes that may still grow. */
export function openSender(client: Client, options: SenderOptions, lanes: ReadonlySet<Lane>): Sender {
  const fail = (error: unknown): void => {
    sending.failure ??= error;
    sending.seeker.close();
    options.onProgress();
  };
  const sending: Sending = {
    client,
    options,
    lanes,
    ready: new Set(),
    nodes: new Map(),
    failure: undefined,
    checks: new Set(),
    // With acks 1 records stay in order only if one batch per lane is in flight; acks 0 has no answers to wait for.
    pipelining: options.acks === -1 ? 'idempotent' : options.acks === 1 ? 1 : maxInFlight,
    seeker: openSeeker({
      client,
      fail,
      identity: options.identity,
      hasDeliveryTimeout: options.hasDeliveryTimeout,
      warn: options.warn,
      onTopics: options.onTopics,
      transactionalId: options.transactionalId,
      onFound: (batch) => options.onDelivered(batch, -1n, -1n),
      onCertain: (lane) => replace(sending, lane),
      onResumed() {
        options.onProgress();
        pump(sending);
      },
    }),
  };
  return {
    add(lane) {
      sending.ready.add(lane);
      // What is in flight may say more: behind a refused batch, the lane can go on without it.
      if (lane.trouble !== undefined && lane.inFlight.length === 0) sending.seeker.add(lane);
    },
    pump: () => pump(sending),
    inFlight: (node) => sending.nodes.get(node)?.inFlight ?? 0,
    get isBusy() {
      return sending.nodes.values().some(({ inFlight }) => inFlight > 0);
    },
    isQuick: (node) => sending.nodes.get(node)?.isQuick ?? true,
    get failure() {
      return sending.failure;
    },
    fail,
    settled: () => Promise.all(sending.checks),
    close() {
      sending.seeker.close();
      for (const node of sending.nodes.values()) cutLink(node, sending.failure);
    },
  };
}

function pump(sending: Sending): void {
  if (sending.failure !== undefined) return;
  const now = sending.client.options.deadline.clock.now();
  const sendable = [...sending.ready].filter((lane) => maySend(lane, sending.pipelining, now));
  for (const [leader, lanes] of Map.groupBy(sendable, (lane) => lane.leader)) {
    const node = nodeFor(sending, leader);
    while (node.inFlight < maxInFlight) {
      const batches = takeBatches(sending, lanes, now);
      if (batches.length === 0) break;
      void sendBatches(sending, node, batches);
    }
  }
  sending.seeker.look();
}

function nodeFor({ nodes }: Sending, id: number): Node {
  const existing = nodes.get(id);
  if (existing !== undefined) return existing;
  const node = createNode(id);
  nodes.set(id, node);
  return node;
}

/** Takes at most one batch per lane, since a broker accepts one per partition and request. */
function takeBatches({ ready, pipelining }: Sending, lanes: readonly Lane[], now: number): Batch[] {
  const batches: Batch[] = [];
  let bytes = 0;
  for (const lane of lanes) {
    const [first] = lane.queue;
    if (first === undefined || !maySend(lane, pipelining, now)) continue;
    if (bytes > 0 && bytes + first.bytes.length > requestBytes) continue;
    const batch = takeNext(lane, now);
    if (batch === undefined) continue;
    bytes += batch.bytes.length;
    batches.push(batch);
    // The lane moves to the end of the queue, so that no lane waits for others forever.
    ready.delete(lane);
    if (lane.queue.length > 0) ready.add(lane);
  }
  return batches;
}

/** By id, a topic that has taken the name of another one gets none of its records. */
const byName = { ...produce, max: topicIdsFrom - 1 };

/** From the next version on, Produce itself adds partitions to a transaction (KIP-890). */
const transactional = { ...produce, max: 11, repeatable: true };

/**
 * The API for batches. With sequence numbers it may be sent twice, because the broker recognizes a batch that it already
 * has (KIP-98).
 */
function apiFor(batches: readonly Batch[], { acks, transactionalId }: SenderOptions): typeof produce {
  if (transactionalId !== undefined) return transactional;
  const api = batches.every(({ lane }) => lane.topicId !== undefined) ? produce : byName;
  return acks === -1 ? { ...api, repeatable: true } : api;
}

/** Sends one request and settles its batches; never rejects. */
async function sendBatches(sending: Sending, node: Node, batches: readonly Batch[]): Promise<void> {
  node.inFlight += 1;
  const judge = await sendRequest(sending, node, batches);
  node.inFlight -= 1;
  for (const batch of batches) settle(sending, node, batch, judge(batch));
  sending.options.onProgress();
  pump(sending);
}

/** Sends one request and returns a function that judges each of its batches. */
async function sendRequest(
  sending: Sending,
  node: Node,
  batches: readonly Batch[],
): Promise<(batch: Batch) => Verdict> {
  const { client, options } = sending;
  const { acks, timeoutMs, transactionalId } = options;
  const { clock } = client.options.deadline;
  const sentAt = clock.now();
  const api = apiFor(batches, options);
  const link = linkTo(client, node);
  let wasSent = false;
  try {
    const connection = await link.opened;
    node.usesIds = connection.version(api) >= topicIdsFrom;
    wasSent = true;
    for (const batch of batches) batch.isOnWire = true;
    const response = await connection.send(api, { transactionalId, acks, timeoutMs, topicData: topicsOf(batches) });
    node.isQuick = (clock.now() - sentAt) * quickBytesPerMs < sizeOf(batches);
    const partOf = partsOf(response);
    return (batch) => judgeAnswer(batch, acks, partOf(batch.lane));
  } catch (error) {
    // Closing the link ends its other requests with an error that says only that; `link.reason` is the cause.
    const reason = acks === -1 ? (link.reason ?? error) : error;
    if (node.link === link) abandon(sending, node, reason);
    const verdict = judgeFailure(acks, reason, wasSent);
    return () => verdict;
  }
}

function topicsOf(batches: readonly Batch[]) {
  return [...Map.groupBy(batches, ({ lane }) => lane.topicId ?? lane.topic).values()].map((items) => ({
    name: items[0]?.lane.topic,
    topicId: items[0]?.lane.topicId,
    // The records are not copied, so they must not change until the request ends.
    partitionData: items.map(({ lane, bytes }) => ({ index: lane.partition, records: bytes })),
  }));
}

/**
 * Returns a look-up of the answer for each lane; its result is undefined also where the broker sends no answer (acks
 * 0).
 */
function partsOf(response: ResponseOf<typeof produce> | undefined): (lane: Lane) => ProducedPartition | undefined {
  const parts = new Map<string, Map<number, ProducedPartition>>();
  for (const { name, topicId, partitionResponses } of response?.responses ?? []) {
    const key = topicId === noUuid ? name : `#${topicId}`;
    const rows = parts.get(key) ?? new Map<number, ProducedPartition>();
    parts.set(key, rows);
    for (const row of partitionResponses) rows.set(row.index, row);
  }
  return ({ topic, topicId, partition }) => (parts.get(topic) ?? parts.get(`#${topicId}`))?.get(partition);
}

/** The size of the batches before compression, in bytes. */
function sizeOf(batches: readonly Batch[]): number {
  return batches.reduce((sum, { writer }) => sum + writer.size, 0);
}

/**
 * Closes a link. A broker that was restarted may have lost what it knew of its lanes, including idle ones, so they send
 * nothing over the next link before everything that was in flight over this one is settled.
 */
function abandon({ lanes, options, seeker }: Sending, node: Node, error: unknown): void {
  cutLink(node, error);
  for (const lane of lanes) {
    if (lane.leader !== node.id) continue;
    lane.provenAt = undefined;
    if (options.acks !== 0) continue;
    // Requests sent without waiting for an answer may still be on their way: the pause before the next attempt lets
    // them arrive.
    halt(lane, { error, lostTrack: 0, order: lane.nextOrder });
    if (lane.inFlight.length === 0) seeker.add(lane);
  }
}

function settle(sending: Sending, node: Node, batch: Batch, verdict: Verdict): void {
  const { lane } = batch;
  if (verdict.kind === 'written') settleWritten(sending, node, batch, verdict);
  else settleRefused(sending, node, batch, verdict);
  if (lane.inFlight.length > 0) return;
  replace(sending, lane);
  if (lane.trouble !== undefined) sending.seeker.add(lane);
}

type Written = Extract<Verdict, { kind: 'written' }>;
type Refused = Exclude<Verdict, { kind: 'written' }>;

function settleWritten(sending: Sending, node: Node, batch: Batch, { offset, logAppendTimeMs }: Written): void {
  const { options, client } = sending;
  const { lane } = batch;
  const expected = acknowledge(lane, batch, offset, client.options.deadline.clock.now());
  if (expected !== undefined) {
    lane.restart = { order: batch.order, isNewTopic: false };
    checkLog(sending, node, lane, cutLogWarning(lane, offset, expected));
  }
  options.onDelivered(batch, offset, logAppendTimeMs);
}

function settleRefused(sending: Sending, node: Node, batch: Batch, verdict: Refused): void {
  const { options, ready } = sending;
  const { lane } = batch;
  const { kind, error, isUncertain } = verdict;
  if (isUncertain) batch.isUncertain = true;
  // A broker that does not know the topic has not given the batch to one that was created since.
  if (isUncertain && !node.usesIds && !isUnknownTopic(error)) batch.mayStray = true;
  if (kind === 'again') options.onRefused?.(batch, verdict.error);
  giveBack(lane, batch, { error, lostTrack: kind === 'again' ? verdict.lostTrack : 0 });
  ready.add(lane);
  if (kind === 'final' && options.replacementsOf !== undefined) batch.refusal = verdict.refusal;
  if (isFailure(sending, batch, verdict)) endWith(sending, error);
}

function endWith(sending: Sending, error: unknown): void {
  sending.failure ??= error;
  sending.seeker.close();
}

function isFailure({ options }: Sending, { lane, order, refusal }: Batch, verdict: Refused): boolean {
  if (verdict.kind === 'final') return refusal === undefined;
  // A transaction is written under one epoch: only the next one begins with another.
  if (verdict.lostTrack === 0 || options.transactionalId === undefined) return false;
  const isAfterMissing = lane.queue.some((other) => other.order < order);
  return verdict.lostTrack !== codes.OUT_OF_ORDER_SEQUENCE_NUMBER || !isAfterMissing;
}

/** Goes on without the records for which batches of the lane were refused. Nothing may be in flight. */
function replace(sending: Sending, lane: Lane): void {
  const { options, failure } = sending;
  const { queue, trouble } = lane;
  const refused = queue.find(({ refusal }) => refusal !== undefined);
  if (refused?.refusal === undefined || options.replacementsOf === undefined || failure !== undefined) return;
  // What may be in the log keeps its number.
  if (queue.some(({ isUncertain }) => isUncertain)) {
    if (isInDoubt(lane)) {
      const error = refusedError(lane, refused.refusal, { retryable: true });
      lane.trouble = { error, lostTrack: 0, order: refused.order };
    }
    return;
  }
  // Those behind it were refused because it is missing.
  const isOnlyThat = trouble?.order === refused.order && trouble.lostTrack === 0;
  replaceRefused(lane, options.replacementsOf, options.identity);
  if (!isOnlyThat) return;
  lane.failures = 0;
  resume(lane, lane.leader);
}

function isUnknownTopic(error: unknown): boolean {
  return error instanceof CliError && error.code === 'UNKNOWN_TOPIC_OR_PARTITION';
}

/**
 * Finds out why offsets went back: the leader, which has appended to the log, knows whether it is that of another
 * topic, unless it was asked by id. `warning` is for a log that was cut.
 */
function checkLog({ client, options, checks }: Sending, node: Node, lane: Lane, warning: string): void {
  if (node.usesIds) {
    options.warn(warning);
    return;
  }
  const check = async (): Promise<void> => {
    try {
      const { topics } = await client.requestOnce(metadata, aboutTopics([lane.topic]), { node: node.id });
      options.onTopics(topics.map(topicOf));
    } catch {
      // Without an answer the usual reason is assumed.
    }
    if (!hasNewTopic(lane)) return options.warn(warning);
    lane.topicId = lane.current.id;
    if (lane.restart !== undefined) lane.restart = { ...lane.restart, isNewTopic: true };
  };
  const checking = check().finally(() => checks.delete(checking));
  checks.add(checking);
}
