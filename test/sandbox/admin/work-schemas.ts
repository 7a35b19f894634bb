import {
  any,
  boolean,
  empty,
  forcedList,
  id,
  integer,
  list,
  named,
  ntp,
  object,
  raw,
  replica,
  type Schema,
  text,
  word,
} from './schema-words.ts';

const moving = { bytes_left_to_move: integer, bytes_moved: integer, partition_size: integer };
const partition = object(
  { ...named, status: word('done', 'error', 'in_progress'), raft_group_id: integer, replicas: list(replica) },
  { leader_id: id, disabled: boolean },
);
const topicName = object({ topic: text }, { ns: text });
const migration = object(
  {
    id: integer,
    state: word(
      'planned',
      'preparing',
      'prepared',
      'executing',
      'executed',
      'cut_over',
      'finished',
      'canceling',
      'cancelled',
    ),
    migration: object({
      migration_type: word('inbound', 'outbound'),
      topics: list({ anyOf: [topicName, object({ source_topic_reference: topicName }, { alias: topicName })] }),
      consumer_groups: list(text),
      auto_advance: boolean,
    }),
    created_timestamp: integer,
  },
  { completed_timestamp: integer },
);
const counts = object({
  selectedSourceSubjects: text,
  selectedSourceSubjectVersions: text,
  destinationSubjects: text,
  destinationSubjectVersions: text,
});
const linkTask = object({
  name: text,
  state: word('TASK_STATE_ACTIVE', 'TASK_STATE_PAUSED'),
  reason: text,
  brokerId: id,
  shard: integer,
});
const copiedPartition = object({
  partitionId: text,
  sourceLastStableOffset: text,
  sourceHighWatermark: text,
  highWatermark: text,
  sourceLastUpdatedTimestamp: text,
});
const shadowTopic = object({
  name: text,
  topicId: text,
  sourceTopicName: text,
  sourceTopicId: text,
  status: object({
    state: word(
      'SHADOW_TOPIC_STATE_ACTIVE',
      'SHADOW_TOPIC_STATE_FAULTED',
      'SHADOW_TOPIC_STATE_PAUSED',
      'SHADOW_TOPIC_STATE_FAILING_OVER',
      'SHADOW_TOPIC_STATE_FAILED_OVER',
    ),
    partitionInformation: forcedList(copiedPartition),
  }),
});
const registrySync = object({
  startTime: text,
  finishTime: text,
  subjectVersionsChanged: text,
  compatibilityConfigsChanged: text,
  modesChanged: text,
  unsupportedFeaturesRemoved: text,
  errors: text,
});
const shadowLink = object({
  name: text,
  uid: text,
  configurations: object({
    clientOptions: any,
    topicMetadataSyncOptions: any,
    consumerOffsetSyncOptions: any,
    securitySyncOptions: any,
    schemaRegistrySyncOptions: any,
    roleSyncOptions: any,
  }),
  status: object({
    state: word('SHADOW_LINK_STATE_ACTIVE'),
    taskStatuses: forcedList(linkTask),
    shadowTopics: forcedList(shadowTopic),
    syncedShadowTopicProperties: forcedList(text),
    schemaRegistrySyncStatus: object({
      inventory: counts,
      currentSync: object({ syncType: text, summary: registrySync }),
      lastFullSync: registrySync,
      totalsSinceTaskStart: registrySync,
      lastErrorMessage: text,
    }),
  }),
});
/** The forms of the answers about partitions, long work, storage and inspection, as the documents of the Admin API describe them. */
export const workSchemas: Readonly<Record<string, Schema | typeof empty | typeof raw>> = {
  'v2.shadow.list': object({ shadowLinks: forcedList(shadowLink) }),
  'v2.shadow.get': object({ shadowLink }),
  'v2.shadow.create': object({ shadowLink }),
  'v2.shadow.update': object({ shadowLink }),
  'v2.shadow.delete': object({}),
  'v2.shadow.fail-over': object({ shadowLink }),
  'partitions.majority_lost': list(
    object({ ntp: object(ntp), topic_revision: integer, replicas: list(replica), dead_nodes: list(id) }),
  ),
  'partitions.force_recover': empty,
  'partitions.moves': list(
    object({
      ...ntp,
      ...moving,
      previous_replicas: list(replica),
      current_replicas: list(replica),
      reconfiguration_policy: text,
      reconciliation_statuses: list(
        object({
          node_id: id,
          operations: list(
            object({ type: text, core: integer, retry_number: integer, revision: integer, status: text }),
          ),
        }),
      ),
    }),
  ),
  'partitions.topic': { anyOf: [list(partition), partition] },
  'partitions.get': partition,
  'partitions.move': empty,
  'partitions.move_core': empty,
  'partitions.rebalance': empty,
  'partitions.transfer': empty,
  'self_test.start': { type: 'string', pattern: '^[0-9a-f-]{36}$' },
  'self_test.stop': empty,
  'self_test.status': list(
    object({
      node_id: id,
      status: word('idle', 'running', 'unreachable'),
      stage: word('idle', 'disk', 'net', 'cloud'),
      results: list(
        object(
          {
            test_id: text,
            name: text,
            info: text,
            test_type: text,
            start_time: integer,
            end_time: integer,
            duration: integer,
            timeouts: integer,
          },
          {
            p50: integer,
            p90: integer,
            p99: integer,
            p999: integer,
            max_latency: integer,
            rps: integer,
            bps: integer,
            warning: text,
            error: text,
          },
        ),
      ),
    }),
  ),
  'recovery.cluster.start': object({ status: text }),
  'recovery.cluster.status': object(
    { state: { type: 'string', pattern: '^(inactive|recovery_stage::[a-z_]+)$' } },
    { error: text },
  ),
  'storage.status': object(
    {
      cloud_storage_mode: word('disabled', 'write_only', 'read_only', 'full', 'read_replica'),
      metadata_update_pending: boolean,
      total_log_size_bytes: integer,
      cloud_log_size_bytes: integer,
      local_log_size_bytes: integer,
      stm_region_segment_count: integer,
      local_log_segment_count: integer,
      cloud_log_start_offset: integer,
      stm_region_start_offset: integer,
      cloud_log_last_offset: integer,
      local_log_start_offset: integer,
      local_log_last_offset: integer,
    },
    {
      ms_since_last_manifest_upload: integer,
      ms_since_last_segment_upload: integer,
      ms_since_last_manifest_sync: integer,
      stm_region_size_bytes: integer,
      archive_size_bytes: integer,
    },
  ),
  'topics.mountable': object({ topics: forcedList(object({ topic_location: text, topic: text, ns: text })) }),
  'topics.mount': object({ id: integer }),
  'topics.unmount': object({ id: integer }),
  'migrations.list': list(migration),
  'migrations.add': object({ id: integer }),
  'migrations.get': migration,
  'migrations.delete': empty,
  'migrations.act': empty,
  'bundle.start': object({ job_id: text }),
  'bundle.status': object(
    {
      job_id: text,
      status: word('running', 'success', 'error', 'expired'),
      created: integer,
      filename: text,
      stdout: list(text),
      stderr: list(text),
    },
    { file_size: integer },
  ),
  'bundle.cancel': empty,
  'bundle.file': raw,
  'debug.uuid.get': object({ node_uuid: text, node_id: id }),
  'debug.uuid.set': empty,
  'transforms.list': list(
    object({
      name: text,
      input_topic: text,
      output_topics: list(text),
      status: list(
        object({
          node_id: id,
          partition: integer,
          lag: integer,
          status: word('running', 'inactive', 'errored', 'unknown'),
        }),
      ),
      environment: list(object({ key: text, value: text })),
      compression: text,
    }),
  ),
  'transforms.deploy': empty,
  'transforms.delete': empty,
  'transforms.change': empty,
};
