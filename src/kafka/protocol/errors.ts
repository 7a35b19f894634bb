import { CliError, type ErrorDetails, type ExitCode, exitCodes, type ItemError } from '../../errors.ts';
import { type CodeName, codes } from './wire/error-codes.ts';
import { MalformedBytes } from './wire/source.ts';

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

type Row = readonly [name: CodeName, sentence: string, retriable?: 'retriable'];

/** Error codes as listed in the protocol guide ("Error Codes"); the sentences are weir's own. */
const rows: readonly Row[] = [
  ['UNKNOWN_SERVER_ERROR', 'unexpected error on the broker; the broker log has the details'],
  ['NONE', 'no error'],
  ['OFFSET_OUT_OF_RANGE', 'the offset is outside the range that the partition holds'],
  ['CORRUPT_MESSAGE', 'a record batch failed its checksum or is malformed', 'retriable'],
  ['UNKNOWN_TOPIC_OR_PARTITION', 'the broker has no such topic or partition', 'retriable'],
  ['INVALID_FETCH_SIZE', 'the fetch size is not valid'],
  ['LEADER_NOT_AVAILABLE', 'the partition has no leader at the moment', 'retriable'],
  ['NOT_LEADER_OR_FOLLOWER', 'the broker is neither the leader nor a follower of the partition', 'retriable'],
  ['REQUEST_TIMED_OUT', 'the brokers did not finish within the request timeout', 'retriable'],
  ['BROKER_NOT_AVAILABLE', 'the broker is not available'],
  ['REPLICA_NOT_AVAILABLE', 'the replica is not available', 'retriable'],
  ['MESSAGE_TOO_LARGE', 'the record batch is larger than the topic or the broker allows (max.message.bytes)'],
  ['STALE_CONTROLLER_EPOCH', 'the controller that sent the request has been replaced'],
  ['OFFSET_METADATA_TOO_LARGE', 'the metadata of a committed offset is too long'],
  ['NETWORK_EXCEPTION', 'the broker lost a connection while handling the request', 'retriable'],
  ['COORDINATOR_LOAD_IN_PROGRESS', 'the coordinator is still loading its state', 'retriable'],
  [
    'COORDINATOR_NOT_AVAILABLE',
    'no coordinator is available yet; a new cluster may still be creating its offsets topic',
    'retriable',
  ],
  ['NOT_COORDINATOR', 'the broker is no longer the coordinator', 'retriable'],
  ['INVALID_TOPIC_EXCEPTION', 'the topic name is not valid, or the topic may not be written to'],
  ['RECORD_LIST_TOO_LARGE', 'the record batch is larger than a segment of the log (segment.bytes)'],
  ['NOT_ENOUGH_REPLICAS', 'fewer replicas are in sync than min.insync.replicas requires', 'retriable'],
  [
    'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
    'written, but then fewer replicas were in sync than min.insync.replicas requires',
    'retriable',
  ],
  ['INVALID_REQUIRED_ACKS', 'acks must be 0, 1 or all'],
  ['ILLEGAL_GENERATION', 'the group has moved on to another generation'],
  ['INCONSISTENT_GROUP_PROTOCOL', 'the members of the group have no protocol type or assignor in common'],
  ['INVALID_GROUP_ID', 'the group id is not valid'],
  ['UNKNOWN_MEMBER_ID', 'the coordinator does not know this member'],
  ['INVALID_SESSION_TIMEOUT', 'the session timeout is outside the range that the broker allows'],
  ['REBALANCE_IN_PROGRESS', 'the group is rebalancing; its members must rejoin'],
  ['INVALID_COMMIT_OFFSET_SIZE', 'the offset commit is too large'],
  ['TOPIC_AUTHORIZATION_FAILED', 'the principal is not authorized for this topic'],
  ['GROUP_AUTHORIZATION_FAILED', 'the principal is not authorized for this group'],
  ['CLUSTER_AUTHORIZATION_FAILED', 'the principal is not authorized for this operation on the cluster'],
  ['INVALID_TIMESTAMP', 'the timestamp of a record is outside the range that the topic allows'],
  ['UNSUPPORTED_SASL_MECHANISM', 'the listener does not offer this SASL mechanism'],
  ['ILLEGAL_SASL_STATE', 'the request is not allowed in this state of authentication'],
  ['UNSUPPORTED_VERSION', 'the broker does not support this version of the request'],
  ['TOPIC_ALREADY_EXISTS', 'a topic with this name already exists'],
  ['INVALID_PARTITIONS', 'the number of partitions is not valid'],
  ['INVALID_REPLICATION_FACTOR', 'the number of replicas is below 1 or above the number of brokers'],
  ['INVALID_REPLICA_ASSIGNMENT', 'the assignment of replicas is not valid'],
  ['INVALID_CONFIG', 'a config key or its value is not valid'],
  ['NOT_CONTROLLER', 'the broker is no longer the controller', 'retriable'],
  ['INVALID_REQUEST', 'the broker rejected the request as invalid; the broker log has the details'],
  ['UNSUPPORTED_FOR_MESSAGE_FORMAT', 'the record format on the broker is too old for this'],
  ['POLICY_VIOLATION', 'a policy of the cluster forbids this'],
  ['OUT_OF_ORDER_SEQUENCE_NUMBER', 'the sequence number of the producer leaves a gap'],
  ['DUPLICATE_SEQUENCE_NUMBER', 'the producer has already used this sequence number'],
  ['INVALID_PRODUCER_EPOCH', 'a newer producer has taken over with a higher epoch'],
  ['INVALID_TXN_STATE', 'the transaction is not in a state that allows this'],
  ['INVALID_PRODUCER_ID_MAPPING', 'the producer id does not belong to this transactional id'],
  ['INVALID_TRANSACTION_TIMEOUT', 'the transaction timeout is longer than the broker allows'],
  ['CONCURRENT_TRANSACTIONS', 'another request of the same transaction is still in progress', 'retriable'],
  ['TRANSACTION_COORDINATOR_FENCED', 'the transaction coordinator has been replaced'],
  ['TRANSACTIONAL_ID_AUTHORIZATION_FAILED', 'the principal is not authorized for this transactional id'],
  ['SECURITY_DISABLED', 'no authorizer is configured on the broker'],
  ['OPERATION_NOT_ATTEMPTED', 'not attempted because another part of the request failed'],
  ['KAFKA_STORAGE_ERROR', 'the disk that holds the partition failed', 'retriable'],
  ['LOG_DIR_NOT_FOUND', 'the broker has no such log directory'],
  ['SASL_AUTHENTICATION_FAILED', 'wrong user, password or SASL mechanism'],
  ['UNKNOWN_PRODUCER_ID', 'the broker does not know this producer id'],
  ['REASSIGNMENT_IN_PROGRESS', 'the partition is being reassigned'],
  ['DELEGATION_TOKEN_AUTH_DISABLED', 'delegation tokens are not enabled'],
  ['DELEGATION_TOKEN_NOT_FOUND', 'the delegation token does not exist'],
  ['DELEGATION_TOKEN_OWNER_MISMATCH', 'the delegation token belongs to another principal'],
  ['DELEGATION_TOKEN_REQUEST_NOT_ALLOWED', 'delegation tokens are not allowed on this listener'],
  ['DELEGATION_TOKEN_AUTHORIZATION_FAILED', 'the principal is not authorized for this delegation token'],
  ['DELEGATION_TOKEN_EXPIRED', 'the delegation token has expired'],
  ['INVALID_PRINCIPAL_TYPE', 'the principal type is not supported'],
  ['NON_EMPTY_GROUP', 'the group still has members'],
  ['GROUP_ID_NOT_FOUND', 'the group does not exist'],
  ['FETCH_SESSION_ID_NOT_FOUND', 'the broker has dropped the fetch session', 'retriable'],
  ['INVALID_FETCH_SESSION_EPOCH', 'the epoch of the fetch session is not the expected one', 'retriable'],
  ['LISTENER_NOT_FOUND', 'the leader has no listener that matches the one metadata was requested on', 'retriable'],
  ['TOPIC_DELETION_DISABLED', 'topic deletion is disabled on the brokers (delete.topic.enable)'],
  ['FENCED_LEADER_EPOCH', "the leader epoch in the request is older than the broker's", 'retriable'],
  ['UNKNOWN_LEADER_EPOCH', "the leader epoch in the request is newer than the broker's", 'retriable'],
  ['UNSUPPORTED_COMPRESSION_TYPE', 'the compression type is not supported by this version of the request'],
  ['STALE_BROKER_EPOCH', 'the broker epoch has changed; the broker was restarted'],
  ['OFFSET_NOT_AVAILABLE', 'the new leader does not know the high watermark yet', 'retriable'],
  ['MEMBER_ID_REQUIRED', 'the member must join with the id that the coordinator assigned to it'],
  ['PREFERRED_LEADER_NOT_AVAILABLE', 'the preferred leader is not available', 'retriable'],
  ['GROUP_MAX_SIZE_REACHED', 'the group has reached the maximum size that the broker allows'],
  ['FENCED_INSTANCE_ID', 'another member has joined with the same group instance id'],
  ['ELIGIBLE_LEADERS_NOT_AVAILABLE', 'no replica is eligible to become leader', 'retriable'],
  ['ELECTION_NOT_NEEDED', 'the partition already has the requested leader', 'retriable'],
  ['NO_REASSIGNMENT_IN_PROGRESS', 'the partition is not being reassigned'],
  ['GROUP_SUBSCRIBED_TO_TOPIC', 'the group is subscribed to the topic'],
  ['INVALID_RECORD', 'the broker refused a record, for example one without a key for a compacted topic'],
  ['UNSTABLE_OFFSET_COMMIT', 'the committed offset depends on a transaction that is still open', 'retriable'],
  ['THROTTLING_QUOTA_EXCEEDED', 'the quota is exceeded', 'retriable'],
  ['PRODUCER_FENCED', 'another producer with the same transactional id has taken over'],
  ['RESOURCE_NOT_FOUND', 'the resource does not exist'],
  ['DUPLICATE_RESOURCE', 'the request names the same resource twice'],
  ['UNACCEPTABLE_CREDENTIAL', 'the credential does not meet the requirements of the broker'],
  ['INCONSISTENT_VOTER_SET', 'the voters of the quorum disagree about the voter set'],
  ['INVALID_UPDATE_VERSION', 'the feature level is not valid'],
  ['FEATURE_UPDATE_FAILED', 'the feature levels could not be changed'],
  ['PRINCIPAL_DESERIALIZATION_FAILURE', 'the broker cannot decode the principal in a forwarded request'],
  ['SNAPSHOT_NOT_FOUND', 'the snapshot does not exist'],
  ['POSITION_OUT_OF_RANGE', 'the position is outside the snapshot'],
  ['UNKNOWN_TOPIC_ID', 'the broker does not know this topic id', 'retriable'],
  ['DUPLICATE_BROKER_REGISTRATION', 'a broker with this id is already registered'],
  ['BROKER_ID_NOT_REGISTERED', 'no broker with this id is registered'],
  ['INCONSISTENT_TOPIC_ID', 'the topic id does not match the one in the partition log', 'retriable'],
  ['INCONSISTENT_CLUSTER_ID', 'the cluster id does not match this cluster'],
  ['TRANSACTIONAL_ID_NOT_FOUND', 'the transactional id does not exist'],
  ['FETCH_SESSION_TOPIC_ID_ERROR', 'the fetch session mixes topic names and topic ids', 'retriable'],
  ['INELIGIBLE_REPLICA', 'the replica is not eligible to join the in-sync replicas'],
  ['NEW_LEADER_ELECTED', 'the partition has a new leader'],
  ['OFFSET_MOVED_TO_TIERED_STORAGE', 'the offset has moved to tiered storage'],
  ['FENCED_MEMBER_EPOCH', 'the member has been removed from the group and must rejoin'],
  ['UNRELEASED_INSTANCE_ID', 'another member still uses the group instance id'],
  ['UNSUPPORTED_ASSIGNOR', 'the coordinator does not support this assignor'],
  ['STALE_MEMBER_EPOCH', "the member epoch is older than the coordinator's"],
  ['MISMATCHED_ENDPOINT_TYPE', 'the request is for a controller but reached a broker, or the other way round'],
  ['UNSUPPORTED_ENDPOINT_TYPE', 'this kind of node does not support the request'],
  ['UNKNOWN_CONTROLLER_ID', 'no controller has this id'],
  ['UNKNOWN_SUBSCRIPTION_ID', 'the broker does not know this subscription to client metrics'],
  ['TELEMETRY_TOO_LARGE', 'the client metrics are larger than the broker accepts'],
  ['INVALID_REGISTRATION', 'the registration of the node is not valid'],
  ['TRANSACTION_ABORTABLE', 'the transaction failed and must be aborted'],
  ['INVALID_RECORD_STATE', 'the record is not in a state that allows this'],
  ['SHARE_SESSION_NOT_FOUND', 'the broker has dropped the share session', 'retriable'],
  ['INVALID_SHARE_SESSION_EPOCH', 'the epoch of the share session is not the expected one', 'retriable'],
  ['FENCED_STATE_EPOCH', "the state epoch is older than the share coordinator's"],
  ['INVALID_VOTER_KEY', 'the voter key does not match the node'],
  ['DUPLICATE_VOTER', 'the node is already a voter'],
  ['VOTER_NOT_FOUND', 'the node is not a voter'],
  ['INVALID_REGULAR_EXPRESSION', 'the broker rejected the regular expression as invalid'],
  ['REBOOTSTRAP_REQUIRED', 'the metadata is too old; the client must start again from the seed brokers'],
  ['STREAMS_INVALID_TOPOLOGY', 'the topology is not valid'],
  ['STREAMS_INVALID_TOPOLOGY_EPOCH', 'the epoch of the topology is not valid'],
  ['STREAMS_TOPOLOGY_FENCED', "the topology is older than the group's"],
  ['SHARE_SESSION_LIMIT_REACHED', 'the broker has reached its limit of share sessions', 'retriable'],
];

/** Codes with an exit code other than 1 (failure). */
const exitCodesByError: ReadonlyMap<CodeName, ExitCode> = new Map(
  (
    [
      [
        exitCodes.notFound,
        [
          'UNKNOWN_TOPIC_OR_PARTITION',
          'LOG_DIR_NOT_FOUND',
          'DELEGATION_TOKEN_NOT_FOUND',
          'GROUP_ID_NOT_FOUND',
          'RESOURCE_NOT_FOUND',
          'UNKNOWN_TOPIC_ID',
          'BROKER_ID_NOT_REGISTERED',
          'TRANSACTIONAL_ID_NOT_FOUND',
          'UNKNOWN_CONTROLLER_ID',
          'VOTER_NOT_FOUND',
        ],
      ],
      [
        exitCodes.auth,
        [
          'TOPIC_AUTHORIZATION_FAILED',
          'GROUP_AUTHORIZATION_FAILED',
          'CLUSTER_AUTHORIZATION_FAILED',
          'UNSUPPORTED_SASL_MECHANISM',
          'ILLEGAL_SASL_STATE',
          'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
          'SASL_AUTHENTICATION_FAILED',
          'DELEGATION_TOKEN_OWNER_MISMATCH',
          'DELEGATION_TOKEN_REQUEST_NOT_ALLOWED',
          'DELEGATION_TOKEN_AUTHORIZATION_FAILED',
          'DELEGATION_TOKEN_EXPIRED',
        ],
      ],
      [
        exitCodes.unreachable,
        [
          'LEADER_NOT_AVAILABLE',
          'NOT_LEADER_OR_FOLLOWER',
          'REQUEST_TIMED_OUT',
          'BROKER_NOT_AVAILABLE',
          'REPLICA_NOT_AVAILABLE',
          'NETWORK_EXCEPTION',
          'COORDINATOR_LOAD_IN_PROGRESS',
          'COORDINATOR_NOT_AVAILABLE',
          'NOT_COORDINATOR',
          'NOT_CONTROLLER',
          'LISTENER_NOT_FOUND',
          'PREFERRED_LEADER_NOT_AVAILABLE',
          'ELIGIBLE_LEADERS_NOT_AVAILABLE',
        ],
      ],
      [
        exitCodes.conflict,
        [
          'TOPIC_ALREADY_EXISTS',
          'SECURITY_DISABLED',
          'REASSIGNMENT_IN_PROGRESS',
          'DELEGATION_TOKEN_AUTH_DISABLED',
          'NON_EMPTY_GROUP',
          'TOPIC_DELETION_DISABLED',
          'FENCED_INSTANCE_ID',
          'ELECTION_NOT_NEEDED',
          'NO_REASSIGNMENT_IN_PROGRESS',
          'GROUP_SUBSCRIBED_TO_TOPIC',
          'PRODUCER_FENCED',
          'DUPLICATE_RESOURCE',
          'DUPLICATE_BROKER_REGISTRATION',
          'UNRELEASED_INSTANCE_ID',
          'DUPLICATE_VOTER',
        ],
      ],
    ] as const
  ).flatMap(([exitCode, own]) => own.map((name) => [name, exitCode] as const)),
);

const table: ReadonlyMap<number, KafkaErrorKind> = new Map(
  rows.map(([name, sentence, retriable]) => [
    codes[name],
    {
      code: codes[name],
      name,
      sentence,
      retriable: retriable !== undefined,
      exitCode: exitCodesByError.get(name) ?? exitCodes.failure,
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

/**
 * The exit code of an error that is known by its name only; a name that is not the protocol's is that of a failure to
 * reach a broker.
 */
export function exitCodeOfName(name: string): ExitCode {
  return kafkaErrors.find((kind) => kind.name === name)?.exitCode ?? exitCodes.unreachable;
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
const passingCodes: ReadonlySet<number> = new Set([
  codes.COORDINATOR_LOAD_IN_PROGRESS,
  codes.COORDINATOR_NOT_AVAILABLE,
  codes.NOT_COORDINATOR,
]);

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

/**
 * Reads what a peer has sent; `what` names it in the error.
 * @throws CliError (exit 1) if the bytes do not match the layout: a proxy, another service, or a defect
 */
export function readable<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedBytes)) throw error;
    const message = `unable to read the ${what} answer at byte ${error.at}: ${error.message}`;
    throw new CliError(exitCodes.failure, message, {
      code: 'PROTOCOL',
      hints: ['check that the address belongs to a Kafka listener with the expected security protocol'],
    });
  }
}
