import type { Cluster } from '../cluster-parts.ts';
import type { EpochStart } from '../log/epochs.ts';
import { createLog, type ReplicaLog } from '../log/replica-log.ts';
import type { Topic } from '../topics/topic.ts';

/** The state of a follower as known to the leader. */
export interface Follower {
  /** The end of its log at its last fetch in this epoch; -1 before the first. */
  end: number;
  /** Cancels the scheduled copy; undefined when there is none. */
  copying: (() => void) | undefined;
  /** Cancels the timer after which the follower leaves the ISR; undefined while it is caught up. */
  lagging: (() => void) | undefined;
  /** True while a test or simulation holds its replication. */
  isHeld: boolean;
}

/** An election of a leader. */
export interface Election {
  /** The time on the clock. */
  readonly at: number;
  readonly leader: number;
  readonly leaderEpoch: number;
  /** The end of its log at that time, and the epochs in it. */
  readonly endOffset: number;
  readonly epochs: readonly EpochStart[];
}

/** A partition: its state at the controller and the logs of its replicas. */
export interface Partition {
  readonly topic: Topic;
  readonly index: number;
  readonly replicas: readonly number[];
  isr: readonly number[];
  /** The leader's broker id; -1 without a leader. */
  leader: number;
  leaderEpoch: number;
  /** The end of the leader's log at its election. */
  epochStart: number;
  /** The time of the election on the clock. */
  electedAt: number;
  /** In their order. */
  readonly elections: Election[];
  readonly logs: ReadonlyMap<number, ReplicaLog>;
  readonly followers: ReadonlyMap<number, Follower>;
  /** The replicas on disks that have failed. */
  readonly offline: Set<number>;
  /** Callbacks for each change of a log, a watermark or the leader. */
  readonly watchers: Set<() => void>;
  isDeleted: boolean;
}

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
    followers: new Map(
      replicas.map((broker) => [broker, { end: -1, copying: undefined, lagging: undefined, isHeld: false }]),
    ),
    offline: new Set(),
    watchers: new Set(),
    isDeleted: false,
  };
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
