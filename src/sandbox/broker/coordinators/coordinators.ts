import { codes } from '../../../kafka/wire/error-codes.ts';
import type { Cluster, CoordinatorKind, Coordinators } from '../cluster-parts.ts';
import type { Partition } from '../replication/partition.ts';
import { assignReplicas } from '../topics/registry.ts';

const topicNames: Readonly<Record<CoordinatorKind, string>> = {
  group: '__consumer_offsets',
  transaction: '__transaction_state',
};

/** Coordinators and the notifications they need. */
export interface CoordinatorPart extends Coordinators {
  /** Reports that a partition of any topic has a new leader. */
  leaderMoved(partition: Partition): void;
}

/** Creates coordinators that, as in Kafka, are the partition leaders of two internal topics. */
export function createCoordinators(cluster: () => Cluster): CoordinatorPart {
  const calls: Parameters<Coordinators['onMove']>[0][] = [];
  const find = (kind: CoordinatorKind, key: string): Partition | undefined => {
    const topic = cluster().topics.get(topicNames[kind]);
    return topic?.partitions[partitionFor(key, topic.partitions.length)];
  };
  return {
    coordinatorOf(kind, key) {
      const leader = find(kind, key)?.leader ?? -1;
      return leader < 0 ? undefined : leader;
    },
    check(broker, kind, key) {
      const partition = find(kind, key);
      if (partition?.leader !== broker) return codes.NOT_COORDINATOR;
      const { clock, settings } = cluster();
      const isLoading = partition.leaderEpoch > 0 && clock.now() < partition.electedAt + settings.coordinatorLoadMs;
      return isLoading ? codes.COORDINATOR_LOAD_IN_PROGRESS : codes.NONE;
    },
    partitionOf: (_kind, key) => partitionFor(key, cluster().settings.coordinatorPartitions),
    prepare: (kind) => prepare(cluster(), topicNames[kind]),
    onMove: (call) => void calls.push(call),
    leaderMoved(partition) {
      const kind = kindOf(partition);
      if (kind === undefined) return;
      for (const call of calls) call(kind, partition.index, partition.leader < 0 ? undefined : partition.leader);
    },
  };
}

function kindOf({ topic }: Partition): CoordinatorKind | undefined {
  return (['group', 'transaction'] as const).find((kind) => topicNames[kind] === topic.name);
}

function prepare(cluster: Cluster, name: string): void {
  if (cluster.topics.get(name) !== undefined) return;
  const alive = cluster.brokers.map(({ id }) => id).filter((id) => !cluster.isFenced(id));
  if (alive.length === 0) return;
  const shape = { partitions: cluster.settings.coordinatorPartitions, replicas: Math.min(3, alive.length) };
  const configs = new Map([['cleanup.policy', 'compact']]);
  cluster.topics.create({ name, isInternal: true, partitions: assignReplicas(alive, 0, shape), configs });
}

/** The absolute value of Java's string hash modulo the number of partitions. */
function partitionFor(key: string, partitions: number): number {
  let hash = 0;
  for (let at = 0; at < key.length; at += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
  return (hash === -0x8000_0000 ? 0 : Math.abs(hash)) % partitions;
}
