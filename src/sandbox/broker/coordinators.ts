import type { WrittenResponseOf } from '../../kafka/protocol/wire/api.ts';
import { findCoordinator } from '../../kafka/protocol/wire/apis/find-coordinator.ts';
import { codes } from '../../kafka/protocol/wire/error-codes.ts';
import type { Cluster, CoordinatorKind, Coordinators, Partition } from './cluster-parts.ts';
import { type Handler, handler } from './serve/handler.ts';
import { assignReplicas } from './topics/registry.ts';

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

type Response = WrittenResponseOf<typeof findCoordinator>;
type Location = NonNullable<Response['coordinators']>[number];
const kinds = ['group', 'transaction'] as const;

/** FindCoordinator. The first request for a kind creates the internal topic and fails: COORDINATOR_NOT_AVAILABLE. */
export const findCoordinatorHandler: Handler = handler(findCoordinator, {
  handle({ cluster, broker, version }, request) {
    const keys = version >= 4 ? request.coordinatorKeys : [request.key];
    return responseOf(keys.map((key) => find(cluster, { broker, keyType: request.keyType, key })));
  },
  refuse: (request, code, version) =>
    responseOf((version >= 4 ? request.coordinatorKeys : [request.key]).map((key) => missing(key, code))),
});

function find(cluster: Cluster, question: { broker: number; keyType: number; key: string }): Location {
  const { key } = question;
  const kind = kinds[question.keyType];
  if (kind === undefined || (kind === 'transaction' && key === '')) return missing(key, codes.INVALID_REQUEST);
  const coordinator = cluster.coordinators.coordinatorOf(kind, key);
  if (coordinator === undefined) cluster.coordinators.prepare(kind);
  const alive = cluster.image(question.broker).alive;
  const broker = cluster.brokers.find(({ id }) => id === coordinator && alive.has(id));
  if (broker === undefined) return missing(key, codes.COORDINATOR_NOT_AVAILABLE);
  const { id, host, port } = broker;
  return { key, nodeId: id, host, port, errorCode: codes.NONE, errorMessage: undefined };
}

function missing(key: string, errorCode: number): Location {
  return { key, nodeId: -1, host: '', port: -1, errorCode, errorMessage: undefined };
}

/** Builds a response. Up to version 3 it has one coordinator, in top-level fields. */
function responseOf(coordinators: readonly Location[]): Response {
  const [first] = coordinators;
  const { nodeId = -1, host = '', port = -1, errorCode = codes.COORDINATOR_NOT_AVAILABLE } = first ?? {};
  return { nodeId, host, port, errorCode, errorMessage: first?.errorMessage, coordinators };
}
