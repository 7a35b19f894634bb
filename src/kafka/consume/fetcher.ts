import { backoffMs } from '../../net/retry.ts';
import type { BrokerConnection, Client, ClusterMetadata } from '../client/client.ts';
import { kafkaError, kafkaErrorText } from '../errors.ts';
import { type FetchRequest, fetch } from '../protocol/fetch.ts';
import { type AcceptedFetch, acceptFetch, type FetchArrival, type FetchedChunk, failFetch } from './answer.ts';
import { nodeOf, type PartitionPosition } from './position.ts';
import { rewindTruncated } from './truncation.ts';

/** What every Fetch request says. */
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
  warn(line: string): void;
  /** Memory for answers. */
  allocate(length: number): Buffer;
  /** Says where to go on when the broker no longer, or not yet, has the offset of a position. */
  resetOffset(position: PartitionPosition): Promise<bigint>;
}

/** Reads partitions from their leaders: one Fetch per broker under way while the answer before is worked on. */
export interface Fetcher {
  /** Reads these from now on; positions left out must be marked `done`. */
  setPositions(positions: readonly PartitionPosition[]): void;
  /**
   * The records that came next, `woken` after a `wake`, `finished` when every position is done.
   * The broker's next Fetch is sent before this returns.
   */
  next(): Promise<readonly FetchedChunk[] | 'woken' | 'finished'>;
  /** Ends the wait of `next`, or of the call after. */
  wake(): void;
  /** Drops every connection. */
  close(): void;
}

interface State {
  positions: readonly PartitionPosition[];
  readonly connections: Map<number, Promise<BrokerConnection>>;
  readonly busy: Set<number>;
  readonly arrivals: FetchArrival[];
  /** Something went wrong in the background. */
  failure: unknown;
  woken: boolean;
  refreshing: boolean;
  closed: boolean;
  /** Counts requests, so that every partition comes first in turn. */
  round: number;
  notify: () => void;
}

interface FetchWork {
  readonly client: Client;
  readonly options: FetchOptions;
  readonly state: State;
}

const nothingToDo = (): void => undefined;

/** A fetcher without positions. */
export function createFetcher(client: Client, options: FetchOptions): Fetcher {
  const state: State = {
    ...{ positions: [], connections: new Map(), busy: new Set(), arrivals: [], failure: undefined },
    ...{ woken: false, refreshing: false, closed: false, round: 0, notify: nothingToDo },
  };
  const work: FetchWork = { client, options, state };
  return {
    setPositions(positions) {
      state.positions = positions;
    },
    next: () => next(work),
    wake() {
      state.woken = true;
      state.notify();
    },
    close() {
      state.closed = true;
      for (const connection of state.connections.values()) destroy(connection);
      state.connections.clear();
      state.notify();
    },
  };
}

async function next(work: FetchWork): Promise<readonly FetchedChunk[] | 'woken' | 'finished'> {
  const { state } = work;
  for (;;) {
    if (state.closed) return 'finished';
    if (state.failure !== undefined) throw state.failure;
    if (state.woken) {
      state.woken = false;
      return 'woken';
    }
    const arrival = state.arrivals.shift();
    const chunks = arrival === undefined ? [] : settle(work, arrival);
    startFetches(work);
    if (chunks.length > 0) return chunks;
    if (arrival !== undefined) continue;
    if (!work.options.endless && state.positions.every((position) => position.done)) return 'finished';
    await new Promise<void>((resolve) => {
      state.notify = resolve;
    });
  }
}

/** Takes an answer in: positions move on, failed ones lose their leader. */
function settle(work: FetchWork, arrival: FetchArrival): readonly FetchedChunk[] {
  const { state, client, options } = work;
  state.busy.delete(arrival.node);
  const { retryMs } = client.options.deadline.limits;
  if (arrival.type === 'failed') {
    dropConnection(state, arrival.node);
    failFetch(arrival, retryMs);
    return [];
  }
  const accepted: AcceptedFetch = acceptFetch(arrival, { retryMs, readCommitted: options.readCommitted });
  for (const position of accepted.outOfRange) void resetPosition(work, position);
  return accepted.chunks;
}

function startFetches(work: FetchWork): void {
  const { state } = work;
  const waiting = state.positions.filter(
    (position) => !(position.done || position.resetting || state.busy.has(nodeOf(position))),
  );
  const byNode = Map.groupBy(waiting, nodeOf);
  for (const [node, positions] of byNode) {
    if (node >= 0) void fetchFrom(work, node, positions);
    else if (!state.refreshing) void refreshLeaders(work, positions);
  }
}

/** One Fetch; its end is an arrival. Never rejects. */
async function fetchFrom(work: FetchWork, node: number, positions: readonly PartitionPosition[]): Promise<void> {
  const { state, client, options } = work;
  state.busy.add(node);
  state.round += 1;
  const startedAt = performance.now();
  const asked = positions.map((position) => ({ position, offset: position.offset }));
  try {
    let connection = state.connections.get(node);
    if (connection === undefined) {
      connection = client.dedicated(node, { allocate: options.allocate });
      state.connections.set(node, connection);
    }
    const request = fetchRequest(rotate(positions, state.round), options);
    const response = await (await connection).send(fetch, request);
    state.arrivals.push({ type: 'answered', node, asked, startedAt, response });
  } catch (error) {
    state.arrivals.push({ type: 'failed', node, asked, startedAt, error });
  }
  state.notify();
}

function fetchRequest(positions: readonly PartitionPosition[], options: FetchOptions): FetchRequest {
  const { maxWaitMs, maxBytes, maxPartitionBytes, readCommitted, rack } = options;
  const topics = [...Map.groupBy(positions, (position) => position.topic)].map(([topic, items]) => ({
    topic,
    partitions: items.map(({ partition, leaderEpoch, offset }) => ({
      ...{ partition, leaderEpoch, offset },
      maxBytes: maxPartitionBytes,
    })),
  }));
  return { maxWaitMs, minBytes: 1, maxBytes, readCommitted, rack, topics };
}

function rotate<T>(items: readonly T[], by: number): readonly T[] {
  const at = by % items.length;
  return at === 0 ? items : [...items.slice(at), ...items.slice(0, at)];
}

/** Looks for the leaders of `lost` after the backoff of their failures. Never rejects. */
async function refreshLeaders(work: FetchWork, lost: readonly PartitionPosition[]): Promise<void> {
  const { state, client } = work;
  const { retryMs } = client.options.deadline.limits;
  state.refreshing = true;
  const failures = Math.min(...lost.map((position) => position.failures));
  try {
    if (failures > 0) await pause(state, backoffMs(failures));
    const startedAt = performance.now();
    const topics = [...new Set(lost.map((position) => position.topic))];
    const metadata = await client.metadata(topics);
    const isUnchecked = lost.filter((position) => adoptLeader(position, metadata, { startedAt, retryMs }));
    for (const position of isUnchecked) position.resetting = true;
    const unchecked = await rewindTruncated(client, isUnchecked, work.options.warn);
    for (const position of isUnchecked) position.resetting = false;
    for (const { position, error } of unchecked) {
      position.leaderEpoch = -1;
      failFetch(failureOf(position, error, startedAt), retryMs);
    }
  } catch (error) {
    state.failure ??= error;
  }
  state.refreshing = false;
  state.notify();
}

const leaderNotAvailable = 5;

/**
 * Takes over the leader that metadata tells.
 * @returns whether it leads in another epoch than the last one, so that its log may have been cut
 */
function adoptLeader(
  position: PartitionPosition,
  metadata: ClusterMetadata,
  { startedAt, retryMs }: { readonly startedAt: number; readonly retryMs: number },
): boolean {
  const topic = metadata.topics.find((item) => item.name === position.topic);
  const found = topic?.partitions.find((item) => item.partition === position.partition);
  position.leader = found?.leader ?? -1;
  if (found !== undefined && position.leader >= 0) {
    const hasChanged = position.leaderEpoch !== found.leaderEpoch;
    position.leaderEpoch = found.leaderEpoch;
    return hasChanged && position.lastEpoch >= 0 && position.leaderEpoch >= 0;
  }
  const code = topic?.errorCode || found?.errorCode || leaderNotAvailable;
  const what = `unable to read topic "${position.topic}" partition ${position.partition}`;
  const error = kafkaError(code, `${what}: ${kafkaErrorText(code)}`, { target: position.topic, retryable: true });
  failFetch(failureOf(position, error, startedAt), retryMs);
  return false;
}

function failureOf(position: PartitionPosition, error: unknown, startedAt: number) {
  return { type: 'failed', node: -1, asked: [{ position, offset: position.offset }], startedAt, error } as const;
}

/** Waits, but not past `close`. */
async function pause(state: State, milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, state.closed ? 0 : milliseconds);
  });
}

/** Asks where to go on and goes there. Never rejects. */
async function resetPosition({ state, options }: FetchWork, position: PartitionPosition): Promise<void> {
  position.resetting = true;
  try {
    position.offset = await options.resetOffset(position);
    position.printed = position.offset;
    if (position.end !== undefined && position.offset >= position.end) position.done = true;
    position.resetting = false;
  } catch (error) {
    state.failure ??= error;
  }
  state.notify();
}

function dropConnection(state: State, node: number): void {
  const connection = state.connections.get(node);
  state.connections.delete(node);
  if (connection !== undefined) destroy(connection);
}

function destroy(connection: Promise<BrokerConnection>): void {
  connection.then(
    (open) => open.destroy(),
    () => undefined,
  );
}
