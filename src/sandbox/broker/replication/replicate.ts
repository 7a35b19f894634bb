import type { Cluster, Follower, Partition } from '../cluster-parts.ts';
import { type EpochEnd, type EpochStart, endOfEpoch } from '../log/epochs.ts';
import { findBatch } from '../log/read.ts';
import { appendBatch, moveStart, type ReplicaLog, setHighWatermark, truncate } from '../log/replica-log.ts';
import { minInsyncReplicas } from '../topic-configs.ts';
import { canServe, leaderLog, notify } from './partition.ts';

/** Starts replication after an append to the leader's log; without followers the records are committed immediately. */
export function onAppend(cluster: Cluster, partition: Partition): void {
  eachFollower(partition, (broker, follower) => {
    if (partition.isr.includes(broker)) watchLag(cluster, partition, broker);
    scheduleCopy(cluster, partition, { broker, follower });
  });
  advanceHighWatermark(cluster, partition);
  notify(partition);
}

/** Schedules a copy for every follower. */
export function resumeCopies(cluster: Cluster, partition: Partition): void {
  eachFollower(partition, (broker, follower) => scheduleCopy(cluster, partition, { broker, follower }));
}

/** Deletes the records of the leader below an offset (DeleteRecords); the followers do the same when they copy next. */
export function deleteBefore(cluster: Cluster, partition: Partition, offset: number): void {
  const log = leaderLog(partition);
  if (log === undefined || !moveStart(log, offset, cluster.settings.keepsProducers)) return;
  resumeCopies(cluster, partition);
  advanceHighWatermark(cluster, partition);
  notify(partition);
}

/** Resets the state of all followers, which a new leader does not know. */
export function forgetFollowers(partition: Partition): void {
  for (const follower of partition.followers.values()) {
    follower.end = -1;
    stopTimers(follower);
  }
}

/** Cancels the scheduled copy and the lag timer of a follower. */
export function stopTimers(follower: Follower): void {
  follower.copying?.();
  follower.copying = undefined;
  follower.lagging?.();
  follower.lagging = undefined;
}

function eachFollower(partition: Partition, call: (broker: number, follower: Follower) => void): void {
  for (const [broker, follower] of partition.followers) if (broker !== partition.leader) call(broker, follower);
}

interface To {
  readonly broker: number;
  readonly follower: Follower;
}

function scheduleCopy(cluster: Cluster, partition: Partition, to: To): void {
  const { broker, follower } = to;
  const canCopy = (): boolean =>
    !follower.isHeld && canServe(cluster, partition, broker) && canServe(cluster, partition, partition.leader);
  if (follower.copying !== undefined || !canCopy()) return;
  follower.copying = cluster.clock.after(cluster.settings.replicationDelayMs, () => {
    follower.copying = undefined;
    if (canCopy()) copy(cluster, partition, to);
  });
}

function copy(cluster: Cluster, partition: Partition, to: To): void {
  const { broker, follower } = to;
  const from = leaderLog(partition);
  const log = partition.logs.get(broker);
  if (from === undefined || log === undefined || partition.leader === broker) return;
  const { keepsProducers } = cluster.settings;
  reconcile(log, from, keepsProducers);
  for (let at = findBatch(from, log.endOffset); at < from.batches.length; at += 1) {
    const batch = from.batches[at];
    if (batch !== undefined) appendBatch(log, batch);
  }
  if (log.endOffset < from.endOffset) log.endOffset = from.endOffset;
  const isDeleted = moveStart(log, from.startOffset, keepsProducers);
  const isNew = setHighWatermark(log, Math.max(log.highWatermark, from.highWatermark));
  follower.end = log.endOffset;
  follower.lagging?.();
  follower.lagging = undefined;
  joinIsr(cluster, partition, broker);
  advanceHighWatermark(cluster, partition);
  if (isNew || isDeleted) notify(partition);
  if (log.highWatermark < from.highWatermark) scheduleCopy(cluster, partition, to);
}

/** Truncates a follower's log where it diverges from the leader's, according to their epochs (KIP-101, KIP-279). */
function reconcile(log: ReplicaLog, leader: ReplicaLog, keepsProducers: boolean): void {
  for (let last = log.epochs.at(-1); last !== undefined; last = log.epochs.at(-1)) {
    const { epoch } = last;
    const end = endOfEpoch(leader.epochs, epoch, leader.endOffset);
    if (end?.epoch === epoch) {
      truncate(log, end.endOffset);
      break;
    }
    truncate(log, end === undefined ? startOf(log, last) : commonEnd(log, end));
    if (log.epochs.at(-1)?.epoch === epoch) log.epochs.pop();
  }
  if (log.endOffset < leader.startOffset) moveStart(log, leader.startOffset, keepsProducers);
}

/** Where the follower's last epoch starts, which the leader does not know; at least one record goes. */
function startOf({ startOffset, endOffset }: ReplicaLog, last: EpochStart): number {
  return Math.max(startOffset, Math.min(last.startOffset, endOffset - 1));
}

/** Up to where both logs may agree, if the leader has only an earlier epoch than the follower. */
function commonEnd(log: ReplicaLog, end: EpochEnd): number {
  return Math.min(endOfEpoch(log.epochs, end.epoch, log.endOffset)?.endOffset ?? 0, end.endOffset);
}

function joinIsr(cluster: Cluster, partition: Partition, broker: number): void {
  const from = leaderLog(partition);
  const end = partition.followers.get(broker)?.end ?? -1;
  if (from === undefined || partition.isr.includes(broker) || cluster.isFenced(broker)) return;
  if (end < from.highWatermark || end < partition.epochStart) return;
  setIsr(cluster, partition, [...partition.isr, broker]);
}

/** Sets the ISR, ordered like the replicas. */
export function setIsr(cluster: Cluster, partition: Partition, isr: readonly number[]): void {
  partition.isr = partition.replicas.filter((broker) => isr.includes(broker));
  cluster.publish(partition.topic);
  advanceHighWatermark(cluster, partition);
  notify(partition);
}

/** Starts the timer after which a lagging follower leaves the ISR (`replica.lag.time.max.ms`). */
function watchLag(cluster: Cluster, partition: Partition, broker: number): void {
  const follower = partition.followers.get(broker);
  if (follower === undefined || follower.lagging !== undefined) return;
  follower.lagging = cluster.clock.after(cluster.settings.replicaLagTimeMs, () => {
    follower.lagging = undefined;
    if (partition.leader >= 0 && partition.leader !== broker && partition.isr.includes(broker)) {
      setIsr(
        cluster,
        partition,
        partition.isr.filter((one) => one !== broker),
      );
    }
  });
}

/** Moves the high watermark to the end of what all replicas in the ISR have, unless the ISR is too small (KIP-966). */
export function advanceHighWatermark(cluster: Cluster, partition: Partition): void {
  const log = leaderLog(partition);
  if (log === undefined || partition.isr.length < minInsyncReplicas(cluster, partition)) return;
  let end = log.endOffset;
  for (const broker of partition.isr) {
    if (broker !== partition.leader) end = Math.min(end, partition.followers.get(broker)?.end ?? -1);
  }
  if (end <= log.highWatermark || !setHighWatermark(log, end)) return;
  resumeCopies(cluster, partition);
  notify(partition);
}
