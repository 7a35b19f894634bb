import type { CliError } from '../../errors.ts';
import type { BrokerConnection, Client } from '../client/client.ts';
import { remedyOf } from '../client/remedy.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import { type FetchRequest, type FetchResponse, fetch } from '../protocol/fetch.ts';
import { groupByTopic } from '../topics/by-topic.ts';
import type { FetchedBroker } from './answer.ts';
import type { SessionRequest } from './fetch-session.ts';
import type { PartitionPosition } from './position.ts';
import type { ResetPositions } from './reset.ts';

/** What every Fetch request says, and what a fetcher asks of the one who reads. */
export interface FetchOptions {
  readonly maxWaitMs: number;
  /** Per broker and request. */
  readonly maxBytes: number;
  /** Per partition and request. */
  readonly maxPartitionBytes: number;
  readonly readCommitted: boolean;
  readonly rack: string;
  /** Positions may still come: wait for them instead of finishing. */
  readonly endless: boolean;
  /** Goes on, or finishes well, when all topics are deleted; otherwise that is an error. */
  readonly outlivesTopics: boolean;
  warn(line: string): void;
  /** Memory for answers. */
  allocate(length: number): Buffer;
  /** Moves positions whose offset the leader does not, or not yet, have. */
  reset(positions: readonly PartitionPosition[]): Promise<ResetPositions>;
}

/** A broker that is read from. */
export interface Broker extends FetchedBroker {
  connection: Promise<BrokerConnection> | undefined;
  /** A Fetch is under way. */
  isBusy: boolean;
}

/** How a Fetch ended. */
export type ArrivedFetch = {
  readonly broker: Broker;
  readonly request: SessionRequest;
  /** When it was sent, on the client's clock. */
  readonly startedAt: number;
} & (
  | { readonly type: 'answered'; readonly response: FetchResponse }
  | { readonly type: 'failed'; readonly error: unknown }
);

/** Sends the next Fetch to a broker, over a connection of its own. Never rejects. */
export async function sendFetch(client: Client, broker: Broker, options: FetchOptions): Promise<ArrivedFetch> {
  const startedAt = client.options.deadline.clock.now();
  const request = broker.session.ask();
  try {
    broker.connection ??= client.dedicated(broker.node, { allocate: options.allocate });
    const connection = await broker.connection;
    const response = await connection.send(fetch, fetchRequest(request, options));
    return { type: 'answered', broker, request, startedAt, response };
  } catch (error) {
    return { type: 'failed', broker, request, startedAt, error };
  }
}

function fetchRequest({ session, named, forgotten }: SessionRequest, options: FetchOptions): FetchRequest {
  const { maxWaitMs, maxBytes, maxPartitionBytes, readCommitted, rack } = options;
  const topics = groupByTopic(named).map(([topic, items]) => ({
    topic,
    partitions: items.map(({ partition, leaderEpoch, offset }) => ({
      ...{ partition, leaderEpoch, offset },
      maxBytes: maxPartitionBytes,
    })),
  }));
  const left = groupByTopic(forgotten).map(([topic, items]) => ({
    topic,
    partitions: items.map(({ partition }) => partition),
  }));
  return { maxWaitMs, minBytes: 1, maxBytes, readCommitted, rack, session, topics, forgotten: left };
}

/** Codes that are about the session only; a full request begins a new one. */
const sessionErrors: ReadonlySet<number> = new Set([
  70, // FETCH_SESSION_ID_NOT_FOUND
  71, // INVALID_FETCH_SESSION_EPOCH
  106, // FETCH_SESSION_TOPIC_ID_ERROR
]);

/** What an error code of a whole Fetch means: nothing, a lost session, or that the broker cannot be read from. */
export function topLevelError(node: number, request: SessionRequest, code: number): CliError | 'session' | undefined {
  if (code === 0) return undefined;
  if (sessionErrors.has(code) && !request.isFull) return 'session';
  const message = `unable to read from broker ${node}: ${kafkaErrorText(code)}`;
  return kafkaError(code, message, { target: String(node), retryable: remedyOf(code) !== undefined });
}
