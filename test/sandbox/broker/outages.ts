import type { Nodes } from '../../../src/sandbox/broker/cluster.ts';
import type { Cluster, Partition } from '../../../src/sandbox/broker/cluster-parts.ts';
import { expireProducers } from '../../../src/sandbox/broker/log/producers.ts';
import { reload } from '../../../src/sandbox/broker/log/replica-log.ts';
import { elect, setLeader } from '../../../src/sandbox/broker/replication/election.ts';
import { canServe, notify } from '../../../src/sandbox/broker/replication/partition.ts';
import {
  advanceHighWatermark,
  resumeCopies,
  setIsr,
  stopTimers,
} from '../../../src/sandbox/broker/replication/replicate.ts';

/** What happens to the brokers of a cluster. */
interface Outages {
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

/** Lets the brokers of a cluster fail and recover. */
export function createOutages(cluster: Cluster, nodes: Nodes): Outages {
  /** The brokers whose last end was in order. */
  const stopped = new Set<number>();
  /** What cancels the timers after which the controller notices that a broker is down. */
  const noticing = new Map<number, () => void>();
  const nodeOf = (broker: number) => {
    const node = nodes.all.get(broker);
    if (node === undefined) throw new Error(`there is no broker ${broker}`);
    return node;
  };
  const notice = (broker: number): void => {
    noticing.get(broker)?.();
    noticing.delete(broker);
    const node = nodeOf(broker);
    if (node.isFenced) return;
    node.isFenced = true;
    if (nodes.controller === broker)
      nodes.controller = cluster.brokers.find(({ id }) => !nodeOf(id).isFenced)?.id ?? -1;
    eachPartition(cluster, (partition) => fence(cluster, partition, broker));
    cluster.publish();
  };
  const end = (broker: number): void => {
    nodeOf(broker).isUp = false;
    for (const connection of [...nodeOf(broker).connections]) connection.close();
    eachPartition(cluster, (partition) => isolate(partition, broker));
    cluster.brokerEnded(broker);
  };
  return {
    stop(broker) {
      if (!nodeOf(broker).isUp) return;
      notice(broker);
      end(broker);
      stopped.add(broker);
    },
    kill(broker) {
      if (!nodeOf(broker).isUp) return;
      end(broker);
      noticing.set(
        broker,
        cluster.clock.after(cluster.settings.failoverDelayMs, () => notice(broker)),
      );
    },
    start(broker) {
      const node = nodeOf(broker);
      if (node.isUp) return;
      // A restarted broker replaces its old incarnation even if the controller has not noticed its end.
      if (!node.isFenced) notice(broker);
      const wasStopped = stopped.delete(broker);
      eachPartition(cluster, (partition) => reopen(cluster, partition, { broker, wasStopped }));
      node.isUp = true;
      node.isFenced = false;
      if (nodes.controller < 0) nodes.controller = broker;
      eachPartition(cluster, (partition) => rejoin(cluster, partition, broker));
      cluster.publish();
    },
    failDisk(partition, broker) {
      partition.offline.add(broker);
      isolate(partition, broker);
      notify(partition);
      cluster.clock.after(cluster.settings.failoverDelayMs, () => {
        if (partition.offline.has(broker)) fence(cluster, partition, broker);
      });
    },
    moveController(broker) {
      nodes.controller = broker;
      cluster.publish();
    },
    cutConnections(broker) {
      for (const connection of [...nodeOf(broker).connections]) connection.close();
    },
  };
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

/** Handles a dead broker or disk: removes it from the ISR, unless it is the only member, and replaces it as the leader. */
function fence(cluster: Cluster, partition: Partition, broker: number): void {
  const follower = partition.followers.get(broker);
  if (follower === undefined || partition.isDeleted) return;
  stopTimers(follower);
  const others = partition.isr.filter((one) => one !== broker);
  const isChanged = others.length > 0 && others.length < partition.isr.length;
  if (isChanged) partition.isr = others;
  if (partition.leader === broker) elect(cluster, partition);
  else if (isChanged) {
    cluster.publish(partition.topic);
    advanceHighWatermark(cluster, partition);
    notify(partition);
  }
}
