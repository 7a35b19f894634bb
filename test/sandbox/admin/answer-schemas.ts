/** A JSON Schema. */
type Schema = Readonly<Record<string, unknown>>;

/** The schema of an answer without a body. */
export const empty = 'empty' as const;
/** The schema of an answer that is not JSON. */
export const raw = 'raw' as const;

const text = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const any = {};
const id = { type: 'integer', minimum: -1 };
const word = (...words: readonly string[]): Schema => ({ enum: words });
const list = (items: Schema): Schema => ({ type: 'array', items });
/** An object with exactly these keys, of which `optional` may be missing. */
const object = (
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
});
const map = (value: Schema): Schema => ({ type: 'object', additionalProperties: value });

const replica = object({ node_id: id, core: integer });
const ntp = { ns: text, topic: text, partition: integer };
const named = { ns: text, topic: text, partition_id: integer };
const maintenance = object({
  draining: boolean,
  finished: boolean,
  errors: boolean,
  partitions: integer,
  eligible: integer,
  transferring: integer,
  failed: integer,
});
const broker = {
  node_id: id,
  num_cores: integer,
  internal_rpc_address: text,
  internal_rpc_port: integer,
  membership_status: word('active', 'draining', 'removed'),
  recovery_mode_enabled: boolean,
  disk_space: list(object({ path: text, free: integer, total: integer })),
  maintenance_status: maintenance,
  in_fips_mode: text,
};
const listedBroker = object({ ...broker, is_alive: boolean }, { rack: text, version: text });
const moving = { bytes_left_to_move: integer, bytes_moved: integer, partition_size: integer };
const cancelled = list(object({ ...ntp, result: text }));
const clusterPartition = object({ ...named, replicas: list(replica), disabled: boolean }, { leader_id: id });
const partition = object({
  ...named,
  status: word('done', 'error', 'in_progress'),
  leader_id: id,
  raft_group_id: integer,
  replicas: list(replica),
  disabled: boolean,
});
const transaction = object({
  producer_id: object({ id: integer, epoch: integer }),
  lso_bound: integer,
  staleness_ms: integer,
  timeout_ms: integer,
  status: text,
});
const roleMember = object({ name: text, principal_type: word('User') });
const roles = object({ roles: list(object({ name: text })) });
const topicName = object({ topic: text }, { ns: text });
const migration = object(
  {
    id: integer,
    state: word(
      ...['planned', 'preparing', 'prepared', 'executing', 'executed', 'cut_over', 'finished'],
      ...['canceling', 'cancelled'],
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
const diskStat = object({ total_bytes: integer, free_bytes: integer });
const logLevel = word('error', 'warn', 'info', 'debug', 'trace');

/** The form of the answer of every route, as the documents of the Admin API describe it. */
export const answerSchemas: Readonly<Record<string, Schema | typeof empty | typeof raw>> = {
  'brokers.list': list(listedBroker),
  'brokers.get': object(broker, { rack: text }),
  'brokers.uuids': list(object({ node_id: id, uuid: text })),
  'cluster.view': object({ version: integer, brokers: list(listedBroker) }),
  'brokers.decommission': empty,
  'brokers.decommission.progress': object({
    finished: boolean,
    replicas_left: integer,
    allocation_failures: list(text),
    partitions: list(object({ ...ntp, ...moving, moving_to: replica, reconfiguration_policy: text })),
  }),
  'brokers.recommission': empty,
  'brokers.maintenance.start': empty,
  'brokers.maintenance.stop': empty,
  'brokers.moves.cancel': cancelled,
  'cluster.moves.cancel': cancelled,
  'maintenance.get': maintenance,
  'maintenance.start': empty,
  'maintenance.stop': empty,
  'crash_tracking.reset': empty,
  'cluster.health': object({
    is_healthy: boolean,
    unhealthy_reasons: list(
      word(
        ...['nodes_down', 'leaderless_partitions', 'under_replicated_partitions', 'no_elected_controller'],
        'no_health_report',
      ),
    ),
    controller_id: id,
    all_nodes: list(id),
    nodes_down: list(id),
    nodes_in_recovery_mode: list(id),
    leaderless_partitions: list({ type: 'string', pattern: '^[^/]+/[^/]+/\\d+$' }),
    leaderless_count: integer,
    under_replicated_partitions: list({ type: 'string', pattern: '^[^/]+/[^/]+/\\d+$' }),
    under_replicated_count: integer,
    bytes_in_cloud_storage: integer,
  }),
  'cluster.balancer': object({
    status: word('off', 'ready', 'starting', 'in_progress', 'stalled'),
    violations: object({ unavailable_nodes: list(id), over_disk_limit_nodes: list(id) }),
    seconds_since_last_tick: integer,
    current_reassignments_count: integer,
    partitions_pending_force_recovery_count: integer,
    partitions_pending_force_recovery_sample: list(text),
  }),
  'cluster.uuid': object({ cluster_uuid: text }),
  'status.ready': object({ status: word('ready', 'booting') }),
  'cluster.partitions': list(clusterPartition),
  'cluster.partitions.topic': list(clusterPartition),
  'cluster.partitions.disable_topic': empty,
  'cluster.partitions.disable': empty,
  'config.get': map(any),
  'config.schema': object({
    properties: map(
      object(
        {
          type: word('boolean', 'integer', 'number', 'string', 'array'),
          description: text,
          nullable: boolean,
          needs_restart: boolean,
          is_secret: boolean,
          visibility: word('user', 'tunable', 'deprecated'),
        },
        {
          items: object({ type: text }),
          units: text,
          example: text,
          enum_values: list(text),
          aliases: list(text),
        },
      ),
    ),
  }),
  'config.change': object({ config_version: integer }),
  'config.status': list(
    object({ node_id: id, restart: boolean, config_version: integer, invalid: list(text), unknown: list(text) }),
  ),
  node_config: { type: 'object', required: ['node_id', 'admin', 'kafka_api', 'rpc_server'] },
  'config.node': { type: 'object', required: ['node_id', 'admin', 'superusers'] },
  loggers: list(object({ name: text }, { level: logLevel })),
  'loggers.level.get': object({ name: text, level: logLevel, expiration: integer }),
  'loggers.level.set': object({ name: text, previous_level: logLevel, new_level: logLevel, expiration: integer }),
  'users.list': list(text),
  'users.create': empty,
  'users.update': empty,
  'users.delete': empty,
  'users.roles': roles,
  'roles.list': roles,
  'roles.create': object({ role: text }),
  'roles.get': object({ name: text, members: list(roleMember) }),
  'roles.delete': empty,
  'roles.members': object({ members: list(roleMember) }),
  'roles.members.change': object({
    role: text,
    added: list(roleMember),
    removed: list(roleMember),
    created: boolean,
  }),
  'oidc.whoami': object({ id: text, expire: integer }),
  'oidc.keys.invalidate': empty,
  'oidc.revoke': empty,
  'license.get': object(
    { loaded: boolean },
    {
      license: object({
        format_version: integer,
        org: text,
        type: word('free_trial', 'enterprise'),
        expires: integer,
        sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      }),
    },
  ),
  'license.set': empty,
  'license.enterprise': object({
    license_status: word('valid', 'expired', 'not_present'),
    violation: boolean,
    features: list(object({ name: text, enabled: boolean })),
  }),
  'features.list': object({
    cluster_version: integer,
    original_cluster_version: integer,
    node_earliest_version: integer,
    node_latest_version: integer,
    features: list(
      object({
        name: text,
        state: word('active', 'preparing', 'available', 'unavailable', 'disabled'),
        was_active: boolean,
      }),
    ),
  }),
  'features.set': empty,
  'partitions.majority_lost': list(
    object({ ntp: object(ntp), topic_revision: integer, replicas: list(replica), dead_nodes: list(id) }),
  ),
  'partitions.force_recover': empty,
  'partitions.local': list(object({ ...named, core: integer, materialized: boolean, leader: id })),
  'partitions.summary': object({ count: integer, leaderless: integer, under_replicated: integer }),
  'partitions.moves': list(
    object(
      {
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
      },
      { status: text },
    ),
  ),
  'partitions.topic': list(partition),
  'partitions.get': partition,
  'partitions.move': empty,
  'partitions.move_core': empty,
  'partitions.cancel': cancelled,
  'partitions.abort': cancelled,
  'partitions.rebalance': empty,
  'partitions.rebalance_cores': empty,
  'partitions.transfer': empty,
  'raft.transfer': empty,
  'raft.recovery': object({ partitions_to_recover: integer, partitions_active: integer, offsets_pending: integer }),
  'partitions.transactions': object({
    active_transactions: list(transaction),
    expired_transactions: list(transaction),
  }),
  'partitions.expire_transaction': empty,
  'transactions.list': list(
    object({
      transactional_id: text,
      pid: object({ id: integer, epoch: integer }),
      tx_seq: integer,
      etag: integer,
      status: text,
      timeout_ms: integer,
      staleness_ms: integer,
      partitions: list(object({ ...named, etag: integer })),
      groups: list(object({ group_id: text, etag: integer })),
    }),
  ),
  'transactions.find_coordinator': object({ coordinator: id, ntp: object(ntp), ec: integer }),
  'transactions.delete_partition': empty,
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
            p50: integer,
            p90: integer,
            p99: integer,
            p999: integer,
            max_latency: integer,
            rps: integer,
            bps: integer,
          },
          { warning: text, error: text },
        ),
      ),
    }),
  ),
  'recovery.cluster.start': object({ status: text }),
  'recovery.cluster.status': object({ state: text, error: text }),
  'recovery.topics.start': object({ status: text }),
  'recovery.topics.status': object({
    state: text,
    topic_download_counts: list(
      object({
        topic_namespace: text,
        pending_downloads: integer,
        successful_downloads: integer,
        failed_downloads: integer,
      }),
    ),
    request: object({ topic_names_pattern: text, retention_bytes: integer, retention_ms: integer }),
  }),
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
  'storage.manifest': { type: 'object' },
  'storage.anomalies': object({ ns: text, topic: text, partition: integer, revision_id: integer }),
  'storage.lifecycle': object({
    markers: list(object({ ns: text, topic: text, revision_id: integer, status: text })),
  }),
  'storage.lifecycle.delete': empty,
  'storage.cache.trim': empty,
  'storage.sync': empty,
  'topics.mountable': object({ topics: list(object({ topic_location: text, topic: text, ns: text })) }),
  'topics.mount': object({ id: integer }),
  'topics.unmount': object({ id: integer }),
  'migrations.list': list(migration),
  'migrations.add': object({ id: integer }),
  'migrations.get': migration,
  'migrations.act': empty,
  'migrations.delete': empty,
  'bundle.start': object({ job_id: text }),
  'bundle.status': object(
    {
      job_id: text,
      status: word('running', 'success', 'error', 'expired'),
      created: integer,
      stdout: list(text),
      stderr: list(text),
    },
    { filename: text, file_size: integer },
  ),
  'bundle.cancel': empty,
  'bundle.file': raw,
  'bundle.file.delete': empty,
  'debug.leaders': list(
    object({
      ...named,
      leader: id,
      previous_leader: id,
      last_stable_leader_term: integer,
      update_term: integer,
      partition_revision: integer,
    }),
  ),
  'debug.is_isolated': boolean,
  'debug.controller': object({
    start_offset: integer,
    last_applied_offset: integer,
    committed_index: integer,
    dirty_offset: integer,
  }),
  'debug.partition': object({ ntp: object(ntp), replicas: list({ type: 'object' }) }),
  'debug.cpu_profile': { type: 'object' },
  'debug.local_usage': { type: 'object', required: ['data'] },
  'debug.cloud_usage': integer,
  'debug.disk.data': diskStat,
  'debug.disk.cache': diskStat,
  'debug.uuid.get': object({ node_uuid: text, node_id: id }),
  'debug.uuid.set': empty,
  'debug.peer': object({ since_last_status: integer }),
  'debug.restart_service': empty,
  'debug.disk.refresh': empty,
  'debug.leaders.reset': empty,
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
  usage: list(
    object({
      begin_timestamp: integer,
      end_timestamp: integer,
      open: boolean,
      kafka_bytes_sent_count: integer,
      kafka_bytes_received_count: integer,
      cloud_storage_bytes_gauge: integer,
    }),
  ),
  metrics: raw,
  'metrics.public': raw,
};
