import type { Cluster, Partition } from '../cluster-parts.ts';
import { createLog } from '../log/replica-log.ts';
import { setLeader } from '../replication/election.ts';
import { newFollower } from '../replication/partition.ts';
import { resumeCopies, setIsr, stopTimers } from '../replication/replicate.ts';

/** The partitions whose replicas are moving. */
export interface Moves {
  /** Gives a partition new replicas at once, which take over from the previous ones later; false while it is moving. */
  start(cluster: Cluster, partition: Partition, replicas: readonly number[]): boolean;
  /** Returns a moving partition to its previous replicas; false if it is not moving. */
  cancel(cluster: Cluster, partition: Partition): boolean;
  /** Lists the moving partitions with their previous replicas. */
  ongoing(): readonly (readonly [partition: Partition, previous: readonly number[]])[];
}

/** Creates moves that take as long as the settings say. */
export function createMoves(): Moves {
  const moving = new Map<Partition, { readonly previous: readonly number[]; readonly cancel: () => void }>();
  return {
    start(cluster, partition, replicas) {
      if (moving.has(partition)) return false;
      const previous = partition.replicas;
      place(cluster, partition, replicas);
      const cancel = cluster.clock.after(cluster.settings.redpanda.moveMs, () => {
        moving.delete(partition);
        settle(cluster, partition);
      });
      moving.set(partition, { previous, cancel });
      return true;
    },
    cancel(cluster, partition) {
      const move = moving.get(partition);
      if (move === undefined) return false;
      move.cancel();
      moving.delete(partition);
      place(cluster, partition, move.previous);
      settle(cluster, partition);
      return true;
    },
    ongoing: () => [...moving].map(([partition, { previous }]) => [partition, previous] as const),
  };
}

function place(cluster: Cluster, partition: Partition, replicas: readonly number[]): void {
  for (const id of replicas) {
    if (partition.logs.has(id)) continue;
    partition.logs.set(id, createLog());
    partition.followers.set(id, newFollower());
  }
  partition.replicas = replicas;
  cluster.publish(partition.topic);
  resumeCopies(cluster, partition);
}

/** Removes the replicas that have moved away, and elects a leader among the others. */
function settle(cluster: Cluster, partition: Partition): void {
  const { replicas, logs, followers } = partition;
  if (!replicas.includes(partition.leader)) setLeader(cluster, partition, replicas.find(cluster.isUp) ?? -1);
  for (const [id, follower] of followers) {
    if (replicas.includes(id)) continue;
    stopTimers(follower);
    followers.delete(id);
    logs.delete(id);
  }
  setIsr(cluster, partition, replicas);
}
