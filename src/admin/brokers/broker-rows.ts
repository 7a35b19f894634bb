import { showPartition, showTopic } from '../../format/partition-name.ts';
import {
  type At,
  at,
  described,
  fitting,
  listOf,
  mapped,
  maybe,
  orElse,
  type RowOf,
  row,
  type Shape,
  string,
  truth,
  whole,
} from '../../shape/shape.ts';
import { partitionText } from '../partitions/partition-rows.ts';

/** A broker as the Admin API shows it. */
export const Broker = row({
  id: at('node_id', whole),
  host: at('internal_rpc_address', string),
  port: at('internal_rpc_port', whole),
  rack: maybe(string),
  cores: at('num_cores', whole),
  /** `active`, `draining` (it is being decommissioned) or `removed`. */
  membership: at('membership_status', string),
  /** Null if the node that answered does not know. */
  is_alive: maybe(truth),
  version: maybe(string),
  /** Identifies the broker even if another one takes its id; null if older versions do not show it. */
  uuid: maybe(string),
  in_maintenance: at('maintenance_status.draining', orElse(truth, false)),
  /** The bytes that are free, and those there are, on the disk with the least free space; null if unknown. */
  disk_free: maybe(whole),
  disk_total: maybe(whole),
});
export type Broker = RowOf<typeof Broker>;

/** A broker in the answer of the server, which has its disks, and its UUID elsewhere. */
export const listedBroker = mapped(
  row({ ...Broker.fields, disks: at('disk_space', fitting(row({ free: maybe(whole), total: maybe(whole) }))) }),
  ({ disks, ...rest }): Broker => {
    const fullest = disks.toSorted((a, b) => (a.free ?? 0) - (b.free ?? 0))[0];
    return { ...rest, disk_free: fullest?.free ?? null, disk_total: fullest?.total ?? null };
  },
);

/** A broker that has left the cluster. */
export const FormerBroker = row({ id: whole, uuid: string });
export type FormerBroker = RowOf<typeof FormerBroker>;

/** A partition with a replica on a certain broker. */
export interface HeldPartition {
  /** `topic`, or `namespace/topic` outside of the namespace of Kafka topics. */
  readonly topic: string;
  readonly partition: number;
  /** The ids of all brokers with a replica. */
  readonly replicas: readonly number[];
}

/** A replica that moves away from a broker that is being decommissioned. */
export const MovingReplica = row({
  topic: string,
  partition: whole,
  /** Where it goes; null if no place is decided yet. */
  to: at('moving_to.node_id', maybe(whole)),
  size: at('partition_size', orElse(described(whole, 'size of the partition in bytes'), 0)),
  bytes_moved: orElse(whole, 0),
  bytes_left: at('bytes_left_to_move', orElse(whole, 0)),
});
export type MovingReplica = RowOf<typeof MovingReplica>;

const listedReplica = mapped(
  row({ namespace: at('ns', string), ...MovingReplica.fields }),
  ({ namespace, topic, ...rest }): MovingReplica => ({ topic: showTopic({ namespace, topic }), ...rest }),
);

/** Why a partition stays on a broker that is being decommissioned. */
export const PlaceFailure = row({
  partition: string,
  /** In the words of the server, for example `No eligible node found to move replica`. */
  reason: string,
});

const listedFailure = mapped(
  row({ namespace: at('ns', string), topic: string, partition: whole, reason: at('error', string) }),
  ({ reason, ...name }): RowOf<typeof PlaceFailure> => ({ partition: showPartition(name), reason }),
);

/** How far a decommission is, without the id of the broker. */
export const decommission = row({
  finished: truth,
  replicas_left: whole,
  /** Partitions that no other broker can take. */
  without_place: at('allocation_failures', fitting(partitionText)),
  /** Why, as Redpanda of 2025 and later says it; none from older versions. */
  place_failures: at('reallocation_failure_details', listOf(listedFailure)),
  replicas: at('partitions', listOf(listedReplica)),
});

/** How far a decommission is. */
export type DecommissionState = RowOf<typeof decommission> & { readonly id: number };

function status<T>(name: string, shape: Shape<T>): At<T> {
  return at(`maintenance_status.${name}`, shape);
}

/** The maintenance mode of a broker. */
export const MaintenanceState = row({
  id: at('node_id', whole),
  enabled: status('draining', orElse(truth, false)),
  /** Whether it has no leadership any more. This and what follows is null if the server does not say. */
  finished: status('finished', maybe(truth)),
  /** Whether a transfer has failed. */
  errors: status('errors', maybe(truth)),
  /** How many partitions it led when the drain began. */
  partitions: status('partitions', maybe(whole)),
  /** Those of them that another broker can lead. */
  eligible: status('eligible', maybe(whole)),
  transferring: status('transferring', maybe(whole)),
  failed: status('failed', maybe(whole)),
});
export type MaintenanceState = RowOf<typeof MaintenanceState>;

/**
 * What the restart of a broker would do to partitions, as the broker itself knows it. Each list has `topic/partition`, or
 * `namespace/topic/partition` outside of the namespace of Kafka topics.
 */
export const RestartRisks = row({
  rf1_offline: listOf(partitionText),
  full_acks_produce_unavailable: listOf(partitionText),
  unavailable: listOf(partitionText),
  acks1_data_loss: listOf(partitionText),
});
export type RestartRisks = RowOf<typeof RestartRisks>;

const listedHealth = row({
  healthy: at('is_healthy', truth),
  /** Names such as `nodes_down`; newer servers may have others. */
  reasons: at('unhealthy_reasons', fitting(string)),
  controller: at(
    'controller_id',
    mapped(whole, (id) => (id < 0 ? null : id)),
  ),
  brokers: at('all_nodes', fitting(whole)),
  down: at('nodes_down', fitting(whole)),
  in_recovery_mode: at('nodes_in_recovery_mode', fitting(whole)),
  /** Brokers whose disk is fuller than the alert threshold; null if older versions do not say. */
  high_disk_usage: at('high_disk_usage_nodes', maybe(listOf(whole))),
  /** `topic/partition`, or `namespace/topic/partition` outside of the namespace of Kafka topics; may be cut by the server. */
  leaderless: at('leaderless_partitions', fitting(partitionText)),
  leaderless_count: maybe(whole),
  under_replicated: at('under_replicated_partitions', fitting(partitionText)),
  under_replicated_count: maybe(whole),
});

/** The health of the cluster. */
export const Health = mapped(listedHealth, (health) => ({
  ...health,
  leaderless_count: health.leaderless_count ?? health.leaderless.length,
  under_replicated_count: health.under_replicated_count ?? health.under_replicated.length,
}));
export type Health = RowOf<typeof Health>;
