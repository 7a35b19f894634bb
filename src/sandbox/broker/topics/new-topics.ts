import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster, Problem, Topic } from '../cluster-parts.ts';
import { topicConfigs } from '../topic-configs.ts';
import { assignReplicas } from './registry.ts';

/** A topic in a CreateTopics request. */
export interface WantedTopic {
  readonly name: string;
  /** -1 for the cluster's default. */
  readonly numPartitions: number;
  readonly replicationFactor: number;
  readonly assignments: readonly { readonly partitionIndex: number; readonly brokerIds: readonly number[] }[];
  readonly configs: readonly { readonly name: string; readonly value: string | undefined }[];
}

/** Checks whether a topic name is valid. */
export function isTopicName(name: string): boolean {
  return /^[a-zA-Z0-9._-]{1,249}$/.test(name) && name !== '.' && name !== '..';
}

/** Creates a topic, or only validates the request (`validateOnly`). */
export function createTopic(cluster: Cluster, spec: WantedTopic, validateOnly = false): Topic | Problem | undefined {
  const problem = problemWith(cluster, spec);
  if (problem !== undefined) return problem;
  const partitions = replicasOf(cluster, spec, validateOnly && !cluster.flavour.placesInDryRun);
  if (!Array.isArray(partitions)) return partitions as Problem;
  if (validateOnly) return undefined;
  const kept = spec.configs.filter(({ name }) => !cluster.flavour.ignoresConfig(name, 'create'));
  const configs = new Map(kept.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
  return cluster.topics.create({ name: spec.name, partitions, configs });
}

/** Creates a topic with the cluster's defaults if possible. */
export function autoCreate(cluster: Cluster, name: string): void {
  createTopic(cluster, { name, numPartitions: -1, replicationFactor: -1, assignments: [], configs: [] });
}

function problemWith(cluster: Cluster, { name, configs }: WantedTopic): Problem | undefined {
  if (!isTopicName(name)) {
    return { code: codes.INVALID_TOPIC_EXCEPTION, message: `Topic name is invalid: ${JSON.stringify(name)}` };
  }
  if (cluster.topics.get(name) !== undefined) {
    return { code: codes.TOPIC_ALREADY_EXISTS, message: `Topic '${name}' already exists.` };
  }
  return configs
    .filter((one) => !cluster.flavour.ignoresConfig(one.name, 'create'))
    .map((one) => problemWithConfig(cluster, one.name, one.value))
    .find((one) => one !== undefined);
}

/** Validates a config; undefined when it can be set. */
export function problemWithConfig(cluster: Cluster, name: string, value: string | undefined): Problem | undefined {
  const isOthers = name.startsWith('redpanda.') && !cluster.flavour.hasConfig(name);
  const config = isOthers ? undefined : topicConfigs.get(name);
  if (config === undefined) return { code: codes.INVALID_CONFIG, message: `Unknown topic config name: ${name}` };
  if (value === undefined) return { code: codes.INVALID_CONFIG, message: `Null value not supported for ${name}` };
  if (config.accepts(value)) return undefined;
  return { code: codes.INVALID_CONFIG, message: `Invalid value ${value} for configuration ${name}` };
}

/** @param isAnyNumber whether it does not matter how many brokers there are */
function replicasOf(
  cluster: Cluster,
  spec: WantedTopic,
  isAnyNumber: boolean,
): readonly (readonly number[])[] | Problem {
  const { assignments, numPartitions, replicationFactor } = spec;
  const alive = aliveBrokers(cluster);
  if (assignments.length > 0) return givenReplicas(alive, spec);
  const partitions = numPartitions === -1 ? cluster.settings.partitions : numPartitions;
  const replicas = replicationFactor === -1 ? cluster.settings.replicas : replicationFactor;
  if (partitions <= 0) {
    return {
      code: codes.INVALID_PARTITIONS,
      message: 'Number of partitions was set to an invalid non-positive value.',
    };
  }
  const problem = cluster.flavour.problemWithReplicas(replicas);
  if (problem !== undefined) return problem;
  if (replicas <= 0 || (replicas > alive.length && !isAnyNumber)) {
    const message = `Unable to replicate the partition ${replicas} time(s): ${alive.length} broker(s) are registered.`;
    return { code: codes.INVALID_REPLICATION_FACTOR, message };
  }
  const first = Math.floor(cluster.clock.random() * alive.length);
  return assignReplicas(alive, first, { partitions, replicas });
}

function givenReplicas(alive: readonly number[], spec: WantedTopic): readonly (readonly number[])[] | Problem {
  const sorted = spec.assignments.toSorted((a, b) => a.partitionIndex - b.partitionIndex);
  const isSound = sorted.every(
    ({ partitionIndex, brokerIds }, place) =>
      partitionIndex === place &&
      brokerIds.length > 0 &&
      new Set(brokerIds).size === brokerIds.length &&
      brokerIds.every((broker) => alive.includes(broker)),
  );
  if (spec.numPartitions !== -1 || spec.replicationFactor !== -1) {
    return { code: codes.INVALID_REQUEST, message: 'Partitions or replicas were given together with an assignment.' };
  }
  if (isSound) return sorted.map(({ brokerIds }) => brokerIds);
  return { code: codes.INVALID_REPLICA_ASSIGNMENT, message: 'The manual partition assignment is invalid.' };
}

/** Lists the brokers that can be assigned replicas. */
export function aliveBrokers(cluster: Cluster): readonly number[] {
  return cluster.brokers.map(({ id }) => id).filter((id) => !cluster.isFenced(id));
}
