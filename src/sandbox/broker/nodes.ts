import type { BrokerAddress, Cluster, Partition } from './cluster-parts.ts';
import { expireProducers } from './log/producers.ts';
import { reload } from './log/replica-log.ts';
import { elect, fence, setLeader } from './replication/election.ts';
import { canServe, notify } from './replication/partition.ts';
import { resumeCopies, setIsr, stopTimers } from './replication/replicate.ts';
import type { BrokerConnection } from './serve/connection.ts';

/** The broker processes and their state as seen by the controller. */
export interface Nodes {
  isUp(broker: number): boolean;
  isFenced(broker: number): boolean;
  readonly controller: number;
  /** Tracks a connection while it is open. */
  adopt(broker: number, connection: BrokerConnection): void;
  /** Moves the broker's leaderships away, then stops it. */
  stop(broker: number): void;
  /** Stops a broker immediately; the controller notices after the failover delay. */
  kill(broker: number): void;
  /** Starts a broker again: it reads its logs, also those on disks that had failed. */
  start(broker: number): void;
  /** Lets the disk with a replica fail; the controller notices after the failover delay. */
  failDisk(partition: Partition, broker: number): void;
  /** Makes another broker the controller. */
  moveController(broker: number): void;
  /** Closes every connection of a broker, which keeps running. */
  cutConnections(broker: number): void;
}

interface Node {
  isUp: boolean;
  isFenced: boolean;
  /** Whether its last end was in order. */
  wasStopped: boolean;
  /** Cancels the timer after which the controller notices that the broker is down. */
  noticing: (() => void) | undefined;
  readonly connections: Set<BrokerConnection>;
}

/** Creates brokers that are all up. */
export function createNodes(addresses: readonly BrokerAddress[], cluster: () => Cluster): Nodes {
  const nodes = upNodes(addresses);
  let controller = addresses[0]?.id ?? -1;
  const nodeOf = (broker: number): Node => {
    const node = nodes.get(broker);
    if (node === undefined) throw new Error(`there is no broker ${broker}`);
    return node;
  };
  const notice = (broker: number): void => {
    const node = nodeOf(broker);
    node.noticing?.();
    node.noticing = undefined;
    if (node.isFenced) return;
    node.isFenced = true;
    if (controller === broker) controller = addresses.find(({ id }) => !nodeOf(id).isFenced)?.id ?? -1;
    eachPartition(cluster(), (partition) => fence(cluster(), partition, broker));
    cluster().publish();
  };
  const end = (broker: number): void => {
    nodeOf(broker).isUp = false;
    for (const connection of [...nodeOf(broker).connections]) connection.close();
    eachPartition(cluster(), (partition) => isolate(partition, broker));
    cluster().brokerEnded(broker);
  };
  return {
    isUp: (broker) => nodes.get(broker)?.isUp ?? false,
    isFenced: (broker) => nodes.get(broker)?.isFenced ?? true,
    get controller() {
      return controller;
    },
    adopt: (broker, connection) => adopt(nodeOf(broker), connection),
    stop(broker) {
      if (!nodeOf(broker).isUp) return;
      notice(broker);
      end(broker);
      nodeOf(broker).wasStopped = true;
    },
    kill(broker) {
      const node = nodeOf(broker);
      if (!node.isUp) return;
      end(broker);
      node.noticing = cluster().clock.after(cluster().settings.failoverDelayMs, () => notice(broker));
    },
    start(broker) {
      const node = nodeOf(broker);
      if (node.isUp) return;
      // A restarted broker replaces its old incarnation even if the controller has not noticed its end.
      if (!node.isFenced) notice(broker);
      eachPartition(cluster(), (partition) => reopen(cluster(), partition, { broker, wasStopped: node.wasStopped }));
      node.isUp = true;
      node.isFenced = false;
      node.wasStopped = false;
      if (controller < 0) controller = broker;
      eachPartition(cluster(), (partition) => rejoin(cluster(), partition, broker));
      cluster().publish();
    },
    failDisk(partition, broker) {
      partition.offline.add(broker);
      isolate(partition, broker);
      notify(partition);
      cluster().clock.after(cluster().settings.failoverDelayMs, () => {
        if (partition.offline.has(broker)) fence(cluster(), partition, broker);
      });
    },
    moveController(broker) {
      controller = broker;
      cluster().publish();
    },
    cutConnections(broker) {
      for (const connection of [...nodeOf(broker).connections]) connection.close();
    },
  };
}

function adopt({ connections }: Node, connection: BrokerConnection): void {
  connections.add(connection);
  connection.onClose(() => connections.delete(connection));
}

function upNodes(addresses: readonly BrokerAddress[]): ReadonlyMap<number, Node> {
  const up = (): Node => ({
    isUp: true,
    isFenced: false,
    wasStopped: false,
    noticing: undefined,
    connections: new Set(),
  });
  return new Map(addresses.map(({ id }) => [id, up()]));
}

function eachPartition(cluster: Cluster, call: (partition: Partition) => void): void {
  for (const topic of [...cluster.topics.all()]) for (const partition of topic.partitions) call(partition);
}

/** Stops replication to and from a broker that is down. */
function isolate(partition: Partition, broker: number): void {
  for (const [id, follower] of partition.followers) {
    if (id === broker || partition.leader === broker) stopTimers(follower);
  }
}

/** Reads the log of a replica as its broker does when it starts. */
function reopen(
  { clock, settings }: Cluster,
  { logs, offline }: Partition,
  { broker, wasStopped }: { readonly broker: number; readonly wasStopped: boolean },
): void {
  const log = logs.get(broker);
  if (log === undefined) return;
  reload(log, wasStopped && !offline.has(broker));
  expireProducers(log.producers, clock.wallTime() - settings.producerExpirationMs);
  offline.delete(broker);
}

function rejoin(cluster: Cluster, partition: Partition, broker: number): void {
  if (!partition.replicas.includes(broker)) return;
  if (partition.leader < 0) elect(cluster, partition);
  resumeCopies(cluster, partition);
  notify(partition);
}

/** Makes a running replica the leader; the election is unclean if the replica is not in the ISR. */
export function moveLeader(cluster: Cluster, partition: Partition, broker: number): void {
  if (!canServe(cluster, partition, broker)) {
    throw new Error(`broker ${broker} cannot lead ${partition.topic.name}-${partition.index}`);
  }
  if (!partition.isr.includes(broker)) setIsr(cluster, partition, [broker]);
  if (partition.leader !== broker) setLeader(cluster, partition, broker);
}
