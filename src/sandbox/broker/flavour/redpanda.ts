import type { Versions } from '../../../kafka/protocol/wire/api.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster, Flavour, PartitionImage } from '../cluster-parts.ts';
import { type Moves, resize } from './moves.ts';
import { createBrokerConfigs } from './redpanda-configs.ts';

/**
 * Creates Redpanda 24.3, where its Kafka API differs from Apache Kafka's. Read from redpanda-data/redpanda at 1c6cff34; the
 * paths in comments are those in its `src/v/kafka/server`.
 */
export function createRedpanda(moves: Moves): Flavour {
  return {
    // handlers/metadata.cc:521
    clusterId: 'redpanda.weir-model-cluster-001',
    versionsOf(api, [lowest, highest]) {
      const range = versions[api];
      return range && [Math.max(lowest, range[0]), Math.min(highest, range[1])];
    },
    // The topic of the transaction coordinators is not in the namespace of Kafka's topics.
    showsTopic: (name) => name !== '__transaction_state',
    shownPartition,
    hasConfig,
    // From 25 on (26: configs/config_response_utils.cc:1056).
    listsConfig: (name, set) =>
      hasConfig(name) && (!ofIceberg.has(name) || (set.get('redpanda.iceberg.mode') ?? 'disabled') !== 'disabled'),
    // handlers/create_topics.cc:310 logs what it does not know.
    ignoresConfig: (name, by) => !hasConfig(name) && (by === 'create' || idle.has(name)),
    // handlers/incremental_alter_configs.cc:87
    hasListOperations: false,
    problemWithReplicas(count) {
      // handlers/topics/validators.h:105
      const message = 'Replication factor must be an odd number - 1,3,5,7,9,11...';
      return count % 2 === 1 ? undefined : { code: codes.INVALID_REPLICATION_FACTOR, message };
    },
    resize: (cluster, topic, replicas) => resize(cluster, moves, topic, replicas),
    checksKeys: false,
    // handlers/create_topics.cc:345: only validators.
    placesInDryRun: false,
    // handlers/configs/config_response_utils.cc:305
    hidesDefault: (name) => name.startsWith('redpanda.') && !ofIceberg.has(name),
    // server.cc:1286 takes the topics of `kafka_nodelete_topics` out of the request; 26.1 answers TOPIC_AUTHORIZATION_FAILED.
    isLeftOut: (name) => ['_redpanda.audit_log', '__consumer_offsets', '_schemas'].includes(name),
    brokerConfigs: createBrokerConfigs(),
  };
}

/**
 * The APIs and their versions: handlers/handlers.h, and the file of each. Redpanda 26.1 adds DescribeCluster 0 and SCRAM
 * users, and has newer versions of ApiVersions (4), CreateTopics (7), DeleteTopics (6), Fetch (13), FindCoordinator (4),
 * ListOffsets (6), Metadata (12) and OffsetFetch (8).
 */
const versions: Readonly<Record<string, Versions>> = {
  Produce: [0, 7],
  Fetch: [4, 11],
  ListOffsets: [0, 4],
  Metadata: [0, 8],
  OffsetCommit: [1, 8],
  OffsetFetch: [1, 7],
  FindCoordinator: [0, 3],
  JoinGroup: [0, 6],
  Heartbeat: [0, 4],
  LeaveGroup: [0, 4],
  SyncGroup: [0, 4],
  DescribeGroups: [0, 5],
  ListGroups: [0, 4],
  SaslHandshake: [0, 1],
  ApiVersions: [0, 3],
  CreateTopics: [0, 6],
  DeleteTopics: [0, 5],
  DeleteRecords: [0, 2],
  InitProducerId: [0, 3],
  OffsetForLeaderEpoch: [0, 4],
  AddPartitionsToTxn: [0, 3],
  AddOffsetsToTxn: [0, 1],
  EndTxn: [0, 3],
  TxnOffsetCommit: [0, 3],
  DescribeAcls: [0, 2],
  CreateAcls: [0, 2],
  DeleteAcls: [0, 2],
  DescribeConfigs: [0, 4],
  AlterConfigs: [0, 2],
  DescribeLogDirs: [0, 2],
  SaslAuthenticate: [0, 2],
  CreatePartitions: [0, 3],
  DeleteGroups: [0, 2],
  IncrementalAlterConfigs: [0, 1],
  AlterPartitionReassignments: [0, 0],
  ListPartitionReassignments: [0, 0],
  OffsetDelete: [0, 0],
  DescribeClientQuotas: [0, 1],
  AlterClientQuotas: [0, 1],
  // From 26.1 on; without them, nobody could try what changes users.
  DescribeUserScramCredentials: [0, 0],
  AlterUserScramCredentials: [0, 0],
  DescribeProducers: [0, 0],
  DescribeTransactions: [0, 0],
  ListTransactions: [0, 0],
};

/** handlers/metadata.cc:79 guesses a missing leader, :143 shows disabled partitions, :168 takes every replica for in sync. */
function shownPartition({ settings }: Cluster, topic: string, { index, leader, replicas }: PartitionImage) {
  const isDisabled = settings.redpanda.disabledPartitions.includes(`${topic}/${index}`);
  const guessed = leader < 0 ? (replicas[0] ?? -1) : leader;
  return {
    errorCode: isDisabled ? codes.REPLICA_NOT_AVAILABLE : codes.NONE,
    leaderId: isDisabled ? -1 : guessed,
    isrNodes: replicas,
    offlineReplicas: [],
  };
}

/** The topic configs that it has (handlers/configs/config_response_utils.cc:599), of those that the model knows. */
const listedConfigs: ReadonlySet<string> = new Set([
  'cleanup.policy',
  'compression.type',
  'delete.retention.ms',
  'flush.ms',
  'max.message.bytes',
  'message.timestamp.type',
  'redpanda.iceberg.mode',
  'redpanda.remote.read',
  'redpanda.remote.write',
  // From 26.2 on (configs/config_response_utils.cc:1116).
  'redpanda.schema.registry.context',
  'retention.bytes',
  'retention.ms',
  'segment.bytes',
  'segment.ms',
]);

/** The topic configs that are kept always, and listed while Iceberg is on. */
const ofIceberg: ReadonlySet<string> = new Set([
  'redpanda.iceberg.delete',
  'redpanda.iceberg.invalid.record.action',
  'redpanda.iceberg.target.lag.ms',
]);

function hasConfig(name: string): boolean {
  return listedConfigs.has(name) || ofIceberg.has(name);
}

/** The topic configs that alterations skip without an error (handlers/topics/types.h:113). */
const idle: ReadonlySet<string> = new Set([
  'unclean.leader.election.enable',
  'message.downconversion.enable',
  'segment.index.bytes',
  'segment.jitter.ms',
  'min.insync.replicas',
  'min.compaction.lag.ms',
  'min.cleanable.dirty.ratio',
  'message.timestamp.difference.max.ms',
  'message.format.version',
  'max.compaction.lag.ms',
  'leader.replication.throttled.replicas',
  'index.interval.bytes',
  'follower.replication.throttled.replicas',
  'flush.messages',
  'file.delete.delay.ms',
  'preallocate',
  // No config that is kept: it changes the number of replicas.
  'replication.factor',
]);
