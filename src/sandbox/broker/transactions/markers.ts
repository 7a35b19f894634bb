import type { Cluster, Partition, Transaction } from '../cluster-parts.ts';
import { markerBatch } from '../log/batch.ts';
import { appendAsLeader, type ReplicaLog } from '../log/replica-log.ts';
import { leaderLog } from '../replication/partition.ts';
import { onAppend } from '../replication/replicate.ts';

/**
 * Writes the markers of a transaction to every participating partition and group after the cluster's delay, and calls
 * `done` when all are committed. A partition without a leader gets its marker after the next election.
 */
export function writeMarkers(cluster: Cluster, transaction: Transaction, committed: boolean, done: () => void): void {
  const { producerId, epoch } = transaction;
  const partitions = [...transaction.partitions];
  const groups = [...transaction.groups];
  cluster.clock.after(cluster.settings.markerDelayMs, () => {
    for (const group of groups) {
      cluster.transactionalOffsets?.complete({ group, producerId, producerEpoch: epoch, committed });
    }
    let left = partitions.length;
    const one = (): void => {
      left -= 1;
      if (left === 0) done();
    };
    if (left === 0) done();
    for (const partition of partitions) writeMarker(cluster, partition, { producerId, epoch, committed }, one);
  });
}

interface End {
  readonly producerId: bigint;
  readonly epoch: number;
  readonly committed: boolean;
}

function writeMarker(cluster: Cluster, partition: Partition, end: End, done: () => void): void {
  // The leader epoch in which the marker was appended, and its offset.
  let writtenIn = -1;
  let offset = -1;
  let isFinished = false;
  const check = (): void => {
    const log = leaderLog(partition);
    if (isFinished) return;
    if (partition.isDeleted) finish();
    else if (log === undefined || !cluster.isUp(partition.leader)) return;
    else if (writtenIn === partition.leaderEpoch) {
      if (log.highWatermark > offset) finish();
    } else {
      writtenIn = partition.leaderEpoch;
      offset = log.endOffset;
      append(cluster, { partition, log }, end);
    }
  };
  const finish = (): void => {
    isFinished = true;
    partition.watchers.delete(check);
    done();
  };
  partition.watchers.add(check);
  check();
}

/** Aborts whatever transactions are open in a partition, as `kafka-transactions.sh --abort` does. */
export function abortOpen(cluster: Cluster, partition: Partition): void {
  const log = leaderLog(partition);
  if (log === undefined) return;
  for (const [producerId, { epoch, transactionStart }] of [...log.producers]) {
    if (transactionStart !== undefined) append(cluster, { partition, log }, { producerId, epoch, committed: false });
  }
}

/** Appending tells the watchers of the partition, the one that waits for the marker among them. */
function append(
  cluster: Cluster,
  { partition, log }: { readonly partition: Partition; readonly log: ReplicaLog },
  { producerId, epoch, committed }: End,
): void {
  const time = BigInt(cluster.clock.wallTime());
  const bytes = markerBatch({ producerId, producerEpoch: epoch, committed, coordinatorEpoch: 0, time });
  appendAsLeader(log, bytes, partition.leaderEpoch);
  onAppend(cluster, partition);
}
