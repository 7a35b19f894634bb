import { kafkaError, kafkaErrorText } from '../errors.ts';
import type { OpenConnection } from '../transport/connection.ts';
import { findCoordinator } from '../wire/apis/find-coordinator.ts';
import { metadata as metadataApi } from '../wire/apis/metadata.ts';
import { codes } from '../wire/error-codes.ts';
import type { BrokerMetadata, ClusterMetadata } from './client.ts';
import { aboutTopics, clusterOf } from './cluster-metadata.ts';
import {
  type BrokerError,
  type Coordinated,
  isCoordinated,
  isPartition,
  keyOf,
  nameOfTarget,
  type PartitionTarget,
  type Target,
  unlocatedError,
} from './targets.ts';

/** A broker by its id, or any of them. */
export type Node = number | 'any';

/** The location of a target. */
export interface Location {
  readonly node: Node;
  /** The leader epoch of a partition; -1 when unknown, and for other targets. */
  readonly leaderEpoch: number;
}

/** Locations of brokers, the controller, leaders and coordinators as last reported by the cluster; read on demand. */
export interface MetadataCache {
  /**
   * Locates targets, and returns where each of them is. Unknown locations are read with one Metadata request for all
   * partitions and the controller, and one FindCoordinator request for all groups.
   * @throws CliError when no broker can be asked
   */
  locate(targets: readonly Target[]): Promise<(target: Target) => Location | BrokerError>;
  /** Locates one target. @throws CliError if it cannot be located */
  nodeOf(target: Target): Promise<Node>;
  /** Reads metadata; `undefined` means all topics. */
  read(topics: readonly string[] | undefined): Promise<ClusterMetadata>;
  /** The broker's listener; undefined when the cluster has not reported the broker. */
  broker(node: number): BrokerMetadata | undefined;
  /** Every broker that the cluster has reported. */
  brokers(): readonly BrokerMetadata[];
  /** The broker that reported the locations, for messages. */
  readonly source: string;
  /** The id of the cluster in the last Metadata response; undefined before the first one. */
  readonly cluster: Pick<ClusterMetadata, 'clusterId'> | undefined;
  /** Forgets a target that has moved, so that the next call looks it up again. */
  forget(target: Target): void;
  /** Forgets a broker that is gone or has moved, and everything located there. */
  forgetNode(node: number): void;
}

/** The state of a cache. */
interface State {
  /** Connects to any broker, and to another one the more answers were incomplete. */
  readonly connect: (incomplete: number) => Promise<OpenConnection>;
  /** How many answers were incomplete. */
  incomplete: number;
  source: string;
  cluster: Pick<ClusterMetadata, 'clusterId'> | undefined;
  /** -1 when unknown. */
  controller: number;
  readonly brokers: Map<number, BrokerMetadata>;
  /** Leaders and coordinators, by target name. */
  readonly locations: Map<string, Location>;
}

/**
 * Creates an empty cache.
 * @param connect connects to any broker, and to another one the more answers were incomplete
 */
export function createMetadataCache(connect: (incomplete: number) => Promise<OpenConnection>): MetadataCache {
  const state: State = {
    connect,
    incomplete: 0,
    source: '',
    cluster: undefined,
    controller: -1,
    brokers: new Map(),
    locations: new Map(),
  };
  return {
    read: (topics) => read(state, topics),
    locate: (targets) => locate(state, targets),
    async nodeOf(target) {
      const location = (await locate(state, [target]))(target);
      if ('code' in location) throw unlocatedError(target, location, state.source);
      return location.node;
    },
    broker: (node) => state.brokers.get(node),
    brokers: () => [...state.brokers.values()],
    get source() {
      return state.source;
    },
    get cluster() {
      return state.cluster;
    },
    forget(target) {
      if (target === 'controller') state.controller = -1;
      else if (typeof target === 'object' && 'node' in target) state.brokers.delete(target.node);
      else state.locations.delete(nameOfTarget(target));
    },
    forgetNode(node) {
      state.brokers.delete(node);
      if (state.controller === node) state.controller = -1;
      for (const [name, location] of state.locations) if (location.node === node) state.locations.delete(name);
    },
  };
}

async function read(state: State, topics: readonly string[] | undefined): Promise<ClusterMetadata> {
  const connection = await state.connect(state.incomplete);
  const answer = await connection.send(metadataApi, aboutTopics(topics));
  if (answer.errorCode !== 0) {
    throw kafkaError(answer.errorCode, `unable to read the metadata: ${kafkaErrorText(answer.errorCode)}`);
  }
  const cluster = clusterOf(answer);
  learn(state, connection, cluster);
  if (isIncomplete(cluster)) state.incomplete += 1;
  return cluster;
}

async function locate(state: State, targets: readonly Target[]): Promise<(target: Target) => Location | BrokerError> {
  const missing = targets.filter((target) => locationOf(state, target) === undefined);
  const partitions = missing.filter(isPartition);
  const coordinated = missing.filter(isCoordinated);
  const topics = [...new Set(partitions.map(({ topic }) => topic))];
  const needsMetadata = topics.length > 0 || missing.includes('controller');
  const [metadata, coordinators] = await Promise.all([
    needsMetadata ? read(state, topics) : undefined,
    coordinated.length > 0 ? findCoordinators(state, coordinated) : [],
  ]);
  const locations = new Map<string, Location | BrokerError>(coordinators);
  if (metadata !== undefined) explainPartitions(metadata, partitions, locations);
  for (const target of targets) {
    const location = locationOf(state, target);
    if (location !== undefined) locations.set(nameOfTarget(target), location);
  }
  // Only the controller is missing here: every other target has a location, or a code that says why not.
  return (target) => locations.get(nameOfTarget(target)) ?? noController;
}

async function findCoordinators(
  state: State,
  targets: readonly Coordinated[],
): Promise<readonly (readonly [string, BrokerError])[]> {
  const coordinators = await askForCoordinators(await state.connect(state.incomplete), targets);
  for (const { name, broker } of coordinators) {
    if (broker === undefined) continue;
    state.locations.set(name, { node: broker.id, leaderEpoch: -1 });
    if (!state.brokers.has(broker.id)) state.brokers.set(broker.id, broker);
    state.source ||= 'the FindCoordinator response';
  }
  return coordinators.map(({ name, unlocated }) => [name, unlocated] as const);
}

/** One coordinator, or the error that kept it from being found. */
interface FoundCoordinator {
  /** The name of the target (`nameOfTarget`). */
  readonly name: string;
  readonly broker: BrokerMetadata | undefined;
  readonly unlocated: BrokerError;
}

/** The first version in which one FindCoordinator request asks for many coordinators (KIP-699). */
const firstBatchVersion = 4;

/** Asks one broker for coordinators, with one request for all groups and one for all transactional ids. */
export async function askForCoordinators(
  connection: OpenConnection,
  targets: readonly Coordinated[],
): Promise<readonly FoundCoordinator[]> {
  const isBatch = connection.version(findCoordinator) >= firstBatchVersion;
  const requests = [...Map.groupBy(targets, keyTypeOf)].flatMap(([keyType, keyTargets]) =>
    isBatch ? [{ keyType, targets: keyTargets }] : keyTargets.map((target) => ({ keyType, targets: [target] })),
  );
  const answers = await Promise.all(
    requests.map(async ({ keyType, targets: keyTargets }) => {
      const keys = keyTargets.map(keyOf);
      const [key = ''] = keys;
      const { coordinators, ...only } = await connection.send(findCoordinator, { key, keyType, coordinatorKeys: keys });
      const rows = isBatch ? coordinators : [{ ...only, key }];
      const byKey = new Map(rows.map((row) => [row.key, row]));
      return keyTargets.map((target) => ({ target, row: byKey.get(keyOf(target)) }));
    }),
  );
  return answers.flat().map(({ target, row }) => {
    const code = row === undefined ? codes.COORDINATOR_NOT_AVAILABLE : row.errorCode;
    const isThere = row !== undefined && code === 0;
    return {
      name: nameOfTarget(target),
      broker: isThere ? { id: row.nodeId, host: row.host, port: row.port, rack: undefined } : undefined,
      unlocated: { code, text: row?.errorMessage },
    };
  });
}

/** The protocol's number for what the coordinator is for. */
function keyTypeOf(target: Coordinated): number {
  return 'group' in target ? 0 : 1;
}

const noController: BrokerError = { code: codes.NOT_CONTROLLER, text: undefined };

function locationOf(state: State, target: Target): Location | undefined {
  if (target === 'any') return { node: 'any', leaderEpoch: -1 };
  if (target === 'controller') return state.controller < 0 ? undefined : { node: state.controller, leaderEpoch: -1 };
  if (typeof target === 'object' && 'node' in target) return { node: target.node, leaderEpoch: -1 };
  return state.locations.get(nameOfTarget(target));
}

/** Stores the brokers, the controller and the partition leaders that a broker has reported. */
function learn(state: State, { nodeId, address }: OpenConnection, answer: ClusterMetadata): void {
  state.source = nodeId === undefined ? `seed broker ${address}` : `broker ${nodeId} (${address})`;
  state.cluster = { clusterId: answer.clusterId };
  state.controller = answer.controllerId;
  state.brokers.clear();
  for (const broker of answer.brokers) state.brokers.set(broker.id, broker);
  for (const { name: topic, partitions } of answer.topics) {
    for (const { partition, leader, leaderEpoch } of partitions) {
      const name = nameOfTarget({ topic, partition });
      if (leader >= 0) state.locations.set(name, { node: leader, leaderEpoch });
      else state.locations.delete(name);
    }
  }
}

/** Whether a broker's answer is incomplete; another broker may know more. */
function isIncomplete({ topics, controllerId }: ClusterMetadata): boolean {
  return controllerId < 0 || topics.some(({ errorCode, partitions }) => errorCode !== 0 || partitions.some(leaderless));
}

function leaderless({ leader }: { readonly leader: number }): boolean {
  return leader < 0;
}

function explainPartitions(
  { topics }: ClusterMetadata,
  targets: readonly PartitionTarget[],
  locations: Map<string, Location | BrokerError>,
): void {
  const topicCodes = new Map(topics.map(({ name, errorCode }) => [name, errorCode]));
  const partitionCodes = new Map(
    topics.flatMap(({ name: topic, partitions }) =>
      partitions.map(({ partition, errorCode }) => [
        nameOfTarget({ topic, partition }),
        errorCode || codes.LEADER_NOT_AVAILABLE,
      ]),
    ),
  );
  for (const target of targets) {
    const name = nameOfTarget(target);
    const code = topicCodes.get(target.topic) || partitionCodes.get(name) || codes.UNKNOWN_TOPIC_OR_PARTITION;
    locations.set(name, { code, text: undefined });
  }
}
