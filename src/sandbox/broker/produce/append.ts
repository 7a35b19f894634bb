import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster, Partition } from '../cluster-parts.ts';
import { type Batch, readBatch, stampAppendTime } from '../log/batch.ts';
import { checkSequence, expireProducers, findDuplicate } from '../log/producers.ts';
import { appendAsLeader, type ReplicaLog } from '../log/replica-log.ts';
import { onAppend } from '../replication/replicate.ts';
import { configOf, minInsyncReplicas } from '../topic-configs.ts';
import { findServed, type Served } from '../topics/lookup.ts';
import { checkBatch, checkForm, type Refusal } from './validate.ts';

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
export interface Appended {
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
export function appendRecords(cluster: Cluster, broker: number, appending: Appending): Appended | Refusal {
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
