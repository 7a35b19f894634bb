import { type ExitCode, exitCodes } from '../../../errors.ts';

/**
 * What to do before a request, or an item in it, is retried: find the leader, the coordinator or the controller again,
 * because the request reached the wrong broker, or only wait for the pause of the retry rule.
 */
export type Remedy = 'find leader' | 'find coordinator' | 'find controller' | 'retry';

/** The exit code of an error other than 1 (failure), in a word. */
const exits = {
  'not found': exitCodes.notFound,
  auth: exitCodes.auth,
  unreachable: exitCodes.unreachable,
  conflict: exitCodes.conflict,
} as const;

/**
 * A fact about an error code. `not done`: the broker has done nothing, so even a request that must not be carried out
 * twice may be sent again. `new cluster`: what every new cluster answers while it creates the offsets topic for its first
 * group. A code without a remedy is permanent.
 */
type Fact = Remedy | keyof typeof exits | 'not done' | 'new cluster';

/**
 * Every error code of the protocol guide (https://kafka.apache.org/protocol#protocol_error_codes): its number, what it
 * means, in weir's own words, and what follows from it.
 */
const rows = {
  UNKNOWN_SERVER_ERROR: [-1, 'unexpected error on the broker; the broker log has the details'],
  NONE: [0, 'no error'],
  OFFSET_OUT_OF_RANGE: [1, 'the offset is outside the range that the partition holds'],
  CORRUPT_MESSAGE: [2, 'a record batch failed its checksum or is malformed', 'retry'],
  UNKNOWN_TOPIC_OR_PARTITION: [3, 'the broker has no such topic or partition', 'find leader', 'not found', 'not done'],
  INVALID_FETCH_SIZE: [4, 'the fetch size is not valid'],
  LEADER_NOT_AVAILABLE: [5, 'the partition has no leader at the moment', 'find leader', 'unreachable', 'not done'],
  NOT_LEADER_OR_FOLLOWER: [
    6,
    'the broker is neither the leader nor a follower of the partition',
    'find leader',
    'unreachable',
    'not done',
  ],
  REQUEST_TIMED_OUT: [7, 'the brokers did not finish within the request timeout', 'retry', 'unreachable'],
  BROKER_NOT_AVAILABLE: [8, 'the broker is not available', 'unreachable'],
  REPLICA_NOT_AVAILABLE: [
    9,
    'the replica is not available, or the partition is disabled (weir cluster partitions enable)',
    'find leader',
    'unreachable',
  ],
  MESSAGE_TOO_LARGE: [10, 'the record batch is larger than the topic or the broker allows (max.message.bytes)'],
  STALE_CONTROLLER_EPOCH: [11, 'the controller that sent the request has been replaced'],
  OFFSET_METADATA_TOO_LARGE: [12, 'the metadata of a committed offset is too long'],
  NETWORK_EXCEPTION: [13, 'the broker lost a connection while handling the request', 'retry', 'unreachable'],
  COORDINATOR_LOAD_IN_PROGRESS: [
    14,
    'the coordinator is still loading its state',
    'retry',
    'unreachable',
    'not done',
    'new cluster',
  ],
  COORDINATOR_NOT_AVAILABLE: [
    15,
    'no coordinator is available yet; a new cluster may still be creating its offsets topic',
    'find coordinator',
    'unreachable',
    'not done',
    'new cluster',
  ],
  NOT_COORDINATOR: [
    16,
    'the broker is no longer the coordinator',
    'find coordinator',
    'unreachable',
    'not done',
    'new cluster',
  ],
  INVALID_TOPIC_EXCEPTION: [17, 'the topic name is not valid, or the topic may not be written to'],
  RECORD_LIST_TOO_LARGE: [18, 'the record batch is larger than a segment of the log (segment.bytes)'],
  NOT_ENOUGH_REPLICAS: [19, 'fewer replicas are in sync than min.insync.replicas requires', 'retry', 'not done'],
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: [
    20,
    'written, but then fewer replicas were in sync than min.insync.replicas requires',
    'retry',
  ],
  INVALID_REQUIRED_ACKS: [21, 'acks must be 0, 1 or all'],
  ILLEGAL_GENERATION: [22, 'the group has moved on to another generation'],
  INCONSISTENT_GROUP_PROTOCOL: [23, 'the members of the group have no protocol type or assignor in common'],
  INVALID_GROUP_ID: [24, 'the group id is not valid'],
  UNKNOWN_MEMBER_ID: [25, 'the coordinator does not know this member'],
  INVALID_SESSION_TIMEOUT: [26, 'the session timeout is outside the range that the broker allows'],
  REBALANCE_IN_PROGRESS: [27, 'the group is rebalancing; its members must rejoin'],
  INVALID_COMMIT_OFFSET_SIZE: [28, 'the offset commit is too large'],
  TOPIC_AUTHORIZATION_FAILED: [29, 'the principal is not authorized for this topic', 'auth'],
  GROUP_AUTHORIZATION_FAILED: [30, 'the principal is not authorized for this group', 'auth'],
  CLUSTER_AUTHORIZATION_FAILED: [31, 'the principal is not authorized for this operation on the cluster', 'auth'],
  INVALID_TIMESTAMP: [32, 'the timestamp of a record is outside the range that the topic allows'],
  UNSUPPORTED_SASL_MECHANISM: [33, 'the listener does not offer this SASL mechanism', 'auth'],
  ILLEGAL_SASL_STATE: [34, 'the request is not allowed in this state of authentication', 'auth'],
  UNSUPPORTED_VERSION: [35, 'the broker does not support this version of the request'],
  TOPIC_ALREADY_EXISTS: [36, 'a topic with this name already exists', 'conflict'],
  INVALID_PARTITIONS: [37, 'the number of partitions is not valid'],
  INVALID_REPLICATION_FACTOR: [38, 'the number of replicas is below 1 or above the number of brokers'],
  INVALID_REPLICA_ASSIGNMENT: [39, 'the assignment of replicas is not valid'],
  INVALID_CONFIG: [40, 'a config key or its value is not valid'],
  NOT_CONTROLLER: [41, 'the broker is no longer the controller', 'find controller', 'unreachable', 'not done'],
  INVALID_REQUEST: [42, 'the broker rejected the request as invalid; the broker log has the details'],
  UNSUPPORTED_FOR_MESSAGE_FORMAT: [43, 'the record format on the broker is too old for this'],
  POLICY_VIOLATION: [44, 'a policy of the cluster forbids this'],
  OUT_OF_ORDER_SEQUENCE_NUMBER: [45, 'the sequence number of the producer leaves a gap'],
  DUPLICATE_SEQUENCE_NUMBER: [46, 'the producer has already used this sequence number'],
  INVALID_PRODUCER_EPOCH: [47, 'a newer producer has taken over with a higher epoch'],
  INVALID_TXN_STATE: [48, 'the transaction is not in a state that allows this'],
  INVALID_PRODUCER_ID_MAPPING: [49, 'the producer id does not belong to this transactional id'],
  INVALID_TRANSACTION_TIMEOUT: [50, 'the transaction timeout is longer than the broker allows'],
  CONCURRENT_TRANSACTIONS: [51, 'another request of the same transaction is still in progress', 'retry', 'not done'],
  TRANSACTION_COORDINATOR_FENCED: [52, 'the transaction coordinator has been replaced'],
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: [53, 'the principal is not authorized for this transactional id', 'auth'],
  SECURITY_DISABLED: [54, 'no authorizer is configured on the broker', 'conflict'],
  OPERATION_NOT_ATTEMPTED: [55, 'not attempted because another part of the request failed'],
  KAFKA_STORAGE_ERROR: [
    56,
    'the disk that holds the partition failed, or on Redpanda a disk of the cluster is full',
    'find leader',
    'not done',
  ],
  LOG_DIR_NOT_FOUND: [57, 'the broker has no such log directory', 'not found'],
  SASL_AUTHENTICATION_FAILED: [58, 'wrong user, password or SASL mechanism', 'auth'],
  UNKNOWN_PRODUCER_ID: [59, 'the broker does not know this producer id'],
  REASSIGNMENT_IN_PROGRESS: [60, 'the partition is being reassigned', 'conflict'],
  DELEGATION_TOKEN_AUTH_DISABLED: [61, 'delegation tokens are not enabled', 'conflict'],
  DELEGATION_TOKEN_NOT_FOUND: [62, 'the delegation token does not exist', 'not found'],
  DELEGATION_TOKEN_OWNER_MISMATCH: [63, 'the delegation token belongs to another principal', 'auth'],
  DELEGATION_TOKEN_REQUEST_NOT_ALLOWED: [64, 'delegation tokens are not allowed on this listener', 'auth'],
  DELEGATION_TOKEN_AUTHORIZATION_FAILED: [65, 'the principal is not authorized for this delegation token', 'auth'],
  DELEGATION_TOKEN_EXPIRED: [66, 'the delegation token has expired', 'auth'],
  INVALID_PRINCIPAL_TYPE: [67, 'the principal type is not supported'],
  NON_EMPTY_GROUP: [68, 'the group still has members', 'conflict'],
  GROUP_ID_NOT_FOUND: [69, 'the group does not exist', 'not found'],
  FETCH_SESSION_ID_NOT_FOUND: [70, 'the broker has dropped the fetch session', 'retry'],
  INVALID_FETCH_SESSION_EPOCH: [71, 'the epoch of the fetch session is not the expected one', 'retry'],
  LISTENER_NOT_FOUND: [
    72,
    'the leader has no listener that matches the one metadata was requested on',
    'find leader',
    'unreachable',
    'not done',
  ],
  TOPIC_DELETION_DISABLED: [
    73,
    'topic deletion is disabled on the brokers (delete.topic.enable; on Redpanda delete_topic_enable)',
    'conflict',
  ],
  FENCED_LEADER_EPOCH: [74, "the leader epoch in the request is older than the broker's", 'find leader', 'not done'],
  UNKNOWN_LEADER_EPOCH: [75, "the leader epoch in the request is newer than the broker's", 'find leader', 'not done'],
  UNSUPPORTED_COMPRESSION_TYPE: [76, 'the compression type is not supported by this version of the request'],
  STALE_BROKER_EPOCH: [77, 'the broker epoch has changed; the broker was restarted'],
  OFFSET_NOT_AVAILABLE: [78, 'the new leader does not know the high watermark yet', 'retry'],
  MEMBER_ID_REQUIRED: [79, 'the member must join with the id that the coordinator assigned to it'],
  PREFERRED_LEADER_NOT_AVAILABLE: [80, 'the preferred leader is not available', 'retry', 'unreachable'],
  GROUP_MAX_SIZE_REACHED: [81, 'the group has reached the maximum size that the broker allows'],
  FENCED_INSTANCE_ID: [82, 'another member has joined with the same group instance id', 'conflict'],
  ELIGIBLE_LEADERS_NOT_AVAILABLE: [83, 'no replica is eligible to become leader', 'retry', 'unreachable'],
  ELECTION_NOT_NEEDED: [84, 'the partition already has the requested leader', 'retry', 'conflict'],
  NO_REASSIGNMENT_IN_PROGRESS: [85, 'the partition is not being reassigned', 'conflict'],
  GROUP_SUBSCRIBED_TO_TOPIC: [86, 'the group is subscribed to the topic', 'conflict'],
  INVALID_RECORD: [
    87,
    'the broker refused a record, for example one without a key for a compacted topic, or on Redpanda one without a schema id of its subject (redpanda.value.schema.id.validation)',
  ],
  UNSTABLE_OFFSET_COMMIT: [88, 'the committed offset depends on a transaction that is still open', 'retry'],
  THROTTLING_QUOTA_EXCEEDED: [89, 'the quota is exceeded', 'retry', 'not done'],
  PRODUCER_FENCED: [90, 'another producer with the same transactional id has taken over', 'conflict'],
  RESOURCE_NOT_FOUND: [91, 'the resource does not exist', 'not found'],
  DUPLICATE_RESOURCE: [92, 'the request names the same resource twice', 'conflict'],
  UNACCEPTABLE_CREDENTIAL: [93, 'the credential does not meet the requirements of the broker'],
  INCONSISTENT_VOTER_SET: [94, 'the voters of the quorum disagree about the voter set'],
  INVALID_UPDATE_VERSION: [95, 'the feature level is not valid'],
  FEATURE_UPDATE_FAILED: [96, 'the feature levels could not be changed'],
  PRINCIPAL_DESERIALIZATION_FAILURE: [97, 'the broker cannot decode the principal in a forwarded request'],
  SNAPSHOT_NOT_FOUND: [98, 'the snapshot does not exist'],
  POSITION_OUT_OF_RANGE: [99, 'the position is outside the snapshot'],
  UNKNOWN_TOPIC_ID: [100, 'the broker does not know this topic id', 'find leader', 'not found', 'not done'],
  DUPLICATE_BROKER_REGISTRATION: [101, 'a broker with this id is already registered', 'conflict'],
  BROKER_ID_NOT_REGISTERED: [102, 'no broker with this id is registered', 'not found'],
  INCONSISTENT_TOPIC_ID: [103, 'the topic id does not match the one in the partition log', 'find leader'],
  INCONSISTENT_CLUSTER_ID: [104, 'the cluster id does not match this cluster'],
  TRANSACTIONAL_ID_NOT_FOUND: [105, 'the transactional id does not exist', 'not found'],
  FETCH_SESSION_TOPIC_ID_ERROR: [106, 'the fetch session mixes topic names and topic ids', 'retry'],
  INELIGIBLE_REPLICA: [107, 'the replica is not eligible to join the in-sync replicas'],
  NEW_LEADER_ELECTED: [108, 'the partition has a new leader'],
  OFFSET_MOVED_TO_TIERED_STORAGE: [109, 'the offset has moved to tiered storage'],
  FENCED_MEMBER_EPOCH: [110, 'the member has been removed from the group and must rejoin'],
  UNRELEASED_INSTANCE_ID: [111, 'another member still uses the group instance id', 'conflict'],
  UNSUPPORTED_ASSIGNOR: [112, 'the coordinator does not support this assignor'],
  STALE_MEMBER_EPOCH: [113, "the member epoch is older than the coordinator's"],
  MISMATCHED_ENDPOINT_TYPE: [114, 'the request is for a controller but reached a broker, or the other way round'],
  UNSUPPORTED_ENDPOINT_TYPE: [115, 'this kind of node does not support the request'],
  UNKNOWN_CONTROLLER_ID: [116, 'no controller has this id', 'not found'],
  UNKNOWN_SUBSCRIPTION_ID: [117, 'the broker does not know this subscription to client metrics'],
  TELEMETRY_TOO_LARGE: [118, 'the client metrics are larger than the broker accepts'],
  INVALID_REGISTRATION: [119, 'the registration of the node is not valid'],
  TRANSACTION_ABORTABLE: [120, 'the transaction failed and must be aborted'],
  INVALID_RECORD_STATE: [121, 'the record is not in a state that allows this'],
  SHARE_SESSION_NOT_FOUND: [122, 'the broker has dropped the share session', 'retry'],
  INVALID_SHARE_SESSION_EPOCH: [123, 'the epoch of the share session is not the expected one', 'retry'],
  FENCED_STATE_EPOCH: [124, "the state epoch is older than the share coordinator's"],
  INVALID_VOTER_KEY: [125, 'the voter key does not match the node'],
  DUPLICATE_VOTER: [126, 'the node is already a voter', 'conflict'],
  VOTER_NOT_FOUND: [127, 'the node is not a voter', 'not found'],
  INVALID_REGULAR_EXPRESSION: [128, 'the broker rejected the regular expression as invalid'],
  REBOOTSTRAP_REQUIRED: [129, 'the metadata is too old; the client must start again from the seed brokers'],
  STREAMS_INVALID_TOPOLOGY: [130, 'the topology is not valid'],
  STREAMS_INVALID_TOPOLOGY_EPOCH: [131, 'the epoch of the topology is not valid'],
  STREAMS_TOPOLOGY_FENCED: [132, "the topology is older than the group's"],
  SHARE_SESSION_LIMIT_REACHED: [133, 'the broker has reached its limit of share sessions', 'retry'],
} as const satisfies Readonly<Record<string, readonly [code: number, sentence: string, ...facts: Fact[]]>>;

/** The name of an error code. */
export type CodeName = keyof typeof rows;

/** Error codes by their names. */
export const codes = Object.fromEntries(Object.entries(rows).map(([name, [code]]) => [name, code])) as {
  readonly [Name in CodeName]: (typeof rows)[Name][0];
};

/** One error code of the Kafka protocol. */
export interface KafkaErrorKind {
  readonly code: number;
  /** The protocol's name for the code. */
  readonly name: string;
  /** The meaning of the code, shown when the broker sends no text of its own. */
  readonly sentence: string;
  /** Whether the same request may succeed later, according to the protocol. */
  readonly retriable: boolean;
  /** What to do before a retry; undefined when a retry does not help. */
  readonly remedy: Remedy | undefined;
  readonly exitCode: ExitCode;
  /** Whether the broker has certainly done nothing. */
  readonly notDone: boolean;
  /** Whether every new cluster answers so for a while. */
  readonly isOfNewCluster: boolean;
}

/** Every error code that weir knows, in ascending order. */
export const kafkaErrors: readonly KafkaErrorKind[] = Object.entries(rows).map(([name, [code, sentence, ...facts]]) =>
  kindOf(name, code, sentence, facts),
);

function kindOf(name: string, code: number, sentence: string, facts: readonly Fact[]): KafkaErrorKind {
  let remedy: Remedy | undefined;
  let exitCode: ExitCode = exitCodes.failure;
  for (const fact of facts) {
    if (fact in exits) exitCode = exits[fact as keyof typeof exits];
    else if (fact !== 'not done' && fact !== 'new cluster') remedy = fact as Remedy;
  }
  return {
    code,
    name,
    sentence,
    retriable: remedy !== undefined,
    remedy,
    exitCode,
    notDone: facts.includes('not done'),
    isOfNewCluster: facts.includes('new cluster'),
  };
}
