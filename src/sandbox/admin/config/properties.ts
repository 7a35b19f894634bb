import { flag, integer, number, objects, type Property, text, texts } from './property.ts';

const isTrue = (value: unknown): boolean => value === true;

/** The cluster properties of the simulator: at least one of every type and rule. */
export const properties: Readonly<Record<string, Property>> = {
  cloud_storage_access_key: text(null, 'Access key for object storage.', { needsRestart: true }),
  cloud_storage_bucket: text(null, 'Bucket for objects of tiered storage.', { needsRestart: true }),
  cloud_storage_cache_size: integer(20 * 2 ** 30, 'Largest size of the cache of tiered storage.', {
    min: 0,
  }),
  cloud_storage_credentials_source: text('config_file', 'Where the credentials for object storage come from.', {
    needsRestart: true,
    example: 'config_file',
    words: ['config_file', 'aws_instance_metadata', 'sts', 'gcp_instance_metadata'],
  }),
  cloud_storage_enabled: flag('Whether tiered storage is enabled.', { needsRestart: true, isLicensed: isTrue }),
  cloud_storage_max_connections: integer(20, 'Largest number of connections to object storage per core.', {
    min: 1,
    max: 65_535,
    needsRestart: true,
    visibility: 'tunable',
  }),
  cloud_storage_region: text(null, 'Region of the bucket.', { needsRestart: true, example: 'eu-central-1' }),
  cloud_storage_secret_key: text(null, 'Secret key for object storage.', { needsRestart: true, isSecret: true }),
  admin_api_require_auth: flag('Whether requests to the Admin API must be authenticated.'),
  aggregate_metrics: flag('Whether metrics are summed over partitions and cores.'),
  append_chunk_size: integer(16_384, 'Size of direct writes to disk.', {
    min: 4096,
    max: 32 << 20,
    visibility: 'tunable',
    needsRestart: true,
    example: '32768',
  }),
  audit_enabled: flag('Whether requests are written to the audit log.', { isLicensed: isTrue }),
  auto_create_topics_enabled: flag('Whether topics are created when a client first uses them.'),
  cleanup_policy: text('delete', 'Default cleanup policy of topics.', {
    words: ['delete', 'compact', 'compact,delete'],
    example: 'compact',
    aliases: ['log_cleanup_policy'],
  }),
  cluster_id: text(null, 'Identifier of the cluster.'),
  compacted_log_segment_size: integer(256 << 20, 'Size of segments of compacted topics.', {
    min: 1 << 20,
    visibility: 'tunable',
    example: '268435456',
  }),
  core_balancing_continuous: flag('Whether partitions are balanced between cores when their number changes.', {
    isLicensed: isTrue,
  }),
  data_transforms_enabled: flag('Whether WebAssembly transforms can be deployed.', { needsRestart: true }),
  default_topic_partitions: integer(1, 'Default number of partitions of a topic.', { min: 1 }),
  default_topic_replications: integer(1, 'Default number of replicas of a partition.', { min: 1, max: 32_767 }),
  disable_batch_cache: flag('Whether reads bypass the batch cache.', { needsRestart: true, visibility: 'tunable' }),
  enable_schema_id_validation: text('none', 'How schema identifiers of records are checked.', {
    words: ['none', 'redpanda', 'compat'],
    isLicensed: (value: unknown) => value !== 'none',
  }),
  enable_shadow_linking: flag('Whether shadow links can be created.', { isLicensed: isTrue }),
  enable_sasl: flag('Whether Kafka clients must authenticate with SASL.'),
  enable_usage: flag('Whether traffic is recorded per hour.'),
  features_auto_finalization: {
    ...flag('Whether an upgrade is finalized as soon as all nodes run the new release.', {
      isLicensed: (value: unknown) => value === false,
    }),
    fallback: true,
  },
  fetch_max_bytes: integer(57_671_680, 'Largest number of bytes in a fetch response.', { min: 1 }),
  fetch_session_eviction_timeout_ms: integer(60_000, 'Time after which an idle fetch session ends.', {
    min: 1,
    visibility: 'tunable',
    units: 'ms',
  }),
  group_topic_partitions: integer(16, 'Number of partitions of the topic for committed offsets.', {
    min: 1,
    needsRestart: true,
    visibility: 'tunable',
  }),
  // The simulator's reports are new, so nobody who rehearses a restart has to wait for those of Redpanda's 10s.
  health_monitor_max_metadata_age: integer(100, 'Age at which a broker asks the others for their health again.', {
    min: 1,
    units: 'ms',
    visibility: 'tunable',
  }),
  http_authentication: texts(['BASIC'], 'Authentication methods of HTTP APIs.', {
    words: ['BASIC', 'OIDC'],
    example: "['BASIC', 'OIDC']",
  }),
  iceberg_enabled: flag('Whether topics can be Iceberg tables.', { needsRestart: true, isLicensed: isTrue }),
  kafka_connections_max: integer(null, 'Largest number of client connections per broker.', { min: 0, example: '1024' }),
  kafka_connections_max_overrides: texts([], 'Largest number of client connections per address.', {
    example: "['127.0.0.1:90']",
  }),
  kafka_nodelete_topics: texts(['__consumer_offsets', '_schemas'], 'Topics that Kafka clients cannot delete.'),
  kafka_qdc_depth_alpha: number(0.8, 'Smoothing factor of the queue depth.', {
    min: 0,
    max: 1,
    needsRestart: true,
    visibility: 'tunable',
  }),
  kafka_throughput_control: objects(
    'config::throughput_control_group',
    'Groups of clients that the throughput limits of brokers do not apply to.',
    { example: "[{'name': 'first_group', 'client_id': 'client1'}, {'client_id': 'consumer-\\d+'}]" },
  ),
  leader_balancer_mode: text('random_hill_climbing', 'How leaders are balanced.', {
    visibility: 'tunable',
    words: ['greedy_balanced_shards', 'random_hill_climbing'],
  }),
  log_message_timestamp_alert_before_ms: integer(
    null,
    'Age of the timestamps of records from which on the broker warns.',
    { min: 0, units: 'ms' },
  ),
  log_retention_ms: integer(604_800_000, 'Default time after which records are deleted.', {
    nullable: true,
    min: -1,
    units: 'ms',
    aliases: ['delete_retention_ms'],
  }),
  log_segment_size: integer(128 << 20, 'Default size of segments.', {
    min: 1 << 20,
    max: 4 * 2 ** 30,
    example: '2147483648',
    visibility: 'tunable',
  }),
  oidc_clock_skew_tolerance: integer(30, 'Tolerance for the times of tokens.', { min: 0, units: 's' }),
  partition_autobalancing_max_disk_usage_percent: integer(80, 'Disk usage at which partitions move to other brokers.', {
    min: 5,
    max: 100,
  }),
  partition_autobalancing_mode: text('node_add', 'When partitions are balanced between brokers.', {
    words: ['off', 'node_add', 'continuous'],
    example: 'node_add',
    isLicensed: (value: unknown) => value === 'continuous',
  }),
  raft_heartbeat_interval_ms: integer(150, 'Time between two heartbeats of a leader.', {
    min: 1,
    max: 10_000,
    visibility: 'tunable',
    units: 'ms',
  }),
  raft_smp_max_non_local_requests: integer(null, 'Largest number of raft requests between cores.', {
    min: 1,
    needsRestart: true,
    visibility: 'tunable',
  }),
  rm_violation_recovery_policy: integer(null, 'Without effect.', { visibility: 'deprecated' }),
  rpc_server_compress_replies: flag('Whether internal responses are compressed.', { visibility: 'tunable' }),
  superusers: texts([], 'Users who may do everything.', { example: "['admin']", isOneOrMany: true }),
  target_quota_byte_rate: integer(0, 'Without effect.', {
    min: 0,
    visibility: 'deprecated',
    units: 'bytes per second',
  }),
};
