import { at, filled, listOf, mapOf, maybe, type RowOf, row, string, truth, unless, whole } from '../shape/shape.ts';
import { durationMs, enumName, int64Text, timestamp } from './client/proto-json.ts';

const count = unless(0, whole);

/** What a client has sent and got. */
const RequestStatistics = row({
  produce_bytes: at('produceBytes', int64Text),
  fetch_bytes: at('fetchBytes', int64Text),
  request_count: at('requestCount', int64Text),
  produce_batch_count: at('produceBatchCount', int64Text),
});

/**
 * A connection of a Kafka client to a broker, under the names that filters and orders have for it; null for what the client
 * or the broker has not told (redpanda commit 1b95a07c: proto/redpanda/core/admin/v2/kafka_connections.proto).
 */
export const KafkaConnection = row({
  node_id: at('nodeId', count),
  shard_id: at('shardId', count),
  uid: unless('', string),
  /** `OPEN`, `ABORTING` or `CLOSED`. */
  state: enumName('KAFKA_CONNECTION_STATE_'),
  open_time: at('openTime', timestamp),
  close_time: at('closeTime', timestamp),
  authentication_info: at(
    'authenticationInfo',
    row({
      /** `UNAUTHENTICATED`, `SUCCESS` or `FAILURE`. */
      state: enumName('AUTHENTICATION_STATE_'),
      /** `MTLS`, `SASL_SCRAM`, `SASL_OAUTHBEARER`, `SASL_PLAIN` or `SASL_GSSAPI`. */
      mechanism: enumName('AUTHENTICATION_MECHANISM_'),
      user_principal: at('userPrincipal', maybe(filled)),
    }),
  ),
  listener_name: at('listenerName', maybe(filled)),
  tls_info: at('tlsInfo', row({ enabled: unless(false, truth) })),
  source: row({ ip_address: at('ipAddress', unless('', string)), port: count }),
  client_id: at('clientId', maybe(filled)),
  client_software_name: at('clientSoftwareName', maybe(filled)),
  client_software_version: at('clientSoftwareVersion', maybe(filled)),
  transactional_id: at('transactionalId', maybe(filled)),
  group_id: at('groupId', maybe(filled)),
  group_instance_id: at('groupInstanceId', maybe(filled)),
  group_member_id: at('groupMemberId', maybe(filled)),
  /** The highest version of each API in the requests so far, by the API's key. */
  api_versions: at('apiVersions', unless({}, mapOf(whole))),
  idle_duration_ms: at('idleDuration', durationMs),
  in_flight_requests: at(
    'inFlightRequests',
    row({
      sampled_in_flight_requests: at(
        'sampledInFlightRequests',
        listOf(row({ api_key: at('apiKey', count), in_flight_duration_ms: at('inFlightDuration', durationMs) })),
      ),
      has_more_requests: at('hasMoreRequests', unless(false, truth)),
    }),
  ),
  total_request_statistics: at('totalRequestStatistics', RequestStatistics),
  /** Of the last minute. */
  recent_request_statistics: at('recentRequestStatistics', RequestStatistics),
});
export type KafkaConnection = RowOf<typeof KafkaConnection>;

/** The connections that were asked for, and how many there are without the limit. */
export const KafkaConnections = row({
  connections: listOf(KafkaConnection),
  total_size: at('totalSize', int64Text),
});

/** Which connections to list. */
export interface ConnectionQuery {
  /** An expression of AIP-160, as far as the server knows it; empty for all. */
  readonly filter: string;
  /** Fields with `asc` or `desc`, as in AIP-132; empty for any order. */
  readonly orderBy: string;
  /** The most to list; 0 for as many as the server likes. */
  readonly limit: number;
}
