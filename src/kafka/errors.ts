import { CliError, type ErrorDetails, type ExitCode, exitCodes, type ItemError } from '../errors.ts';

/** One error code of the Kafka protocol. */
export interface KafkaErrorKind {
  readonly code: number;
  /** The protocol's name for the code. */
  readonly name: string;
  /** The meaning of the code, shown when the broker sends no text of its own. */
  readonly sentence: string;
  /** Whether the same request may succeed later, according to the protocol. */
  readonly retriable: boolean;
  readonly exitCode: ExitCode;
}

type Row = readonly [code: number, name: string, sentence: string, retriable?: 'retriable'];

/** Error codes as listed in the protocol guide ("Error Codes"); the sentences are weir's own. */
const rows: readonly Row[] = [
  [-1, 'UNKNOWN_SERVER_ERROR', 'unexpected error on the broker; the broker log has the details'],
  [0, 'NONE', 'no error'],
  [1, 'OFFSET_OUT_OF_RANGE', 'the offset is outside the range that the partition holds'],
  [2, 'CORRUPT_MESSAGE', 'a record batch failed its checksum or is malformed', 'retriable'],
  [3, 'UNKNOWN_TOPIC_OR_PARTITION', 'the broker has no such topic or partition', 'retriable'],
  [4, 'INVALID_FETCH_SIZE', 'the fetch size is not valid'],
  [5, 'LEADER_NOT_AVAILABLE', 'the partition has no leader at the moment', 'retriable'],
  [6, 'NOT_LEADER_OR_FOLLOWER', 'the broker is neither the leader nor a follower of the partition', 'retriable'],
  [7, 'REQUEST_TIMED_OUT', 'the brokers did not finish within the request timeout', 'retriable'],
  [8, 'BROKER_NOT_AVAILABLE', 'the broker is not available'],
  [9, 'REPLICA_NOT_AVAILABLE', 'the replica is not available', 'retriable'],
  [10, 'MESSAGE_TOO_LARGE', 'the record batch is larger than the topic or the broker allows (max.message.bytes)'],
  [11, 'STALE_CONTROLLER_EPOCH', 'the controller that sent the request has been replaced'],
  [12, 'OFFSET_METADATA_TOO_LARGE', 'the metadata of a committed offset is too long'],
  [13, 'NETWORK_EXCEPTION', 'the broker lost a connection while handling the request', 'retriable'],
  [14, 'COORDINATOR_LOAD_IN_PROGRESS', 'the coordinator is still loading its state', 'retriable'],
  [
    15,
    'COORDINATOR_NOT_AVAILABLE',
    'no coordinator is available yet; a new cluster may still be creating its offsets topic',
    'retriable',
  ],
  [16, 'NOT_COORDINATOR', 'the broker is no longer the coordinator', 'retriable'],
  [17, 'INVALID_TOPIC_EXCEPTION', 'the topic name is not valid, or the topic may not be written to'],
  [18, 'RECORD_LIST_TOO_LARGE', 'the record batch is larger than a segment of the log (segment.bytes)'],
  [19, 'NOT_ENOUGH_REPLICAS', 'fewer replicas are in sync than min.insync.replicas requires', 'retriable'],
  [
    20,
    'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
    'written, but then fewer replicas were in sync than min.insync.replicas requires',
    'retriable',
  ],
  [21, 'INVALID_REQUIRED_ACKS', 'acks must be 0, 1 or all'],
  [22, 'ILLEGAL_GENERATION', 'the group has moved on to another generation'],
  [23, 'INCONSISTENT_GROUP_PROTOCOL', 'the members of the group have no protocol type or assignor in common'],
  [24, 'INVALID_GROUP_ID', 'the group id is not valid'],
  [25, 'UNKNOWN_MEMBER_ID', 'the coordinator does not know this member'],
  [26, 'INVALID_SESSION_TIMEOUT', 'the session timeout is outside the range that the broker allows'],
  [27, 'REBALANCE_IN_PROGRESS', 'the group is rebalancing; its members must rejoin'],
  [28, 'INVALID_COMMIT_OFFSET_SIZE', 'the offset commit is too large'],
  [29, 'TOPIC_AUTHORIZATION_FAILED', 'the principal is not authorized for this topic'],
  [30, 'GROUP_AUTHORIZATION_FAILED', 'the principal is not authorized for this group'],
  [31, 'CLUSTER_AUTHORIZATION_FAILED', 'the principal is not authorized for this operation on the cluster'],
  [32, 'INVALID_TIMESTAMP', 'the timestamp of a record is outside the range that the topic allows'],
  [33, 'UNSUPPORTED_SASL_MECHANISM', 'the listener does not offer this SASL mechanism'],
  [34, 'ILLEGAL_SASL_STATE', 'the request is not allowed in this state of authentication'],
  [35, 'UNSUPPORTED_VERSION', 'the broker does not support this version of the request'],
  [36, 'TOPIC_ALREADY_EXISTS', 'a topic with this name already exists'],
  [37, 'INVALID_PARTITIONS', 'the number of partitions is not valid'],
  [38, 'INVALID_REPLICATION_FACTOR', 'the number of replicas is below 1 or above the number of brokers'],
  [39, 'INVALID_REPLICA_ASSIGNMENT', 'the assignment of replicas is not valid'],
  [40, 'INVALID_CONFIG', 'a config key or its value is not valid'],
  [41, 'NOT_CONTROLLER', 'the broker is no longer the controller', 'retriable'],
  [42, 'INVALID_REQUEST', 'the broker rejected the request as invalid; the broker log has the details'],
  [43, 'UNSUPPORTED_FOR_MESSAGE_FORMAT', 'the record format on the broker is too old for this'],
  [44, 'POLICY_VIOLATION', 'a policy of the cluster forbids this'],
  [45, 'OUT_OF_ORDER_SEQUENCE_NUMBER', 'the sequence number of the producer leaves a gap'],
  [46, 'DUPLICATE_SEQUENCE_NUMBER', 'the producer has already used this sequence number'],
  [47, 'INVALID_PRODUCER_EPOCH', 'a newer producer has taken over with a higher epoch'],
  [48, 'INVALID_TXN_STATE', 'the transaction is not in a state that allows this'],
  [49, 'INVALID_PRODUCER_ID_MAPPING', 'the producer id does not belong to this transactional id'],
  [50, 'INVALID_TRANSACTION_TIMEOUT', 'the transaction timeout is longer than the broker allows'],
  [51, 'CONCURRENT_TRANSACTIONS', 'another request of the same transaction is still in progress', 'retriable'],
  [52, 'TRANSACTION_COORDINATOR_FENCED', 'the transaction coordinator has been replaced'],
  [53, 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED', 'the principal is not authorized for this transactional id'],
  [54, 'SECURITY_DISABLED', 'no authorizer is configured on the broker'],
  [55, 'OPERATION_NOT_ATTEMPTED', 'not attempted because another part of the request failed'],
  [56, 'KAFKA_STORAGE_ERROR', 'the disk that holds the partition failed', 'retriable'],
  [57, 'LOG_DIR_NOT_FOUND', 'the broker has no such log directory'],
  [58, 'SASL_AUTHENTICATION_FAILED', 'wrong user, password or SASL mechanism'],
  [59, 'UNKNOWN_PRODUCER_ID', 'the broker does not know this producer id'],
  [60, 'REASSIGNMENT_IN_PROGRESS', 'the partition is being reassigned'],
  [61, 'DELEGATION_TOKEN_AUTH_DISABLED', 'delegation tokens are not enabled'],
  [62, 'DELEGATION_TOKEN_NOT_FOUND', 'the delegation token does not exist'],
  [63, 'DELEGATION_TOKEN_OWNER_MISMATCH', 'the delegation token belongs to another principal'],
  [64, 'DELEGATION_TOKEN_REQUEST_NOT_ALLOWED', 'delegation tokens are not allowed on this listener'],
  [65, 'DELEGATION_TOKEN_AUTHORIZATION_FAILED', 'the principal is not authorized for this delegation token'],
  [66, 'DELEGATION_TOKEN_EXPIRED', 'the delegation token has expired'],
  [67, 'INVALID_PRINCIPAL_TYPE', 'the principal type is not supported'],
  [68, 'NON_EMPTY_GROUP', 'the group still has members'],
  [69, 'GROUP_ID_NOT_FOUND', 'the group does not exist'],
  [70, 'FETCH_SESSION_ID_NOT_FOUND', 'the broker has dropped the fetch session', 'retriable'],
  [71, 'INVALID_FETCH_SESSION_EPOCH', 'the epoch of the fetch session is not the expected one', 'retriable'],
  [72, 'LISTENER_NOT_FOUND', 'the leader has no listener that matches the one metadata was requested on', 'retriable'],
  [73, 'TOPIC_DELETION_DISABLED', 'topic deletion is disabled on the brokers (delete.topic.enable)'],
  [74, 'FENCED_LEADER_EPOCH', "the leader epoch in the request is older than the broker's", 'retriable'],
  [75, 'UNKNOWN_LEADER_EPOCH', "the leader epoch in the request is newer than the broker's", 'retriable'],
  [76, 'UNSUPPORTED_COMPRESSION_TYPE', 'the compression type is not supported by this version of the request'],
  [77, 'STALE_BROKER_EPOCH', 'the broker epoch has changed; the broker was restarted'],
  [78, 'OFFSET_NOT_AVAILABLE', 'the new leader does not know the high watermark yet', 'retriable'],
  [79, 'MEMBER_ID_REQUIRED', 'the member must join with the id that the coordinator assigned to it'],
  [80, 'PREFERRED_LEADER_NOT_AVAILABLE', 'the preferred leader is not available', 'retriable'],
  [81, 'GROUP_MAX_SIZE_REACHED', 'the group has reached the maximum size that the broker allows'],
  [82, 'FENCED_INSTANCE_ID', 'another member has joined with the same group instance id'],
  [83, 'ELIGIBLE_LEADERS_NOT_AVAILABLE', 'no replica is eligible to become leader', 'retriable'],
  [84, 'ELECTION_NOT_NEEDED', 'the partition already has the requested leader', 'retriable'],
  [85, 'NO_REASSIGNMENT_IN_PROGRESS', 'the partition is not being reassigned'],
  [86, 'GROUP_SUBSCRIBED_TO_TOPIC', 'the group is subscribed to the topic'],
  [87, 'INVALID_RECORD', 'the broker refused a record, for example one without a key for a compacted topic'],
  [88, 'UNSTABLE_OFFSET_COMMIT', 'the committed offset depends on a transaction that is still open', 'retriable'],
  [89, 'THROTTLING_QUOTA_EXCEEDED', 'the quota is exceeded', 'retriable'],
  [90, 'PRODUCER_FENCED', 'another producer with the same transactional id has taken over'],
  [91, 'RESOURCE_NOT_FOUND', 'the resource does not exist'],
  [92, 'DUPLICATE_RESOURCE', 'the request names the same resource twice'],
  [93, 'UNACCEPTABLE_CREDENTIAL', 'the credential does not meet the requirements of the broker'],
  [94, 'INCONSISTENT_VOTER_SET', 'the voters of the quorum disagree about the voter set'],
  [95, 'INVALID_UPDATE_VERSION', 'the feature level is not valid'],
  [96, 'FEATURE_UPDATE_FAILED', 'the feature levels could not be changed'],
  [97, 'PRINCIPAL_DESERIALIZATION_FAILURE', 'the broker cannot decode the principal in a forwarded request'],
  [98, 'SNAPSHOT_NOT_FOUND', 'the snapshot does not exist'],
  [99, 'POSITION_OUT_OF_RANGE', 'the position is outside the snapshot'],
  [100, 'UNKNOWN_TOPIC_ID', 'the broker does not know this topic id', 'retriable'],
  [101, 'DUPLICATE_BROKER_REGISTRATION', 'a broker with this id is already registered'],
  [102, 'BROKER_ID_NOT_REGISTERED', 'no broker with this id is registered'],
  [103, 'INCONSISTENT_TOPIC_ID', 'the topic id does not match the one in the partition log', 'retriable'],
  [104, 'INCONSISTENT_CLUSTER_ID', 'the cluster id does not match this cluster'],
  [105, 'TRANSACTIONAL_ID_NOT_FOUND', 'the transactional id does not exist'],
  [106, 'FETCH_SESSION_TOPIC_ID_ERROR', 'the fetch session mixes topic names and topic ids', 'retriable'],
  [107, 'INELIGIBLE_REPLICA', 'the replica is not eligible to join the in-sync replicas'],
  [108, 'NEW_LEADER_ELECTED', 'the partition has a new leader'],
  [109, 'OFFSET_MOVED_TO_TIERED_STORAGE', 'the offset has moved to tiered storage'],
  [110, 'FENCED_MEMBER_EPOCH', 'the member has been removed from the group and must rejoin'],
  [111, 'UNRELEASED_INSTANCE_ID', 'another member still uses the group instance id'],
  [112, 'UNSUPPORTED_ASSIGNOR', 'the coordinator does not support this assignor'],
  [113, 'STALE_MEMBER_EPOCH', "the member epoch is older than the coordinator's"],
  [114, 'MISMATCHED_ENDPOINT_TYPE', 'the request is for a controller but reached a broker, or the other way round'],
  [115, 'UNSUPPORTED_ENDPOINT_TYPE', 'this kind of node does not support the request'],
  [116, 'UNKNOWN_CONTROLLER_ID', 'no controller has this id'],
  [117, 'UNKNOWN_SUBSCRIPTION_ID', 'the broker does not know this subscription to client metrics'],
  [118, 'TELEMETRY_TOO_LARGE', 'the client metrics are larger than the broker accepts'],
  [119, 'INVALID_REGISTRATION', 'the registration of the node is not valid'],
  [120, 'TRANSACTION_ABORTABLE', 'the transaction failed and must be aborted'],
  [121, 'INVALID_RECORD_STATE', 'the record is not in a state that allows this'],
  [122, 'SHARE_SESSION_NOT_FOUND', 'the broker has dropped the share session', 'retriable'],
  [123, 'INVALID_SHARE_SESSION_EPOCH', 'the epoch of the share session is not the expected one', 'retriable'],
  [124, 'FENCED_STATE_EPOCH', "the state epoch is older than the share coordinator's"],
  [125, 'INVALID_VOTER_KEY', 'the voter key does not match the node'],
  [126, 'DUPLICATE_VOTER', 'the node is already a voter'],
  [127, 'VOTER_NOT_FOUND', 'the node is not a voter'],
  [128, 'INVALID_REGULAR_EXPRESSION', 'the broker rejected the regular expression as invalid'],
  [129, 'REBOOTSTRAP_REQUIRED', 'the metadata is too old; the client must start again from the seed brokers'],
  [130, 'STREAMS_INVALID_TOPOLOGY', 'the topology is not valid'],
  [131, 'STREAMS_INVALID_TOPOLOGY_EPOCH', 'the epoch of the topology is not valid'],
  [132, 'STREAMS_TOPOLOGY_FENCED', "the topology is older than the group's"],
  [133, 'SHARE_SESSION_LIMIT_REACHED', 'the broker has reached its limit of share sessions', 'retriable'],
];

/** Codes with an exit code other than 1 (failure). */
const exitCodesByError: ReadonlyMap<number, ExitCode> = new Map(
  (
    [
      [exitCodes.notFound, [3, 57, 62, 69, 91, 100, 102, 105, 116, 127]],
      [exitCodes.auth, [29, 30, 31, 33, 34, 53, 58, 63, 64, 65, 66]],
      [exitCodes.unreachable, [5, 6, 7, 8, 9, 13, 14, 15, 16, 41, 72, 80, 83]],
      [exitCodes.conflict, [36, 54, 60, 61, 68, 73, 82, 84, 85, 86, 90, 92, 101, 111, 126]],
    ] as const
  ).flatMap(([exitCode, codes]) => codes.map((code) => [code, exitCode] as const)),
);

const table: ReadonlyMap<number, KafkaErrorKind> = new Map(
  rows.map(([code, name, sentence, retriable]) => [
    code,
    {
      code,
      name,
      sentence,
      retriable: retriable !== undefined,
      exitCode: exitCodesByError.get(code) ?? exitCodes.failure,
    },
  ]),
);

/** Every error code that weir knows, in ascending order. */
export const kafkaErrors: readonly KafkaErrorKind[] = [...table.values()];

/** Describes an error code; a code that weir does not know is named `ERROR_<code>`. */
export function kafkaErrorKind(code: number): KafkaErrorKind {
  const known = table.get(code);
  if (known !== undefined) return known;
  const sentence = `the broker answered with error code ${code}, which weir does not know`;
  return { code, name: `ERROR_${code}`, sentence, retriable: false, exitCode: exitCodes.failure };
}

/** Returns the protocol's name of an error code, for example `TOPIC_ALREADY_EXISTS`. */
export function kafkaErrorName(code: number): string {
  return kafkaErrorKind(code).name;
}

/** Returns `NAME (number): text`, with the broker's text or, if the broker sent none, weir's own sentence. */
export function kafkaErrorText(code: number, brokerText?: string): string {
  const { name, sentence } = kafkaErrorKind(code);
  return `${table.has(code) ? `${name} (${code})` : name}: ${reasonOf(brokerText) ?? sentence}`;
}

/** Matches the text in which a controller describes the refused request, with its buffers, to the user. */
const refusedRequest = /^Request .* needs (\w+) permission\.?$/s;

/** The broker's reason; undefined if there is none. */
function reasonOf(brokerText: string | undefined): string | undefined {
  const [, operation] = refusedRequest.exec(brokerText ?? '') ?? [];
  if (operation !== undefined) return `the principal needs ${operation.toLowerCase()} on the cluster`;
  return brokerText === '' ? undefined : brokerText;
}

/** The codes that every new cluster answers with while it creates the offsets topic for its first group. */
const passingCodes: ReadonlySet<number> = new Set([14, 15, 16]);

/**
 * Makes an error from an error code. `message` says what failed and ends with `kafkaErrorText`; the exit code follows
 * from the error code. Codes for unknown names are not retryable by default: pass `retryable: true` where stale
 * metadata may be the cause.
 */
export function kafkaError(code: number, message: string, details: ErrorDetails = {}): CliError {
  const { name, retriable, exitCode } = kafkaErrorKind(code);
  return new CliError(exitCode, message, {
    code: name,
    retryable: retriable && exitCode !== exitCodes.notFound,
    passing: passingCodes.has(code),
    ...details,
  });
}

/** Whether the retry rule may retry after this error. */
export function isRetriable(error: unknown): boolean {
  return error instanceof CliError && error.retryable;
}

/** Makes the error of one item in an answer, with the broker's text if it sent one; null for code 0. */
export function kafkaItemError(code: number, brokerText?: string): ItemError | null {
  if (code === 0) return null;
  const { name, sentence, retriable, exitCode } = kafkaErrorKind(code);
  return {
    code: name,
    number: code,
    message: reasonOf(brokerText) ?? sentence,
    retryable: retriable && exitCode !== exitCodes.notFound,
    exit_code: exitCode,
  };
}
