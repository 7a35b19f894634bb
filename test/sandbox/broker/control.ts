import {
  type ModelCluster as BareCluster,
  createModelCluster as createBareCluster,
  type Knobs,
  type Nodes,
  type Throttle,
} from '../../../src/sandbox/broker/cluster.ts';
import type { Cluster, Election, Partition } from '../../../src/sandbox/broker/cluster-parts.ts';
import { moveStart, truncate } from '../../../src/sandbox/broker/log/replica-log.ts';
import { elect } from '../../../src/sandbox/broker/replication/election.ts';
import { canServe, leaderLog, notify } from '../../../src/sandbox/broker/replication/partition.ts';
import { deleteBefore, resumeCopies, setIsr, stopTimers } from '../../../src/sandbox/broker/replication/replicate.ts';
import {
  type ModelServer as BareServer,
  startModelServer as startBareServer,
} from '../../../src/sandbox/broker/server.ts';
import type { Settings } from '../../../src/sandbox/broker/settings.ts';
import { aliveBrokers } from '../../../src/sandbox/broker/topics/new-topics.ts';
import { assignReplicas } from '../../../src/sandbox/broker/topics/registry.ts';
import { abortOpen } from '../../../src/sandbox/broker/transactions/markers.ts';
import { compact } from './compact.ts';
import { type Fault, injectFaults } from './faults.ts';
import { type LoggedRecord, recordsOf } from './logged-records.ts';
import { createOutages, moveLeader } from './outages.ts';

/** The state of a partition, for checks. */
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

/** The operations of a test or simulation on a cluster, which bypass the protocol. */
export interface Control {
  /** Creates a topic and elects its leaders immediately. */
  createTopic(topic: {
    readonly name: string;
    readonly partitions?: number;
    readonly replicas?: number;
    readonly configs?: Readonly<Record<string, string>>;
  }): void;
  /** Makes the next requests of an API fail; see `Fault`. */
  fault(fault: Fault): void;
  clearFaults(): void;
  /** Moves the broker's leaderships away, then stops it. */
  stop(broker: number): void;
  /** Stops a broker immediately; the controller notices after the failover delay. */
  kill(broker: number): void;
  start(broker: number): void;
  isUp(broker: number): boolean;
  cutConnections(broker: number): void;
  readonly controller: number;
  moveController(broker: number): void;
  /** Makes a running replica the leader. The election is unclean, losing records, if the replica is not in the ISR. */
  moveLeader(topic: string, partition: number, broker: number): void;
  /** Elects any running replica as the leader of a partition that has none. */
  electUnclean(topic: string, partition: number): void;
  /** Stops a follower from replicating until it is released. */
  holdReplication(topic: string, partition: number, broker: number): void;
  releaseReplication(topic: string, partition: number, broker: number): void;
  /** Removes a follower from the ISR, as if it had lagged for too long. */
  dropFromIsr(topic: string, partition: number, broker: number): void;
  /** Changes settings. */
  set(settings: Partial<Settings>): void;
  setMetadataDelay(broker: number, milliseconds: number): void;
  /** Replaces the throttles. */
  throttle(throttles: readonly Throttle[]): void;
  /** Removes the state of one or all producers of a partition on every replica. */
  expireProducers(topic: string, partition: number, producerId?: bigint): void;
  /**
   * Deletes the records below an offset: at one replica, as retention does, which each of them applies on its own, or at the
   * leader, whose followers do the same when they copy next, as DeleteRecords does.
   */
  moveLogStart(topic: string, partition: number, offset: number, broker?: number): void;
  /** Compacts the log of one or all replicas, each on its own, below an offset; see `compact`. */
  compact(topic: string, partition: number, belowOffset: number, broker?: number): void;
  /** Cuts the last batches off the log of a replica, which must be down, as the loss of unwritten data does. */
  cutTail(topic: string, partition: number, broker: number, batches: number): void;
  /** Lets the disk with a replica fail, until its broker is started again. */
  failDisk(topic: string, partition: number, broker: number): void;
  /** Checks whether a broker is up and the disk with its replica works. */
  canServe(topic: string, partition: number, broker: number): boolean;
  /** Checks whether any disk of a broker has failed. */
  hasFailedDisk(broker: number): boolean;
  /** Aborts whatever transactions are open in a partition, as `kafka-transactions.sh --abort` does. */
  abortOpen(topic: string, partition: number): void;
  deleteTopic(topic: string): void;
  /** Returns the name of the topic with an id; undefined when there is none. */
  topicName(id: string): string | undefined;
  /** Evicts all fetch sessions of a broker. */
  evictFetchSessions(broker: number): void;
  /** Returns the committed records of the leader's log, or of another replica's, including markers. */
  log(topic: string, partition: number, broker?: number): readonly LoggedRecord[];
  partition(topic: string, partition: number): PartitionState;
  /** Returns the coordinator of a group or transactional id; undefined when there is none. */
  coordinatorOf(kind: 'group' | 'transaction', key: string): number | undefined;
  /** The internal errors of the model so far, which should be none. */
  readonly defects: readonly unknown[];
}

/** A cluster under the control of a test or simulation. */
export interface ModelCluster extends BareCluster {
  readonly control: Control;
}

/** Creates a cluster whose brokers are all up. */
export function createModelCluster(options: Parameters<typeof createBareCluster>[0]): ModelCluster {
  const made = createBareCluster(options);
  return { ...made, control: createControl(made.inside) };
}

/** A server whose cluster is under the control of a test. */
export type ModelServer = Omit<BareServer, 'cluster'> & { readonly cluster: ModelCluster };

/** Starts a cluster on TCP. @throws Error when a port is in use */
export async function startModelServer(options: Parameters<typeof startBareServer>[0]): Promise<ModelServer> {
  const server = await startBareServer(options);
  return { ...server, cluster: { ...server.cluster, control: createControl(server.cluster.inside) } };
}

function createControl({ cluster, nodes, knobs, sessionsOf }: BareCluster['inside']): Control {
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
  const outages = createOutages(cluster, nodes);
  return {
    ...outages,
    isUp: cluster.isUp,
    failDisk: (topic: string, index: number, broker: number) => outages.failDisk(find(cluster, topic, index), broker),
    moveLeader: (topic: string, index: number, broker: number) =>
      moveLeader(cluster, find(cluster, topic, index), broker),
    electUnclean: (topic: string, index: number) => elect(cluster, find(cluster, topic, index), true),
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
    expireProducers(topic: string, index: number, producerId?: bigint): void {
      for (const { producers } of find(cluster, topic, index).logs.values()) {
        if (producerId === undefined) producers.clear();
        else producers.delete(producerId);
      }
    },
    moveLogStart(topic: string, index: number, offset: number, broker?: number): void {
      const partition = find(cluster, topic, index);
      const start = Math.min(offset, leaderLog(partition)?.highWatermark ?? 0);
      const own = broker === undefined || broker === partition.leader ? undefined : partition.logs.get(broker);
      if (own === undefined) deleteBefore(cluster, partition, start);
      else moveStart(own, Math.min(start, own.highWatermark), cluster.settings.keepsProducers);
      notify(partition);
    },
    compact(topic: string, index: number, belowOffset: number, broker?: number): void {
      const partition = find(cluster, topic, index);
      for (const [id, log] of partition.logs) {
        if (broker === undefined || broker === id) compact(log, belowOffset);
      }
      notify(partition);
    },
    cutTail(topic: string, index: number, broker: number, batches: number): void {
      const log = find(cluster, topic, index).logs.get(broker);
      const first = log?.batches.at(-batches) ?? log?.batches[0];
      if (log === undefined || first === undefined) return;
      if (cluster.isUp(broker)) throw new Error(`broker ${broker} is up`);
      truncate(log, Math.max(first.baseOffset, log.startOffset));
    },
    canServe: (topic: string, index: number, broker: number) => canServe(cluster, find(cluster, topic, index), broker),
    hasFailedDisk: (broker: number) =>
      [...cluster.topics.all()].some(({ partitions }) => partitions.some(({ offline }) => offline.has(broker))),
    abortOpen: (topic: string, index: number) => abortOpen(cluster, find(cluster, topic, index)),
    log(topic: string, index: number, broker?: number): readonly LoggedRecord[] {
      const partition = find(cluster, topic, index);
      const log = broker === undefined ? leaderLog(partition) : partition.logs.get(broker);
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
    topicName: (id: string) => cluster.topics.byId(id)?.name,
    deleteTopic(name: string): void {
      const topic = cluster.topics.get(name);
      if (topic !== undefined) cluster.topics.delete(topic);
    },
  };
}

function knobControl(cluster: Cluster, knobs: Knobs) {
  const faults = injectFaults(cluster);
  return {
    fault: faults.add,
    clearFaults: faults.clear,
    set(settings: Partial<Settings>): void {
      Object.assign(knobs.settings, settings);
    },
    setMetadataDelay: (broker: number, milliseconds: number) => void knobs.metadataDelays.set(broker, milliseconds),
    throttle(throttles: readonly Throttle[]): void {
      knobs.throttles = throttles;
    },
    defects: knobs.defects,
  };
}
