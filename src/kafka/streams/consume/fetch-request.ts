import type { CliError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { kafkaError, kafkaErrorKind, kafkaErrorText } from '../../protocol/errors.ts';
import type { BrokerConnection } from '../../protocol/transport/connection.ts';
import type { RequestOf, ResponseOf } from '../../protocol/wire/api.ts';
import { fetch, topicIdsFrom } from '../../protocol/wire/apis/fetch.ts';
import { isolationLevels } from '../../protocol/wire/apis/list-offsets.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { FetchedBroker } from './answer.ts';
import type { FetchTopic, SessionRequest } from './fetch-session.ts';
import type { PartitionPosition } from './position.ts';
import type { ResetPositions } from './reset.ts';

/** The options of Fetch requests, and the callbacks of a fetcher. */
export interface FetchOptions {
  readonly maxWaitMs: number;
  /** The size limit of one answer, in bytes. */
  readonly maxBytes: number;
  /** The size limit of one partition in an answer, in bytes. */
  readonly maxPartitionBytes: number;
  readonly readCommitted: boolean;
  readonly rack: string;
  /** Whether to wait for more positions instead of finishing. */
  readonly endless: boolean;
  /** Whether to continue or finish normally when all topics are deleted; otherwise that is an error. */
  readonly outlivesTopics: boolean;
  warn(line: string): void;
  /** Allocates memory for answers. */
  allocate(length: number): Buffer;
  /** Moves positions whose offset the leader does not have (yet). */
  reset(positions: readonly PartitionPosition[]): Promise<ResetPositions>;
}

/** A broker that is read from. */
export interface Broker extends FetchedBroker {
  connection: Promise<BrokerConnection> | undefined;
  /** Whether a Fetch is in flight. */
  isBusy: boolean;
  /** The last Fetch that it answered without an error: when it was sent, and when the answer came. */
  answered: { readonly startedAt: number; readonly arrivedAt: number } | undefined;
}

/** The outcome of a Fetch. */
export type ArrivedFetch = {
  readonly broker: Broker;
  readonly request: SessionRequest;
  /** When it was sent, on the client's clock. */
  readonly startedAt: number;
} & (
  | { readonly type: 'answered'; readonly response: ResponseOf<typeof fetch>; readonly arrivedAt: number }
  | { readonly type: 'failed'; readonly error: unknown }
);

/** Sends the next Fetch to a broker over its dedicated connection. Never rejects. */
export async function sendFetch(client: Client, broker: Broker, options: FetchOptions): Promise<ArrivedFetch> {
  const { clock } = client.options.deadline;
  const startedAt = clock.now();
  const request = broker.session.ask();
  try {
    broker.connection ??= client.dedicated(broker.node, { allocate: options.allocate });
    const connection = await broker.connection;
    const response = await connection.send(fetchBy(request.hasIds), fetchRequest(request, options));
    return { type: 'answered', broker, request, startedAt, response, arrivedAt: clock.now() };
  } catch (error) {
    return { type: 'failed', broker, request, startedAt, error };
  }
}

const byName = { ...fetch, max: topicIdsFrom - 1 };

/** Fetch, by topic ids if they are known: a topic that has taken the name of another one is not read in its place. */
export function fetchBy(hasIds: boolean): typeof fetch {
  return hasIds ? fetch : byName;
}

function fetchRequest(
  { session, positions, forgotten }: SessionRequest,
  options: FetchOptions,
): RequestOf<typeof fetch> {
  const { maxWaitMs, maxBytes, maxPartitionBytes, readCommitted, rack } = options;
  const left = groupById(forgotten).map((items) => ({
    ...topicOf(items),
    partitions: items.map(({ partition }) => partition),
  }));
  return {
    maxWaitMs,
    minBytes: 1,
    maxBytes,
    isolationLevel: isolationOf(readCommitted),
    sessionId: session.id,
    sessionEpoch: session.epoch,
    topics: requestedTopics(positions, maxPartitionBytes),
    forgottenTopicsData: left,
    rackId: rack,
  };
}

/** The isolation of a read; a committed one lists aborted transactions and ends at the last stable offset. */
export function isolationOf(readCommitted: boolean): number {
  return isolationLevels[readCommitted ? 'committed' : 'uncommitted'];
}

/** The positions in a request, by topic. */
export function requestedTopics(positions: Iterable<PartitionPosition>, partitionMaxBytes: number) {
  return groupById(positions).map((items) => ({
    ...topicOf(items),
    partitions: items.map(({ partition, leaderEpoch, offset }) => ({
      partition,
      currentLeaderEpoch: leaderEpoch,
      fetchOffset: offset,
      partitionMaxBytes,
    })),
  }));
}

/** Groups by topic; two topics may have had the same name. */
function groupById<Item extends FetchTopic>(items: Iterable<Item>): readonly (readonly Item[])[] {
  return [...Map.groupBy(items, ({ topic, topicId }) => topicId ?? topic).values()];
}

/** The topic of such a group. */
function topicOf([first]: readonly FetchTopic[]): FetchTopic {
  return { topic: first?.topic ?? '', topicId: first?.topicId };
}

/** Codes that concern only the fetch session; a full request starts a new one. */
const sessionErrors: ReadonlySet<number> = new Set([
  codes.FETCH_SESSION_ID_NOT_FOUND,
  codes.INVALID_FETCH_SESSION_EPOCH,
  codes.FETCH_SESSION_TOPIC_ID_ERROR,
]);

/** Interprets the top-level error code of a Fetch: no error, a lost session, or a broker that cannot be read from. */
export function topLevelError(node: number, request: SessionRequest, code: number): CliError | 'session' | undefined {
  if (code === 0) return undefined;
  if (sessionErrors.has(code) && !request.isFull) return 'session';
  const message = `unable to read from broker ${node}: ${kafkaErrorText(code)}`;
  return kafkaError(code, message, { target: String(node), retryable: kafkaErrorKind(code).retriable });
}
