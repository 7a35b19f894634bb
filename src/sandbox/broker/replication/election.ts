import type { Cluster, Partition } from '../cluster-parts.ts';
import { assignEpoch } from '../log/epochs.ts';
import { isUncleanElectionAllowed } from '../topic-configs.ts';
import { canServe, leaderLog, notify } from './partition.ts';
import { advanceHighWatermark, forgetFollowers, resumeCopies } from './replicate.ts';

/** Makes a broker (-1 for none) the leader in a new epoch. */
export function setLeader(cluster: Cluster, partition: Partition, leader: number): void {
  partition.leader = leader;
  partition.leaderEpoch += 1;
  partition.electedAt = cluster.clock.now();
  forgetFollowers(partition);
  const log = leaderLog(partition);
  if (log !== undefined) {
    partition.epochStart = log.endOffset;
    const { electedAt: at, leaderEpoch } = partition;
    partition.elections.push({ at, leader, leaderEpoch, endOffset: log.endOffset, epochs: [...log.epochs] });
    assignEpoch(log.epochs, partition.leaderEpoch, log.endOffset);
    resumeCopies(cluster, partition);
    advanceHighWatermark(cluster, partition);
  }
  cluster.publish(partition.topic);
  cluster.leaderMoved(partition);
  notify(partition);
}

/**
 * Elects a new leader if the current one is dead: the first live replica of the ISR or, if unclean election is allowed,
 * the first live replica of all, which may lose records.
 */
export function elect(cluster: Cluster, partition: Partition, allowUnclean = false): void {
  const isThere = (broker: number): boolean => canServe(cluster, partition, broker) && !cluster.isFenced(broker);
  if (partition.isDeleted || (partition.leader >= 0 && isThere(partition.leader))) return;
  const clean = partition.replicas.find((broker) => partition.isr.includes(broker) && isThere(broker));
  if (clean !== undefined) {
    setLeader(cluster, partition, clean);
    return;
  }
  const unclean = partition.replicas.find(isThere);
  if (unclean !== undefined && (allowUnclean || isUncleanElectionAllowed(cluster, partition.topic))) {
    partition.isr = [unclean];
    setLeader(cluster, partition, unclean);
  } else if (partition.leader >= 0) setLeader(cluster, partition, -1);
}
