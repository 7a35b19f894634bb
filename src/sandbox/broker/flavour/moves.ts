import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster, Partition, Problem, Topic } from '../cluster-parts.ts';
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

/** cluster/topics_frontend.cc:1918: fewer are the first ones; more are on the nodes that have the fewest of the topic. */
export function resize(cluster: Cluster, moves: Moves, topic: Topic, count: number): Problem | undefined {
  const due = topic.partitions.filter(({ replicas }) => replicas.length !== count);
  if (due.length === 0) return undefined;
  const message = 'Unable to allocate topic with given replication factor';
  if (count > cluster.brokers.length) return { code: codes.INVALID_REPLICATION_FACTOR, message };
  if (moves.ongoing().some(([partition]) => due.includes(partition)))
    return { code: codes.REASSIGNMENT_IN_PROGRESS, message: 'update in progress' };
  const load = new Map(cluster.brokers.map(({ id }) => [id, 0]));
  const add = (id: number) => load.set(id, (load.get(id) ?? 0) + 1);
  for (const { replicas } of topic.partitions) for (const id of replicas) add(id);
  for (const partition of due) {
    const others = [...load].filter(([id]) => !partition.replicas.includes(id)).sort(([, a], [, b]) => a - b);
    const added = others.map(([id]) => id).slice(0, Math.max(0, count - partition.replicas.length));
    for (const id of added) add(id);
    moves.start(cluster, partition, [...partition.replicas, ...added].slice(0, count));
  }
  return undefined;
}
