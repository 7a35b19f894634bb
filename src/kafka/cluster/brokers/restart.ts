import { notFoundError } from '../../../errors.ts';
import { byName } from '../../../format/order.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client, ClusterMetadata, PartitionMetadata } from '../../protocol/client/client.ts';
import { type ConfigsByKey, mustReadConfigs } from '../topics/configs.ts';
import { registeredBrokers } from './health.ts';
import type { RestartRisks } from './restart-rows.ts';

/** A partition with a replica on the broker. */
interface HeldPartition extends PartitionMetadata {
  readonly topic: string;
}

/**
 * Finds the partitions that the restart of a broker would harm: brokers of Apache Kafka have no such check, so it follows
 * from the replicas in sync and two configs of the topics.
 * @throws CliError (exit 3) if there is no such broker; if the configs of a topic cannot be read
 */
export async function restartRisks(client: Client, broker: number): Promise<RestartRisks> {
  const held = await heldBy(client, await client.metadata('all'), broker);
  const shared = held.filter(({ replicas, isr }) => replicas.length > 1 && isr.includes(broker));
  const topics = [...new Set(shared.map(({ topic }) => topic))];
  const keys = ['min.insync.replicas', 'unclean.leader.election.enable'];
  const configs = topics.length === 0 ? new Map() : await mustReadConfigs(client, topics, keys);
  const risks = Map.groupBy(shared, (one) => riskOf(one, broker, configs.get(one.topic)));
  const named = (partitions: readonly HeldPartition[] = []) => partitions.map(partitionName);
  return {
    rf1_offline: named(held.filter(({ replicas }) => replicas.length === 1)),
    unavailable: named(risks.get('unavailable')),
    full_acks_produce_unavailable: named(risks.get('full_acks_produce_unavailable')),
    acks1_data_loss: named(risks.get('acks1_data_loss')),
  };
}

/** The worst that the stop of a broker in the ISR does to a partition with more replicas. */
function riskOf(
  { isr, replicas, offlineReplicas }: PartitionMetadata,
  broker: number,
  configs: ConfigsByKey | undefined,
): keyof RestartRisks | undefined {
  const left = isr.length - 1;
  if (left === 0) {
    // A replica that is not in sync takes over only if it may.
    const isUnclean = configs?.get('unclean.leader.election.enable')?.value === 'true';
    const hasOther = replicas.some((id) => id !== broker && !offlineReplicas.includes(id));
    return isUnclean && hasOther ? 'acks1_data_loss' : 'unavailable';
  }
  return left < Number(configs?.get('min.insync.replicas')?.value ?? 1) ? 'full_acks_produce_unavailable' : undefined;
}

/**
 * The percentage of a broker's replicas that are in sync; 0 while it does not serve.
 * @throws CliError (exit 3) if there is no such broker
 */
export async function inSyncPercent(client: Client, broker: number): Promise<number> {
  const metadata = await client.metadata('all');
  const held = await heldBy(client, metadata, broker);
  if (!metadata.brokers.some(({ id }) => id === broker)) return 0;
  if (held.length === 0) return 100;
  return Math.floor((100 * held.filter(({ isr }) => isr.includes(broker)).length) / held.length);
}

/** A broker that does not serve is still registered, or has replicas. */
async function heldBy(client: Client, metadata: ClusterMetadata, broker: number): Promise<readonly HeldPartition[]> {
  const held = metadata.topics
    .toSorted(byName)
    .flatMap(({ name: topic, partitions }) =>
      partitions.filter(({ replicas }) => replicas.includes(broker)).map((one) => ({ ...one, topic })),
    );
  const serving = metadata.brokers.map(({ id }) => id);
  if (held.length > 0 || serving.includes(broker)) return held;
  const registered = (await registeredBrokers(client)) ?? [];
  if (registered.some(({ id }) => id === broker)) return held;
  throw notFoundError(`the cluster has no broker ${broker}, only ${serving.toSorted((a, b) => a - b).join(', ')}`, {
    code: 'BROKER_NOT_FOUND',
    target: String(broker),
    hints: ['list the brokers with: weir cluster info -b'],
  });
}
