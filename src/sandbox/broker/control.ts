import type { Cluster } from './cluster-parts.ts';
import type { Sessions } from './fetch/sessions.ts';
import { type LoggedRecord, recordsOf } from './log/records.ts';
import { moveStart } from './log/replica-log.ts';
import { moveLeader, type Nodes } from './nodes.ts';
import { elect } from './replication/election.ts';
import { type Election, leaderLog, notify, type Partition } from './replication/partition.ts';
import { advanceHighWatermark, resumeCopies, setIsr, stopTimers } from './replication/replicate.ts';
import type { Fault } from './serve/faults.ts';
import type { Settings } from './settings.ts';
import { aliveBrokers } from './topics/new-topics.ts';
import { assignReplicas } from './topics/registry.ts';
import { abortOpen } from './transactions/markers.ts';

/** A throttle: what a broker asks of clients after each request of an API (KIP-219). */
export interface Throttle {
  readonly api: string;
  /** Every broker when left out. */
  readonly broker?: number | undefined;
  readonly milliseconds: number;
}

/** What can be turned while a cluster runs. */
export interface Knobs {
  readonly settings: { -readonly [K in keyof Settings]: Settings[K] };
  throttles: readonly Throttle[];
  readonly replicationDelays: Map<number, number>;
  readonly metadataDelays: Map<number, number>;
  readonly defects: unknown[];
}

/** What became of a partition, for whoever checks it. */
export interface PartitionState {
  readonly leader: number;
  readonly leaderEpoch: number;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
  readonly startOffset: number;
  readonly highWatermark: number;
  readonly endOffset: number;
  /** In their order. */
  readonly elections: readonly Election[];
}

/** What a test or a simulation does to a cluster; none of it is a request. */
export interface Control {
  /** Creates a topic with its leaders, at once. */
  createTopic(topic: {
    readonly name: string;
    readonly partitions?: number;
    readonly replicas?: number;
    readonly configs?: Readonly<Record<string, string>>;
  }): void;
  /** Makes the next requests of an API fail; see `Fault`. */
  fault(fault: Fault): void;
  clearFaults(): void;
  /** Hands over what the broker leads, then ends it. */
  stop(broker: number): void;
  /** Ends a broker at once; the controller notices after the failover delay. */
  kill(broker: number): void;
  start(broker: number): void;
  isUp(broker: number): boolean;
  cutConnections(broker: number): void;
  readonly controller: number;
  moveController(broker: number): void;
  /** Gives the lead to a replica that is up; to one outside of the ISR only uncleanly, by which records are lost. */
  moveLeader(topic: string, partition: number, broker: number): void;
  /** Gives each partition back to its first replica where that is in the ISR. */
  electPreferred(): void;
  /** Elects a leader from any replica that is up, for a partition without one. */
  electUnclean(topic: string, partition: number): void;
  /** Stops a follower from copying, until it is released. */
  holdReplication(topic: string, partition: number, broker: number): void;
  releaseReplication(topic: string, partition: number, broker: number): void;
  /** Takes a follower out of the ISR, as one that has been behind for too long. */
  dropFromIsr(topic: string, partition: number, broker: number): void;
  /** Changes settings from now on. */
  set(settings: Partial<Settings>): void;
  setReplicationDelay(broker: number, milliseconds: number): void;
  setMetadataDelay(broker: number, milliseconds: number): void;
  /** Replaces the throttles. */
  throttle(throttles: readonly Throttle[]): void;
  /** Forgets the producers of a partition, or one of them, on every replica. */
  expireProducers(topic: string, partition: number, producerId?: number): void;
  /** Deletes the records below an offset on every replica, as retention does. */
  moveLogStart(topic: string, partition: number, offset: number): void;
  /** Aborts whatever transactions are open in a partition, as `kafka-transactions.sh --abort` does. */
  abortOpen(topic: string, partition: number): void;
  deleteTopic(topic: string): void;
  /** Makes a broker forget its fetch sessions. */
  evictFetchSessions(broker: number): void;
  /** The records of the leader's log that are committed, markers included. */
  log(topic: string, partition: number): readonly LoggedRecord[];
  partition(topic: string, partition: number): PartitionState;
  /** The broker that coordinates a group or a transactional id; undefined: none now. */
  coordinatorOf(kind: 'group' | 'transaction', key: string): number | undefined;
  /** Errors of the model itself; there should be none. */
  readonly defects: readonly unknown[];
}

/** The control of a cluster. */
export function createControl(
  cluster: Cluster,
  nodes: Nodes,
  knobs: Knobs,
  sessionsOf: (broker: number) => Sessions,
): Control {
  return {
    ...nodeControl(cluster, nodes),
    ...partitionControl(cluster),
    ...knobControl(cluster, knobs),
    evictFetchSessions: (broker) => sessionsOf(broker).evictAll(),
    get controller() {
      return nodes.controller;
    },
  };
}

function find(cluster: Cluster, topic: string, index: number): Partition {
  const found = cluster.topics.get(topic)?.partitions[index];
  if (found === undefined) throw new Error(`there is no partition ${topic}-${index}`);
  return found;
}

function nodeControl(cluster: Cluster, nodes: Nodes) {
  return {
    stop: nodes.stop,
    kill: nodes.kill,
    start: nodes.start,
    isUp: nodes.isUp,
    cutConnections: nodes.cutConnections,
    moveController: nodes.moveController,
    moveLeader: (topic: string, index: number, broker: number) =>
      moveLeader(cluster, find(cluster, topic, index), broker),
    electUnclean: (topic: string, index: number) => elect(cluster, find(cluster, topic, index), true),
    electPreferred() {
      for (const topic of cluster.topics.all()) {
        for (const partition of topic.partitions) {
          const [first = -1] = partition.replicas;
          if (partition.isr.includes(first) && cluster.isUp(first)) moveLeader(cluster, partition, first);
        }
      }
    },
    coordinatorOf: cluster.coordinators.coordinatorOf,
  };
}

function partitionControl(cluster: Cluster) {
  return {
    ...topicControl(cluster),
    holdReplication(topic: string, index: number, broker: number): void {
      const follower = find(cluster, topic, index).followers.get(broker);
      if (follower === undefined) throw new Error(`broker ${broker} has no replica of ${topic}-${index}`);
      const { lagging } = follower;
      follower.lagging = undefined;
      stopTimers(follower);
      follower.lagging = lagging;
      follower.isHeld = true;
    },
    releaseReplication(topic: string, index: number, broker: number): void {
      const partition = find(cluster, topic, index);
      const follower = partition.followers.get(broker);
      if (follower !== undefined) follower.isHeld = false;
      resumeCopies(cluster, partition);
    },
    dropFromIsr(topic: string, index: number, broker: number): void {
      const partition = find(cluster, topic, index);
      if (partition.leader < 0 || partition.leader === broker) return;
      const others = partition.isr.filter((one) => one !== broker);
      if (others.length > 0) setIsr(cluster, partition, others);
    },
    expireProducers(topic: string, index: number, producerId?: number): void {
      for (const { producers } of find(cluster, topic, index).logs.values()) {
        if (producerId === undefined) producers.clear();
        else producers.delete(producerId);
      }
    },
    moveLogStart(topic: string, index: number, offset: number): void {
      const partition = find(cluster, topic, index);
      const end = leaderLog(partition)?.highWatermark ?? 0;
      for (const log of partition.logs.values()) moveStart(log, Math.min(offset, end));
      advanceHighWatermark(cluster, partition);
      notify(partition);
    },
    abortOpen: (topic: string, index: number) => abortOpen(cluster, find(cluster, topic, index)),
    log(topic: string, index: number): readonly LoggedRecord[] {
      const log = leaderLog(find(cluster, topic, index));
      return log === undefined ? [] : recordsOf(log);
    },
    partition(topic: string, index: number): PartitionState {
      const partition = find(cluster, topic, index);
      const { startOffset = -1, highWatermark = -1, endOffset = -1 } = leaderLog(partition) ?? {};
      const { leader, leaderEpoch, replicas, isr, elections } = partition;
      return { leader, leaderEpoch, replicas, isr, startOffset, highWatermark, endOffset, elections };
    },
  };
}

function topicControl(cluster: Cluster) {
  let first = 0;
  return {
    createTopic({ name, partitions, replicas, configs }: Parameters<Control['createTopic']>[0]): void {
      const { settings } = cluster;
      const ids = aliveBrokers(cluster);
      const shape = {
        partitions: partitions ?? settings.partitions,
        replicas: Math.min(replicas ?? settings.replicas, ids.length),
      };
      const assigned = assignReplicas(ids, first, shape);
      first += 1;
      cluster.topics.create({ name, partitions: assigned, configs: new Map(Object.entries(configs ?? {})) });
    },
    deleteTopic(name: string): void {
      const topic = cluster.topics.get(name);
      if (topic !== undefined) cluster.topics.delete(topic);
    },
  };
}

function knobControl(cluster: Cluster, knobs: Knobs) {
  return {
    fault: cluster.faults.add,
    clearFaults: cluster.faults.clear,
    set(settings: Partial<Settings>): void {
      Object.assign(knobs.settings, settings);
    },
    setReplicationDelay: (broker: number, milliseconds: number) =>
      void knobs.replicationDelays.set(broker, milliseconds),
    setMetadataDelay: (broker: number, milliseconds: number) => void knobs.metadataDelays.set(broker, milliseconds),
    throttle(throttles: readonly Throttle[]): void {
      knobs.throttles = throttles;
    },
    defects: knobs.defects,
  };
}
