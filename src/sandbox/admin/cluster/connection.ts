import { randomUUID } from 'node:crypto';

/** What a client has sent and got, with numbers of 64 bits as text. */
interface Statistics {
  readonly produceBytes: string;
  readonly fetchBytes: string;
  readonly requestCount: string;
  readonly produceBatchCount: string;
}

/** A connection of a Kafka client, as version 2 of the API shows it. */
export interface Connection {
  readonly nodeId: number;
  readonly shardId: number;
  readonly uid: string;
  readonly state: string;
  readonly openTime: string;
  readonly closeTime: string;
  readonly authenticationInfo: { readonly state: string; readonly mechanism: string; readonly userPrincipal: string };
  readonly listenerName: string;
  readonly tlsInfo: { readonly enabled: boolean };
  readonly source: { readonly ipAddress: string; readonly port: number };
  readonly clientId: string;
  readonly clientSoftwareName: string;
  readonly clientSoftwareVersion: string;
  readonly transactionalId: string;
  readonly groupId: string;
  readonly groupInstanceId: string;
  readonly groupMemberId: string;
  readonly apiVersions: Readonly<Record<string, number>>;
  readonly idleDuration: string;
  readonly inFlightRequests: {
    readonly sampledInFlightRequests: readonly { readonly apiKey: number; readonly inFlightDuration: string }[];
    readonly hasMoreRequests: boolean;
  };
  readonly totalRequestStatistics: Statistics;
  readonly recentRequestStatistics: Statistics;
}

/** A connection that exists from the start. Everything can be left out. */
export interface SeedConnection extends Partial<Pick<Connection, 'nodeId' | 'clientId' | 'groupId' | 'source'>> {
  /** Whether it was closed, a minute after it was opened. */
  readonly isClosed?: boolean;
  /** The user who signed in; nobody without one. */
  readonly user?: string;
  readonly openForMs?: number;
  readonly idleMs?: number;
  /** Bytes produced and fetched in the last minute. */
  readonly produced?: number;
  readonly fetched?: number;
}

const minute = 60_000;

/** Makes a connection of what a seed says. @param now in milliseconds since the epoch */
export function newConnection(seed: SeedConnection, now: number): Connection {
  const { isClosed = false, user, openForMs = minute, idleMs = 0, produced = 0, fetched = 0 } = seed;
  const openedAt = now - openForMs;
  return {
    nodeId: seed.nodeId ?? 0,
    shardId: 0,
    uid: randomUUID(),
    state: `KAFKA_CONNECTION_STATE_${isClosed ? 'CLOSED' : 'OPEN'}`,
    openTime: timestamp(openedAt),
    closeTime: timestamp(isClosed ? openedAt + minute : 0),
    authenticationInfo: {
      state: `AUTHENTICATION_STATE_${user === undefined ? 'UNAUTHENTICATED' : 'SUCCESS'}`,
      mechanism: `AUTHENTICATION_MECHANISM_${user === undefined ? 'UNSPECIFIED' : 'SASL_SCRAM'}`,
      userPrincipal: user ?? 'anonymous',
    },
    listenerName: 'external',
    tlsInfo: { enabled: false },
    source: seed.source ?? { ipAddress: '127.0.0.1', port: 50_000 },
    clientId: seed.clientId ?? '',
    clientSoftwareName: 'librdkafka',
    clientSoftwareVersion: '2.8.0',
    transactionalId: '',
    groupId: seed.groupId ?? '',
    groupInstanceId: '',
    groupMemberId: '',
    apiVersions: { 3: 12, 18: 3 },
    idleDuration: `${idleMs / 1000}s`,
    inFlightRequests: {
      sampledInFlightRequests: idleMs > 0 ? [] : [{ apiKey: 1, inFlightDuration: '0.250s' }],
      hasMoreRequests: false,
    },
    totalRequestStatistics: statistics(produced * 10, fetched * 10),
    recentRequestStatistics: statistics(produced, fetched),
  };
}

function statistics(produced: number, fetched: number): Statistics {
  const requests = Math.ceil((produced + fetched) / 1000);
  return {
    produceBytes: `${produced}`,
    fetchBytes: `${fetched}`,
    requestCount: `${requests}`,
    produceBatchCount: `${Math.ceil(produced / 1000)}`,
  };
}

/** A time with the nine digits that the server writes; the epoch stands for none. */
function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000000Z');
}
