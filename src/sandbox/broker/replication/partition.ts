import type { Cluster, Follower, Partition, Topic } from '../cluster-parts.ts';
import { createLog, type ReplicaLog } from '../log/replica-log.ts';

/** Creates a partition with empty logs and no leader. */
export function createPartition(topic: Topic, index: number, replicas: readonly number[]): Partition {
  return {
    topic,
    index,
    replicas,
    isr: replicas,
    leader: -1,
    leaderEpoch: -1,
    epochStart: 0,
    electedAt: 0,
    elections: [],
    logs: new Map(replicas.map((broker) => [broker, createLog()])),
    followers: new Map(replicas.map((broker) => [broker, newFollower()])),
    offline: new Set(),
    watchers: new Set(),
    isDeleted: false,
  };
}

/** Creates the state of a follower that has not fetched yet. */
export function newFollower(): Follower {
  return { end: -1, copying: undefined, lagging: undefined, isHeld: false };
}

/** Returns the log of the leader; undefined without a leader. */
export function leaderLog(partition: Partition): ReplicaLog | undefined {
  return partition.logs.get(partition.leader);
}

/** Checks whether a broker has a replica and can read and write it. */
export function canServe({ isUp }: Pick<Cluster, 'isUp'>, { logs, offline }: Partition, broker: number): boolean {
  return logs.has(broker) && isUp(broker) && !offline.has(broker);
}

/** Calls the watchers of a changed partition. */
export function notify(partition: Partition): void {
  for (const call of [...partition.watchers]) call();
}
