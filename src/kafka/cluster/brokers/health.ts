import { CliError } from '../../../errors.ts';
import { byName } from '../../../format/order.ts';
import type { Client, ClusterMetadata, PartitionMetadata } from '../../protocol/client/client.ts';
import { isRedpandaId } from '../../protocol/client/redpanda.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import { describeCluster } from '../../protocol/wire/apis/describe-cluster.ts';
import type { ShownHealth } from './health-rows.ts';

/** A broker that the controller knows; a fenced one is not serving. */
export interface RegisteredBroker {
  readonly id: number;
  readonly isFenced: boolean;
}

/** Reads the health of the cluster from the brokers and all partitions, with one DescribeCluster and one Metadata request. */
export async function clusterHealth(client: Client): Promise<ShownHealth> {
  const [metadata, registered] = await Promise.all([client.metadata('all'), registeredBrokers(client)]);
  return healthOf(metadata, registered);
}

/**
 * Reads all registered brokers, including those that are fenced: registered but not serving (KIP-1073, Kafka 4.0).
 * Undefined if the cluster cannot describe itself; metadata then shows which brokers are missing.
 */
export async function registeredBrokers(client: Client): Promise<readonly RegisteredBroker[] | undefined> {
  try {
    const { errorCode, errorMessage, brokers } = await client.request(describeCluster, { includeFencedBrokers: true });
    if (errorCode === 0) return brokers.map(({ brokerId: id, isFenced }) => ({ id, isFenced }));
    throw kafkaError(errorCode, `unable to describe the cluster: ${kafkaErrorText(errorCode, errorMessage)}`);
  } catch (error) {
    if (error instanceof CliError && error.code === 'UNSUPPORTED_VERSION') return undefined;
    throw error;
  }
}

/**
 * Judges the health of a cluster. Redpanda's metadata does not tell how its partitions are: every replica is in sync, none
 * is offline, and a missing leader is guessed (`kafka/server/handlers/metadata.cc`).
 */
export function healthOf(metadata: ClusterMetadata, registered: readonly RegisteredBroker[] | undefined): ShownHealth {
  const partitions = partitionsOf(metadata);
  const serving = new Set(metadata.brokers.map(({ id }) => id));
  const brokerIds = [...(registered ?? []), ...metadata.brokers].map(({ id }) => id);
  const nodes = sortedIds([...brokerIds, ...partitions.flatMap(([, { replicas }]) => replicas)]);
  const fenced = new Set(registered?.filter(({ isFenced }) => isFenced).map(({ id }) => id));
  const down = nodes.filter((id) => fenced.has(id) || !serving.has(id));
  const named = (isAffected: (partition: PartitionMetadata) => boolean): string[] =>
    partitions.filter(([, partition]) => isAffected(partition)).map(([name]) => name);
  const knowsPartitions = isRedpandaId(metadata.clusterId) !== true;
  const offline = knowsPartitions ? named(isOffline) : null;
  const leaderless = knowsPartitions ? named(({ leader }) => leader < 0) : null;
  const underReplicated = knowsPartitions ? named(({ isr, replicas }) => isr.length < replicas.length) : null;
  const controller = metadata.controllerId < 0 ? null : metadata.controllerId;
  const reasons: [string, boolean][] = [
    ['no_elected_controller', controller === null],
    ['nodes_down', down.length > 0],
    ['offline_partitions', hasAny(offline)],
    ['leaderless_partitions', hasAny(leaderless)],
    ['under_replicated_partitions', hasAny(underReplicated)],
  ];
  const unhealthy = reasons.filter(([, isFound]) => isFound).map(([reason]) => reason);
  return {
    is_healthy: unhealthy.length === 0 && !knowsPartitions ? null : unhealthy.length === 0,
    unhealthy_reasons: unhealthy,
    controller_id: controller,
    all_nodes: nodes,
    nodes_down: down,
    partition_count: knowsPartitions ? partitions.length : null,
    offline_partitions: offline,
    offline_count: offline?.length ?? null,
    leaderless_partitions: leaderless,
    leaderless_count: leaderless?.length ?? null,
    under_replicated_partitions: underReplicated,
    under_replicated_count: underReplicated?.length ?? null,
    // Only the Admin API knows.
    nodes_in_recovery_mode: null,
    high_disk_usage_nodes: null,
  };
}

function hasAny(list: readonly string[] | null): boolean {
  return list !== null && list.length > 0;
}

function isOffline({ replicas, offlineReplicas }: PartitionMetadata): boolean {
  return replicas.length > 0 && replicas.every((id) => offlineReplicas.includes(id));
}

/** All partitions with their names, sorted by topic and number. */
function partitionsOf({ topics }: ClusterMetadata): (readonly [name: string, partition: PartitionMetadata])[] {
  return topics
    .toSorted(byName)
    .flatMap(({ name, partitions }) =>
      partitions
        .toSorted((a, b) => a.partition - b.partition)
        .map((partition) => [`${name}/${partition.partition}`, partition] as const),
    );
}

function sortedIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}
