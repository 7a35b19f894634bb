import type { EpochStart } from '../log/epochs.ts';
import { createLog, type ReplicaLog } from '../log/replica-log.ts';
import type { Topic } from '../topics/topic.ts';

/** What the leader knows of a follower. */
export interface Follower {
  /** The end of its log when it last asked in this epoch; -1: it has not yet. */
  end: number;
  /** Cancels the copy that is on its way; undefined: none is. */
  copying: (() => void) | undefined;
  /** Cancels the timer after which it leaves the ISR; undefined while it is caught up. */
  lagging: (() => void) | undefined;
  /** A test or simulation holds its replication. */
  isHeld: boolean;
}

/** A leader that was elected. */
export interface Election {
  /** On the clock. */
  readonly at: number;
  readonly leaderEpoch: number;
  /** The end of its log at that time, and the epochs in it. */
  readonly endOffset: number;
  readonly epochs: readonly EpochStart[];
}

/** A partition: what the controller has decided, and the replicas' logs. */
export interface Partition {
  readonly topic: Topic;
  readonly index: number;
  readonly replicas: readonly number[];
  isr: readonly number[];
  /** -1: none. */
  leader: number;
  leaderEpoch: number;
  /** Where the leader's log ended when it became the leader. */
  epochStart: number;
  /** When it became the leader, on the clock. */
  electedAt: number;
  /** In their order. */
  readonly elections: Election[];
  readonly logs: ReadonlyMap<number, ReplicaLog>;
  readonly followers: ReadonlyMap<number, Follower>;
  /** Called whenever a log, a watermark or the leader has changed. */
  readonly watchers: Set<() => void>;
  isDeleted: boolean;
}

/** A partition with empty logs, led by nobody yet. */
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
    watchers: new Set(),
    isDeleted: false,
  };
}

/** The log of the leader; undefined without one. */
export function leaderLog(partition: Partition): ReplicaLog | undefined {
  return partition.logs.get(partition.leader);
}

/** Tells whoever waits for this partition that something has changed. */
export function notify(partition: Partition): void {
  for (const call of [...partition.watchers]) call();
}
