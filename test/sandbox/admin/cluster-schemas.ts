import {
  any,
  boolean,
  cancelled,
  empty,
  forcedList,
  id,
  integer,
  list,
  map,
  named,
  ntp,
  object,
  type raw,
  replica,
  type Schema,
  text,
  word,
} from './schema-words.ts';

const maintenance = object(
  { draining: boolean },
  {
    finished: boolean,
    errors: boolean,
    partitions: integer,
    eligible: integer,
    transferring: integer,
    failed: integer,
  },
);
const broker = {
  node_id: id,
  num_cores: integer,
  internal_rpc_address: text,
  internal_rpc_port: integer,
  membership_status: word('active', 'draining', 'removed'),
  maintenance_status: maintenance,
};
const listedBroker = object(
  { ...broker, is_alive: boolean, in_fips_mode: text },
  {
    rack: text,
    version: text,
    recovery_mode_enabled: boolean,
    disk_space: list(object({ path: text, free: integer, total: integer })),
  },
);
const moving = { bytes_left_to_move: integer, bytes_moved: integer, partition_size: integer };
const clusterPartition = object({ ...named, replicas: list(replica), disabled: boolean }, { leader_id: id });
const roleMember = object({ name: text, principal_type: word('User', 'Unknown') });
const memberName = object({ name: text });
const groupRole = object({ name: text, members: forcedList(object({}, { user: memberName, group: memberName })) });
const statistics = object({ produceBytes: text, fetchBytes: text, requestCount: text, produceBatchCount: text });
const connection = object({
  nodeId: id,
  shardId: integer,
  uid: text,
  state: text,
  openTime: text,
  closeTime: text,
  authenticationInfo: object({ state: text, mechanism: text, userPrincipal: text }),
  listenerName: text,
  tlsInfo: object({ enabled: boolean }),
  source: object({ ipAddress: text, port: integer }),
  clientId: text,
  clientSoftwareName: text,
  clientSoftwareVersion: text,
  transactionalId: text,
  groupId: text,
  groupInstanceId: text,
  groupMemberId: text,
  apiVersions: map(integer),
  idleDuration: text,
  inFlightRequests: object({
    sampledInFlightRequests: forcedList(object({ apiKey: integer, inFlightDuration: text })),
    hasMoreRequests: boolean,
  }),
  totalRequestStatistics: statistics,
  recentRequestStatistics: statistics,
});
const roles = object({ roles: list(object({ name: text })) });
const ntpText: Schema = { type: 'string', pattern: '^[^/]+/[^/]+/\\d+$' };
const logLevel = word('error', 'warn', 'info', 'debug', 'trace');

/** The forms of the answers about brokers, health, configuration, security and features, as the documents of the Admin API describe them. */
export const clusterSchemas: Readonly<Record<string, Schema | typeof empty | typeof raw>> = {
  'brokers.list': list(listedBroker),
  'brokers.get': object(broker, { rack: text }),
  'brokers.uuids': list(object({ node_id: id, uuid: text })),
  'brokers.decommission': empty,
  'brokers.decommission.progress': object(
    {
      finished: boolean,
      replicas_left: integer,
      allocation_failures: list(text),
      partitions: list(object({ ...ntp, ...moving, moving_to: replica, reconfiguration_policy: text })),
    },
    { reallocation_failure_details: list(object({ ...ntp, error: text })) },
  ),
  'brokers.recommission': empty,
  'brokers.maintenance.start': empty,
  'brokers.maintenance.stop': empty,
  'brokers.moves.cancel': cancelled,
  'cluster.moves.cancel': cancelled,
  'broker.restart.before': object({
    risks: object({
      rf1_offline: forcedList(ntpText),
      full_acks_produce_unavailable: forcedList(ntpText),
      unavailable: forcedList(ntpText),
      acks1_data_loss: forcedList(ntpText),
    }),
  }),
  'broker.restart.after': object({ load_reclaimed_pc: integer }),
  'cluster.health': object(
    {
      is_healthy: boolean,
      unhealthy_reasons: forcedList(
        word(
          'nodes_down',
          'high_disk_usage_nodes',
          'leaderless_partitions',
          'under_replicated_partitions',
          'no_elected_controller',
          'no_health_report',
        ),
      ),
      controller_id: id,
      all_nodes: forcedList(id),
      nodes_down: forcedList(id),
      nodes_in_recovery_mode: list(id),
      leaderless_partitions: forcedList(ntpText),
      leaderless_count: integer,
      under_replicated_partitions: forcedList(ntpText),
      under_replicated_count: integer,
      bytes_in_cloud_storage: integer,
    },
    { high_disk_usage_nodes: forcedList(id) },
  ),
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
    object({
      node_id: id,
      restart: boolean,
      config_version: integer,
      invalid: forcedList(text),
      unknown: forcedList(text),
    }),
  ),
  node_config: { type: 'object', required: ['node_id', 'admin', 'kafka_api', 'rpc_server'] },
  'config.node': { type: 'object', required: ['superusers'], properties: { node_id: false, admin: false } },
  loggers: list(object({ name: text }, { level: logLevel })),
  'loggers.level.get': object({ name: text, level: logLevel, expiration: integer }),
  'loggers.level.set': object({ name: text, previous_level: logLevel, new_level: logLevel, expiration: integer }),
  'users.list': list(text),
  'users.create': empty,
  'users.update': empty,
  'users.delete': empty,
  'v2.users.list': object({
    scramCredentials: forcedList(object({ name: text, mechanism: text, password: text, passwordSetAt: text })),
  }),
  'v2.user.roles': object({ roles: forcedList(text) }),
  'v2.user.token': object({ principal: text, expire: text, groups: forcedList(text) }),
  'roles.list': roles,
  'roles.create': object({ role: text }),
  'roles.delete': empty,
  'roles.members': object({ members: list(roleMember) }),
  'roles.members.change': object({
    role: text,
    added: list(roleMember),
    removed: list(roleMember),
    created: boolean,
  }),
  'v2.roles.get': object({ role: groupRole }),
  'v2.roles.list': object({ roles: forcedList(groupRole) }),
  'v2.roles.members.add': object({ role: groupRole }),
  'v2.roles.members.remove': object({ role: groupRole }),
  'v2.connections.list': object({ connections: forcedList(connection), totalSize: text }),
  'v2.upgrade.status': object({
    state: text,
    activeVersion: text,
    versionAfterFinalization: text,
    autoFinalizationEnabled: boolean,
    members: forcedList(
      object({ nodeId: id, logicalVersion: text, versionKnown: boolean, alive: boolean, releaseVersion: text }),
    ),
  }),
  'v2.upgrade.finalize': object({}),
  'v2.iceberg.status': object({
    catalog: object({ reachable: boolean, errorCode: text, errorMessage: text }),
    topics: forcedList(
      object({
        topic: text,
        lifecycleState: text,
        partitions: forcedList(
          object({ partition: integer, commitLag: text }, { lastTranslatedOffset: text, lastCommittedOffset: text }),
        ),
      }),
    ),
  }),
  'license.get': object(
    { loaded: boolean },
    {
      license: object(
        {
          type: word('free_trial', 'enterprise'),
          expires: integer,
          sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
        },
        { format_version: integer, org: text, products: list(text) },
      ),
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
};
