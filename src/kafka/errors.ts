import { CliError, type ErrorDetails, type ExitCode, exitCodes, type ItemError } from '../errors.ts';

/** One error code of the Kafka protocol. */
export interface KafkaErrorKind {
  readonly code: number;
  /** The protocol's name for it. */
  readonly name: string;
  /** What it means, where the broker sends no text of its own. */
  readonly sentence: string;
  /** Whether the protocol says that the same request may succeed later. */
  readonly retriable: boolean;
  readonly exitCode: ExitCode;
}

type Row = readonly [code: number, name: string, sentence: string, retriable?: 'retriable'];

/** Error codes as listed in the protocol guide ("Error Codes"); the sentences are ours. */
const rows: readonly Row[] = [
  [-1, 'UNKNOWN_SERVER_ERROR', 'the broker met an error that it has no code for; its log says more'],
  [0, 'NONE', 'no error'],
  [1, 'OFFSET_OUT_OF_RANGE', 'the offset lies outside of what the partition holds'],
  [2, 'CORRUPT_MESSAGE', 'a record batch failed its checksum or is malformed', 'retriable'],
  [3, 'UNKNOWN_TOPIC_OR_PARTITION', 'there is no such topic or partition on the broker', 'retriable'],
  [4, 'INVALID_FETCH_SIZE', 'the fetch size is not valid'],
  [5, 'LEADER_NOT_AVAILABLE', 'the partition has no leader at the moment', 'retriable'],
  [
    6,
    'NOT_LEADER_OR_FOLLOWER',
    'the broker is not the leader of the partition, nor a replica to read from',
    'retriable',
  ],
  [7, 'REQUEST_TIMED_OUT', 'the brokers did not finish within the timeout of the request', 'retriable'],
  [8, 'BROKER_NOT_AVAILABLE', 'the broker is not available'],
  [9, 'REPLICA_NOT_AVAILABLE', 'the replica is not available', 'retriable'],
  [10, 'MESSAGE_TOO_LARGE', 'the record batch is larger than the topic or the broker allows (max.message.bytes)'],
  [11, 'STALE_CONTROLLER_EPOCH', 'the controller that asked has been replaced'],
  [12, 'OFFSET_METADATA_TOO_LARGE', 'the text stored with a committed offset is too long'],
  [13, 'NETWORK_EXCEPTION', 'the broker lost a connection while it worked on the request', 'retriable'],
  [14, 'COORDINATOR_LOAD_IN_PROGRESS', 'the coordinator is still loading its state', 'retriable'],
  [15, 'COORDINATOR_NOT_AVAILABLE', 'there is no coordinator at the moment', 'retriable'],
  [16, 'NOT_COORDINATOR', 'the broker is not the coordinator any more', 'retriable'],
  [17, 'INVALID_TOPIC_EXCEPTION', 'the topic name is not valid, or the topic may not be written to'],
  [18, 'RECORD_LIST_TOO_LARGE', 'the record batch is larger than a segment of the log (segment.bytes)'],
  [19, 'NOT_ENOUGH_REPLICAS', 'fewer replicas are in sync than min.insync.replicas asks for', 'retriable'],
  [
    20,
    'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
    'written, but then fewer replicas were in sync than min.insync.replicas asks for',
    'retriable',
  ],
  [21, 'INVALID_REQUIRED_ACKS', 'acks is none of 0, 1 and all'],
  [22, 'ILLEGAL_GENERATION', 'the group has moved on to another generation'],
  [23, 'INCONSISTENT_GROUP_PROTOCOL', 'the members of the group have no protocol type or assignor in common'],
  [24, 'INVALID_GROUP_ID', 'the group id is not valid'],
  [25, 'UNKNOWN_MEMBER_ID', 'the coordinator does not know this member'],
  [26, 'INVALID_SESSION_TIMEOUT', 'the session timeout is outside of what the broker allows'],
  [27, 'REBALANCE_IN_PROGRESS', 'the group is rebalancing, its members must join again'],
  [28, 'INVALID_COMMIT_OFFSET_SIZE', 'the offset commit is too large'],
  [29, 'TOPIC_AUTHORIZATION_FAILED', 'the principal is not authorized for this topic'],
  [30, 'GROUP_AUTHORIZATION_FAILED', 'the principal is not authorized for this group'],
  [31, 'CLUSTER_AUTHORIZATION_FAILED', 'the principal is not authorized for this operation on the cluster'],
  [32, 'INVALID_TIMESTAMP', 'the timestamp of a record is outside of what the topic allows'],
  [33, 'UNSUPPORTED_SASL_MECHANISM', 'the listener does not offer this SASL mechanism'],
  [34, 'ILLEGAL_SASL_STATE', 'the request is not allowed in this state of authentication'],
  [35, 'UNSUPPORTED_VERSION', 'the broker does not know this version of the request'],
  [36, 'TOPIC_ALREADY_EXISTS', 'a topic of this name exists already'],
  [37, 'INVALID_PARTITIONS', 'the number of partitions is not valid'],
  [38, 'INVALID_REPLICATION_FACTOR', 'the number of replicas is below 1 or above the number of brokers'],
  [39, 'INVALID_REPLICA_ASSIGNMENT', 'the assignment of replicas is not valid'],
  [40, 'INVALID_CONFIG', 'a config key or its value is not valid'],
  [41, 'NOT_CONTROLLER', 'the broker is not the controller any more', 'retriable'],
  [42, 'INVALID_REQUEST', 'the broker finds the request not valid; its log says more'],
  [43, 'UNSUPPORTED_FOR_MESSAGE_FORMAT', 'the record format on the broker is too old for this'],
  [44, 'POLICY_VIOLATION', 'a policy of the cluster forbids this'],
  [45, 'OUT_OF_ORDER_SEQUENCE_NUMBER', 'the sequence number of the producer leaves a gap'],
  [46, 'DUPLICATE_SEQUENCE_NUMBER', 'the sequence number of the producer was used already'],
  [47, 'INVALID_PRODUCER_EPOCH', 'a newer producer has taken over with a higher epoch'],
  [48, 'INVALID_TXN_STATE', 'the transaction is not in a state that allows this'],
  [49, 'INVALID_PRODUCER_ID_MAPPING', 'the producer id does not belong to this transactional id'],
  [50, 'INVALID_TRANSACTION_TIMEOUT', 'the transaction timeout is longer than the broker allows'],
  [51, 'CONCURRENT_TRANSACTIONS', 'another request of the same transaction is still being worked on', 'retriable'],
  [52, 'TRANSACTION_COORDINATOR_FENCED', 'the transaction coordinator has been replaced'],
  [53, 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED', 'the principal is not authorized for this transactional id'],
  [54, 'SECURITY_DISABLED', 'the broker has no authorizer'],
  [55, 'OPERATION_NOT_ATTEMPTED', 'not tried, because another part of the request failed'],
  [56, 'KAFKA_STORAGE_ERROR', 'the disk under the partition failed', 'retriable'],
  [57, 'LOG_DIR_NOT_FOUND', 'the broker has no such log directory'],
  [58, 'SASL_AUTHENTICATION_FAILED', 'user, password or SASL mechanism is wrong'],
  [59, 'UNKNOWN_PRODUCER_ID', 'the broker does not know this producer id'],
  [60, 'REASSIGNMENT_IN_PROGRESS', 'the partition is being moved'],
  [61, 'DELEGATION_TOKEN_AUTH_DISABLED', 'delegation tokens are not enabled'],
  [62, 'DELEGATION_TOKEN_NOT_FOUND', 'there is no such delegation token'],
  [63, 'DELEGATION_TOKEN_OWNER_MISMATCH', 'the delegation token belongs to another principal'],
  [64, 'DELEGATION_TOKEN_REQUEST_NOT_ALLOWED', 'delegation tokens are not allowed on this listener'],
  [65, 'DELEGATION_TOKEN_AUTHORIZATION_FAILED', 'the principal is not authorized for this delegation token'],
  [66, 'DELEGATION_TOKEN_EXPIRED', 'the delegation token has expired'],
  [67, 'INVALID_PRINCIPAL_TYPE', 'the type of the principal is not supported'],
  [68, 'NON_EMPTY_GROUP', 'the group still has members'],
  [69, 'GROUP_ID_NOT_FOUND', 'there is no such group'],
  [70, 'FETCH_SESSION_ID_NOT_FOUND', 'the broker has dropped the fetch session', 'retriable'],
  [71, 'INVALID_FETCH_SESSION_EPOCH', 'the epoch of the fetch session is not the expected one', 'retriable'],
  [72, 'LISTENER_NOT_FOUND', 'the leader has no listener of the name that was used for metadata', 'retriable'],
  [73, 'TOPIC_DELETION_DISABLED', 'deleting topics is switched off on the brokers (delete.topic.enable)'],
  [74, 'FENCED_LEADER_EPOCH', 'the leader epoch in the request is older than that of the broker', 'retriable'],
  [75, 'UNKNOWN_LEADER_EPOCH', 'the leader epoch in the request is newer than that of the broker', 'retriable'],
  [76, 'UNSUPPORTED_COMPRESSION_TYPE', 'the compression type is not supported by this version of the request'],
  [77, 'STALE_BROKER_EPOCH', 'the broker has been restarted since'],
  [78, 'OFFSET_NOT_AVAILABLE', 'the new leader does not know the high watermark yet', 'retriable'],
  [79, 'MEMBER_ID_REQUIRED', 'the coordinator wants the member to join with the id it was given'],
  [80, 'PREFERRED_LEADER_NOT_AVAILABLE', 'the preferred leader is not available', 'retriable'],
  [81, 'GROUP_MAX_SIZE_REACHED', 'the group has as many members as the broker allows'],
  [82, 'FENCED_INSTANCE_ID', 'another member has joined with the same group instance id'],
  [83, 'ELIGIBLE_LEADERS_NOT_AVAILABLE', 'no replica may become leader', 'retriable'],
  [84, 'ELECTION_NOT_NEEDED', 'the partition has the wanted leader already', 'retriable'],
  [85, 'NO_REASSIGNMENT_IN_PROGRESS', 'the partition is not being moved'],
  [86, 'GROUP_SUBSCRIBED_TO_TOPIC', 'the group is subscribed to the topic'],
  [87, 'INVALID_RECORD', 'the broker refused a record, for example one without a key for a compacted topic'],
  [88, 'UNSTABLE_OFFSET_COMMIT', 'the committed offset depends on a transaction that is still open', 'retriable'],
  [89, 'THROTTLING_QUOTA_EXCEEDED', 'the quota is used up', 'retriable'],
  [90, 'PRODUCER_FENCED', 'another producer with the same transactional id has taken over'],
  [91, 'RESOURCE_NOT_FOUND', 'what was named does not exist'],
  [92, 'DUPLICATE_RESOURCE', 'the request names the same thing twice'],
  [93, 'UNACCEPTABLE_CREDENTIAL', 'the credential does not meet the requirements of the broker'],
  [94, 'INCONSISTENT_VOTER_SET', 'the voters of the quorum do not agree on who they are'],
  [95, 'INVALID_UPDATE_VERSION', 'the feature level is not valid'],
  [96, 'FEATURE_UPDATE_FAILED', 'the feature levels could not be changed'],
  [97, 'PRINCIPAL_DESERIALIZATION_FAILURE', 'the brokers do not understand the principal in a forwarded request'],
  [98, 'SNAPSHOT_NOT_FOUND', 'there is no such snapshot'],
  [99, 'POSITION_OUT_OF_RANGE', 'the position lies outside of the snapshot'],
  [100, 'UNKNOWN_TOPIC_ID', 'the broker does not know this topic id', 'retriable'],
  [101, 'DUPLICATE_BROKER_REGISTRATION', 'a broker of this id is registered already'],
  [102, 'BROKER_ID_NOT_REGISTERED', 'no broker of this id is registered'],
  [103, 'INCONSISTENT_TOPIC_ID', 'the topic id is not the one in the log of the partition', 'retriable'],
  [104, 'INCONSISTENT_CLUSTER_ID', 'the cluster id is not that of this cluster'],
  [105, 'TRANSACTIONAL_ID_NOT_FOUND', 'there is no such transactional id'],
  [106, 'FETCH_SESSION_TOPIC_ID_ERROR', 'the fetch session mixes topic names and topic ids', 'retriable'],
  [107, 'INELIGIBLE_REPLICA', 'the replica may not join the in-sync replicas'],
  [108, 'NEW_LEADER_ELECTED', 'the partition has a new leader'],
  [109, 'OFFSET_MOVED_TO_TIERED_STORAGE', 'the offset is in tiered storage by now'],
  [110, 'FENCED_MEMBER_EPOCH', 'the member has been removed from the group and must join again'],
  [111, 'UNRELEASED_INSTANCE_ID', 'another member still uses the group instance id'],
  [112, 'UNSUPPORTED_ASSIGNOR', 'the coordinator does not have this assignor'],
  [113, 'STALE_MEMBER_EPOCH', 'the member epoch is older than that of the coordinator'],
  [114, 'MISMATCHED_ENDPOINT_TYPE', 'the request went to a broker and is for a controller, or the other way round'],
  [115, 'UNSUPPORTED_ENDPOINT_TYPE', 'this kind of node does not answer the request'],
  [116, 'UNKNOWN_CONTROLLER_ID', 'there is no controller of this id'],
  [117, 'UNKNOWN_SUBSCRIPTION_ID', 'the broker does not know this subscription to client metrics'],
  [118, 'TELEMETRY_TOO_LARGE', 'the client metrics are larger than the broker accepts'],
  [119, 'INVALID_REGISTRATION', 'the registration of the node is not valid'],
  [120, 'TRANSACTION_ABORTABLE', 'the transaction failed and must be aborted'],
  [121, 'INVALID_RECORD_STATE', 'the record is not in a state that allows this'],
  [122, 'SHARE_SESSION_NOT_FOUND', 'the broker has dropped the share session', 'retriable'],
  [123, 'INVALID_SHARE_SESSION_EPOCH', 'the epoch of the share session is not the expected one', 'retriable'],
  [124, 'FENCED_STATE_EPOCH', 'the state epoch is older than that of the share coordinator'],
  [125, 'INVALID_VOTER_KEY', 'the key of the voter is not that of the node'],
  [126, 'DUPLICATE_VOTER', 'the node is a voter already'],
  [127, 'VOTER_NOT_FOUND', 'the node is not a voter'],
  [128, 'INVALID_REGULAR_EXPRESSION', 'the broker finds the regular expression not valid'],
  [129, 'REBOOTSTRAP_REQUIRED', 'the metadata is too old, the client must start from the seed brokers again'],
  [130, 'STREAMS_INVALID_TOPOLOGY', 'the topology is not valid'],
  [131, 'STREAMS_INVALID_TOPOLOGY_EPOCH', 'the epoch of the topology is not valid'],
  [132, 'STREAMS_TOPOLOGY_FENCED', 'the topology is older than that of the group'],
  [133, 'SHARE_SESSION_LIMIT_REACHED', 'the broker has as many share sessions as it allows', 'retriable'],
];

/** Which codes stand for more than "it failed". */
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

/** Every error code that weir knows, in the order of the codes. */
export const kafkaErrors: readonly KafkaErrorKind[] = [...table.values()];

/** What weir knows of an error code; codes of newer brokers are named `ERROR_<code>`. */
export function kafkaErrorKind(code: number): KafkaErrorKind {
  const known = table.get(code);
  if (known !== undefined) return known;
  const sentence = `the broker answered with error code ${code}, which weir does not know`;
  return { code, name: `ERROR_${code}`, sentence, retriable: false, exitCode: exitCodes.failure };
}

/** The protocol's name of an error code, for example `TOPIC_ALREADY_EXISTS`. */
export function kafkaErrorName(code: number): string {
  return kafkaErrorKind(code).name;
}

/** `NAME (number): the broker's text`, or our own sentence where the broker sent none. */
export function kafkaErrorText(code: number, brokerText?: string): string {
  const { name, sentence } = kafkaErrorKind(code);
  return `${table.has(code) ? `${name} (${code})` : name}: ${brokerText === undefined || brokerText === '' ? sentence : brokerText}`;
}

/**
 * The failure of one thing as the broker told it. `message` says what could not be done and ends in
 * `kafkaErrorText`; the exit code follows from the error code. A name that the cluster does not know
 * is not repeated: say `retryable: true` where stale metadata may be the reason.
 */
export function kafkaError(code: number, message: string, details: ErrorDetails = {}): CliError {
  const { name, retriable, exitCode } = kafkaErrorKind(code);
  return new CliError(exitCode, message, {
    code: name,
    retryable: retriable && exitCode !== exitCodes.notFound,
    ...details,
  });
}

/** Whether the retry rule may try again after this failure. */
export function isRetriable(error: unknown): boolean {
  return error instanceof CliError && error.retryable;
}

/** The failure of one item of an answer, with the broker's text where it sent one; null for code 0. */
export function kafkaItemError(code: number, brokerText?: string): ItemError | null {
  if (code === 0) return null;
  const { name, sentence, retriable, exitCode } = kafkaErrorKind(code);
  const message = brokerText === undefined || brokerText === '' ? sentence : brokerText;
  return {
    code: name,
    number: code,
    message,
    retryable: retriable && exitCode !== exitCodes.notFound,
    exit_code: exitCode,
  };
}
