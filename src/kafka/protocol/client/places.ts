import { kafkaError, kafkaErrorText } from '../errors.ts';
import type { OpenConnection } from '../transport/connection.ts';
import { findCoordinator } from '../wire/apis/find-coordinator.ts';
import { metadata as metadataApi } from '../wire/apis/metadata.ts';
import { codes } from '../wire/error-codes.ts';
import type { BrokerMetadata, ClusterMetadata } from './client.ts';
import { aboutTopics, clusterOf } from './cluster-metadata.ts';
import {
  type Coordinated,
  isCoordinated,
  isPartition,
  keyOf,
  type Nowhere,
  nameOfTarget,
  nowhereError,
  type PartitionTarget,
  type Target,
} from './targets.ts';

/** A broker by its id, or any of them. */
export type Node = number | 'any';

/** The location of a target. */
export interface Place {
  readonly node: Node;
  /** The leader epoch of a partition; -1 when unknown, and for other targets. */
  readonly leaderEpoch: number;
}

/** Locations of brokers, the controller, leaders and coordinators as last reported by the cluster; read on demand. */
export interface Places {
  /**
   * Locates targets, and returns where each of them is. Unknown locations are read with one Metadata request for all
   * partitions and the controller, and one FindCoordinator request for all groups.
   * @throws CliError when no broker can be asked
   */
  locate(targets: readonly Target[]): Promise<(target: Target) => Place | Nowhere>;
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
  /** Forgets a target that has moved, so that the next call looks it up again. */
  forget(target: Target): void;
  /** Forgets a broker that is gone or has moved, and everything located there. */
  forgetNode(node: number): void;
}

interface Known {
  source: string;
  /** -1 when unknown. */
  controller: number;
  readonly brokers: Map<number, BrokerMetadata>;
  /** Leaders and coordinators, by target name. */
  readonly places: Map<string, Place>;
}

/**
 * Creates an empty set of locations.
 * @param any connects to any broker; `vain` counts the incomplete answers so far, so that the next question goes to
 * another broker
 */
export function createPlaces(any: (vain: number) => Promise<OpenConnection>): Places {
  const known: Known = { source: '', controller: -1, brokers: new Map(), places: new Map() };
  const finder: Finder = { any, known, vain: 0 };
  return {
    read: (topics) => read(finder, topics),
    locate: (targets) => locate(finder, targets),
    async nodeOf(target) {
      const place = (await locate(finder, [target]))(target);
      if ('code' in place) throw nowhereError(target, place, known.source);
      return place.node;
    },
    broker: (node) => known.brokers.get(node),
    brokers: () => [...known.brokers.values()],
    get source() {
      return known.source;
    },
    forget(target) {
      if (target === 'controller') known.controller = -1;
      else if (typeof target === 'object' && 'node' in target) known.brokers.delete(target.node);
      else known.places.delete(nameOfTarget(target));
    },
    forgetNode(node) {
      known.brokers.delete(node);
      if (known.controller === node) known.controller = -1;
      for (const [name, place] of known.places) if (place.node === node) known.places.delete(name);
    },
  };
}

interface Finder {
  readonly any: (vain: number) => Promise<OpenConnection>;
  readonly known: Known;
  /** How many answers were incomplete. */
  vain: number;
}

async function read(finder: Finder, topics: readonly string[] | undefined): Promise<ClusterMetadata> {
  const connection = await finder.any(finder.vain);
  const answer = await connection.send(metadataApi, aboutTopics(topics));
  if (answer.errorCode !== 0) {
    throw kafkaError(answer.errorCode, `unable to read the metadata: ${kafkaErrorText(answer.errorCode)}`);
  }
  const cluster = clusterOf(answer);
  learn(finder.known, connection, cluster);
  if (isVague(cluster)) finder.vain += 1;
  return cluster;
}

async function locate(finder: Finder, targets: readonly Target[]): Promise<(target: Target) => Place | Nowhere> {
  const { known } = finder;
  const missing = targets.filter((target) => placeOf(known, target) === undefined);
  const partitions = missing.filter(isPartition);
  const coordinated = missing.filter(isCoordinated);
  const topics = [...new Set(partitions.map(({ topic }) => topic))];
  const needsMetadata = topics.length > 0 || missing.includes('controller');
  const [metadata, found] = await Promise.all([
    needsMetadata ? read(finder, topics) : undefined,
    coordinated.length > 0 ? findCoordinators(finder, coordinated) : [],
  ]);
  const places = new Map<string, Place | Nowhere>(found);
  if (metadata !== undefined) judgePartitions(metadata, partitions, places);
  for (const target of targets) {
    const place = placeOf(known, target);
    if (place !== undefined) places.set(nameOfTarget(target), place);
  }
  // Only the controller is missing here: every other target has a place, or a code that says why not.
  return (target) => places.get(nameOfTarget(target)) ?? noController;
}

async function findCoordinators(
  { any, known, vain }: Finder,
  targets: readonly Coordinated[],
): Promise<readonly (readonly [string, Nowhere])[]> {
  const found = await askForCoordinators(await any(vain), targets);
  for (const { name, broker } of found) {
    if (broker === undefined) continue;
    known.places.set(name, { node: broker.id, leaderEpoch: -1 });
    if (!known.brokers.has(broker.id)) known.brokers.set(broker.id, broker);
    known.source ||= 'the FindCoordinator response';
  }
  return found.map(({ name, nowhere }) => [name, nowhere] as const);
}

/** One coordinator, or the error that kept it from being found. */
interface FoundCoordinator {
  /** The name of the target (`nameOfTarget`). */
  readonly name: string;
  readonly broker: BrokerMetadata | undefined;
  readonly nowhere: Nowhere;
}

/** The first version in which one FindCoordinator request asks for many coordinators (KIP-699). */
const firstBatchVersion = 4;

/** Asks one broker for coordinators, with one request for all groups and one for all transactional ids. */
export async function askForCoordinators(
  connection: OpenConnection,
  targets: readonly Coordinated[],
): Promise<readonly FoundCoordinator[]> {
  const isBatch = connection.version(findCoordinator) >= firstBatchVersion;
  const requests = [...Map.groupBy(targets, keyTypeOf)].flatMap(([keyType, own]) =>
    isBatch ? [{ keyType, targets: own }] : own.map((target) => ({ keyType, targets: [target] })),
  );
  const answers = await Promise.all(
    requests.map(async ({ keyType, targets: own }) => {
      const keys = own.map(keyOf);
      const [key = ''] = keys;
      const { coordinators, ...only } = await connection.send(findCoordinator, { key, keyType, coordinatorKeys: keys });
      const rows = isBatch ? coordinators : [{ ...only, key }];
      const byKey = new Map(rows.map((row) => [row.key, row]));
      return own.map((target) => ({ target, found: byKey.get(keyOf(target)) }));
    }),
  );
  return answers.flat().map(({ target, found }) => {
    const code = found === undefined ? codes.COORDINATOR_NOT_AVAILABLE : found.errorCode;
    const isThere = found !== undefined && code === 0;
    return {
      name: nameOfTarget(target),
      broker: isThere ? { id: found.nodeId, host: found.host, port: found.port, rack: undefined } : undefined,
      nowhere: { code, text: found?.errorMessage },
    };
  });
}

/** The protocol's number for what the coordinator is for. */
function keyTypeOf(target: Coordinated): number {
  return 'group' in target ? 0 : 1;
}

const noController: Nowhere = { code: codes.NOT_CONTROLLER, text: undefined };

function placeOf(known: Known, target: Target): Place | undefined {
  if (target === 'any') return { node: 'any', leaderEpoch: -1 };
  if (target === 'controller') return known.controller < 0 ? undefined : { node: known.controller, leaderEpoch: -1 };
  if (typeof target === 'object' && 'node' in target) return { node: target.node, leaderEpoch: -1 };
  return known.places.get(nameOfTarget(target));
}

/** Stores the brokers, the controller and the partition leaders that a broker has reported. */
function learn(known: Known, { nodeId, address }: OpenConnection, answer: ClusterMetadata): void {
  known.source = nodeId === undefined ? `seed broker ${address}` : `broker ${nodeId} (${address})`;
  known.controller = answer.controllerId;
  known.brokers.clear();
  for (const broker of answer.brokers) known.brokers.set(broker.id, broker);
  for (const { name: topic, partitions } of answer.topics) {
    for (const { partition, leader, leaderEpoch } of partitions) {
      const name = nameOfTarget({ topic, partition });
      if (leader >= 0) known.places.set(name, { node: leader, leaderEpoch });
      else known.places.delete(name);
    }
  }
}

/** Whether a broker's answer is incomplete; another broker may know more. */
function isVague({ topics, controllerId }: ClusterMetadata): boolean {
  return controllerId < 0 || topics.some(({ errorCode, partitions }) => errorCode !== 0 || partitions.some(leaderless));
}

function leaderless({ leader }: { readonly leader: number }): boolean {
  return leader < 0;
}

function judgePartitions(
  { topics }: ClusterMetadata,
  targets: readonly PartitionTarget[],
  places: Map<string, Place | Nowhere>,
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
    places.set(name, { code, text: undefined });
  }
}
