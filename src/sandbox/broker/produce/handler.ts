import type { ReadRequestOf, WrittenResponseOf } from '../../../kafka/protocol/wire/api.ts';
import { produce } from '../../../kafka/protocol/wire/apis/produce.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import { noUuid } from '../../../kafka/protocol/wire/primitives.ts';
import type { Cluster, Partition } from '../cluster-parts.ts';
import { type Batch, batchLayout, readBatch, stampAppendTime } from '../log/batch.ts';
import { checkSequence, expireProducers, findDuplicate } from '../log/producers.ts';
import { appendAsLeader, type ReplicaLog } from '../log/replica-log.ts';
import { onAppend } from '../replication/replicate.ts';
import { waitFor } from '../replication/wait.ts';
import { type Answer, type Handler, handler, hangUp, noAnswer } from '../serve/handler.ts';
import { configOf, minInsyncReplicas } from '../topic-configs.ts';
import { findServed, type Served } from '../topics/lookup.ts';
import { checkBatch, checkForm, type Refusal } from './validate.ts';

type Request = ReadRequestOf<typeof produce>;
type Response = WrittenResponseOf<typeof produce>;
type Outcome = Appended | Refusal;

/** One partition of a request. */
interface Item {
  readonly name: string;
  readonly topicId: string;
  readonly index: number;
  outcome: Outcome;
}

/** Produce: appends records and waits for the replicas that the acks require. */
export const produceHandler: Handler = handler(produce, {
  handle({ cluster, broker, version, connection }, request) {
    const isUnnamed = request.transactionalId === undefined && hasTransactional(request);
    const items = eachPartition(request, (topic, index, records) => {
      // As in Kafka, where the authorization of the missing transactional id fails.
      if (isUnnamed) return { code: codes.TRANSACTIONAL_ID_AUTHORIZATION_FAILED };
      if (![-1, 0, 1].includes(request.acks)) return { code: codes.INVALID_REQUIRED_ACKS };
      const name = topic.name !== '' ? topic.name : cluster.topics.byId(topic.topicId)?.name;
      if (name === undefined) return { code: codes.UNKNOWN_TOPIC_ID };
      const { acks, transactionalId } = request;
      return appendRecords(cluster, broker, { topic: name, index, records, acks, transactionalId, version });
    });
    if (request.acks !== -1) return answer(request, items);
    return waitFor(cluster, {
      connection,
      partitions: items.flatMap(({ outcome }) => ('partition' in outcome ? [outcome.partition] : [])),
      timeoutMs: request.timeoutMs,
      check() {
        for (const item of items) item.outcome = replicated(cluster, item.outcome) ?? item.outcome;
        return items.every(({ outcome }) => isSettled(outcome)) ? answer(request, items) : undefined;
      },
      late() {
        for (const item of items) if (!isSettled(item.outcome)) item.outcome = { code: codes.REQUEST_TIMED_OUT };
        return answer(request, items);
      },
    });
  },
  refuse: (request, code) =>
    answer(
      request,
      eachPartition(request, () => ({ code })),
    ),
});

function hasTransactional({ topicData }: Request): boolean {
  return topicData.some(({ partitionData }) =>
    partitionData.some(
      ({ records }) =>
        records !== undefined && records.length >= batchLayout.records && readBatch(records).isTransactional,
    ),
  );
}

function eachPartition(
  request: Request,
  call: (topic: Request['topicData'][number], index: number, records: Buffer | undefined) => Outcome,
): Item[] {
  return request.topicData.flatMap((topic) =>
    topic.partitionData.map(({ index, records }) => ({
      name: topic.name,
      topicId: topic.topicId,
      index,
      outcome: call(topic, index, records),
    })),
  );
}

/** Returns the final outcome of appended records; undefined while they are not replicated. */
function replicated(cluster: Cluster, outcome: Outcome): Outcome | undefined {
  if (!('partition' in outcome) || isSettled(outcome)) return undefined;
  const { partition, log, leaderEpoch, lastOffset } = outcome;
  if (partition.offline.has(partition.leader)) return { code: codes.KAFKA_STORAGE_ERROR };
  if (partition.leaderEpoch !== leaderEpoch || partition.isDeleted) return { code: codes.NOT_LEADER_OR_FOLLOWER };
  if (log.highWatermark <= lastOffset) return undefined;
  const isEnough = partition.isr.length >= minInsyncReplicas(cluster, partition);
  return isEnough ? ({ ...outcome, isReplicated: true } as Appended) : { code: codes.NOT_ENOUGH_REPLICAS_AFTER_APPEND };
}

function isSettled(outcome: Outcome): boolean {
  return !('partition' in outcome) || 'isReplicated' in outcome;
}

/** Builds the response. Without acks there is none; a failure then closes the connection to alert the producer. */
function answer(request: Request, items: readonly Item[]): Answer<Response> {
  if (request.acks !== 0) return responseOf(items);
  return items.some(({ outcome }) => !('partition' in outcome)) ? hangUp : noAnswer;
}

function responseOf(items: readonly Item[]): Response {
  const responses: {
    name: string;
    topicId: string;
    partitionResponses: Response['responses'][number]['partitionResponses'][number][];
  }[] = [];
  for (const { name, topicId, index, outcome } of items) {
    let last = responses.at(-1);
    if (last === undefined || last.name !== name || last.topicId !== (topicId || noUuid)) {
      last = { name, topicId, partitionResponses: [] };
      responses.push(last);
    }
    last.partitionResponses.push({ index, ...partitionResponse(outcome) });
  }
  return { responses };
}

function partitionResponse(outcome: Outcome) {
  if ('partition' in outcome) {
    const { baseOffset, appendTime, log } = outcome;
    return { errorCode: codes.NONE, baseOffset, logAppendTimeMs: appendTime, logStartOffset: log.startOffset };
  }
  const { code, message, records, logStartOffset } = outcome;
  return { errorCode: code, baseOffset: -1, logStartOffset, errorMessage: message, recordErrors: records };
}

/** A request to append records to a partition. */
interface Appending {
  readonly topic: string;
  readonly index: number;
  readonly records: Buffer | undefined;
  readonly acks: number;
  readonly transactionalId: string | undefined;
  readonly version: number;
}

/** Records that were appended to the leader's log. */
interface Appended {
  readonly partition: Partition;
  readonly log: ReplicaLog;
  /** The leader epoch in which they were appended. */
  readonly leaderEpoch: number;
  readonly baseOffset: number;
  readonly lastOffset: number;
  /** The append time in milliseconds since the epoch; -1 when the records keep the producer's timestamps. */
  readonly appendTime: bigint;
}

/** The first version with TRANSACTION_ABORTABLE (KIP-890). */
const abortableFrom = 11;
/** Errors for which Kafka does not report the log start offset. */
const tellsNoStart: ReadonlySet<number> = new Set([codes.MESSAGE_TOO_LARGE, codes.CORRUPT_MESSAGE]);

/** Appends records to the log of the broker, which must lead the partition, or returns the reason for a refusal. */
function appendRecords(cluster: Cluster, broker: number, appending: Appending): Appended | Refusal {
  const { records, topic, index } = appending;
  const malformed = checkForm(records, appending.version);
  if (malformed !== undefined || records === undefined) return malformed ?? { code: codes.INVALID_RECORD };
  if (cluster.topics.get(topic)?.isInternal === true) return { code: codes.INVALID_TOPIC_EXCEPTION };
  const served = findServed(cluster, broker, { topic, partition: index });
  if (typeof served === 'number') return { code: served };
  const { partition } = served;
  if (appending.acks === -1 && partition.isr.length < minInsyncReplicas(cluster, partition)) {
    return { code: codes.NOT_ENOUGH_REPLICAS };
  }
  const wrong = checkBatch(cluster, partition.topic, records);
  const outcome = wrong ?? appendChecked(cluster, served, { batch: readBatch(records), appending });
  return 'code' in outcome && !tellsNoStart.has(outcome.code) && outcome.isUnread !== true
    ? { ...outcome, logStartOffset: served.log.startOffset }
    : outcome;
}

function appendChecked(
  cluster: Cluster,
  { partition, log }: Served,
  { batch, appending }: { readonly batch: Batch; readonly appending: Appending },
): Appended | Refusal {
  const isOwnTime = configOf(cluster, partition.topic, 'message.timestamp.type') === 'LogAppendTime';
  const appended = (baseOffset: number, lastOffset: number, appendTime: bigint): Appended => {
    const { leaderEpoch } = partition;
    return { partition, log, leaderEpoch, baseOffset, lastOffset, appendTime };
  };
  if (batch.producerId >= 0n) {
    const unverified = verifyTransaction(cluster, { partition, log }, { batch, appending });
    if (unverified !== codes.NONE) return { code: unverified, isUnread: true };
    forgetProducers(cluster, log);
    const duplicate = findDuplicate(log.producers, batch);
    if (duplicate !== undefined) return appended(duplicate.firstOffset, duplicate.lastOffset, duplicate.timestamp);
    const code = checkSequence(log.producers, batch, cluster.settings.keepsProducers);
    if (code !== codes.NONE) return { code };
  }
  // Copy the batch: the memory belongs to the request, and a leader writes into the batch.
  const bytes = Buffer.from(batch.bytes);
  const time = isOwnTime ? BigInt(cluster.clock.wallTime()) : -1n;
  if (isOwnTime) stampAppendTime(bytes, time);
  const { baseOffset, lastOffset } = appendAsLeader(log, bytes, partition.leaderEpoch);
  onAppend(cluster, partition);
  return appended(baseOffset, lastOffset, time);
}

/** Forgets old producers if it is time to look for them. */
function forgetProducers({ clock, settings }: Cluster, log: ReplicaLog): void {
  const now = clock.wallTime();
  log.lookedForOldAt ??= now;
  if (now - log.lookedForOldAt < settings.producerExpirationCheckMs) return;
  log.lookedForOldAt = now;
  expireProducers(log.producers, now - settings.producerExpirationMs);
}

/** Checks with the coordinator that the partition is part of the transaction of the records (KIP-890). */
function verifyTransaction(
  cluster: Cluster,
  { partition, log }: Served,
  { batch, appending }: { readonly batch: Batch; readonly appending: Appending },
): number {
  if (!batch.isTransactional) return codes.NONE;
  const state = log.producers.get(batch.producerId);
  if (state?.transactionStart !== undefined && state.epoch === batch.producerEpoch) return codes.NONE;
  const producer = { producerId: batch.producerId, epoch: batch.producerEpoch };
  const code = cluster.transactions.verify(appending.transactionalId, producer, partition);
  const isAbortable = code === codes.INVALID_TXN_STATE && appending.version >= abortableFrom;
  return isAbortable ? codes.TRANSACTION_ABORTABLE : code;
}
