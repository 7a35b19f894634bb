import type { Client } from '../../protocol/client/client.ts';
import { acceptFetch, type FetchedChunk } from './answer.ts';
import { judgeFailures, type PositionFailure } from './failures.ts';
import { type ArrivedFetch, type Broker, type FetchOptions, sendFetch, topLevelError } from './fetch-request.ts';
import { createFetchSession } from './fetch-session.ts';
import { type LeaderSearch, openLeaderSearch } from './leaders.ts';
import { isFetched, nodeOf, type PartitionPosition } from './position.ts';
import { confirmEnds } from './range-end.ts';

export type { FetchOptions } from './fetch-request.ts';

/** Reads partitions from their leaders, with one Fetch per broker in flight while the previous answer is processed. */
export interface Fetcher {
  /** Sets the positions to read from now on; positions left out must be marked `done`. */
  setPositions(positions: readonly PartitionPosition[]): void;
  /**
   * Returns the next records, `woken` after a `wake`, or `finished` when every position is done.
   * The next Fetch to the broker is sent before this returns.
   */
  next(): Promise<readonly FetchedChunk[] | 'woken' | 'finished'>;
  /** Ends the wait of the current call of `next`, or of the following one. */
  wake(): void;
  /** Whether `wake` was called since the last call of `takeWake`. */
  takeWake(): boolean;
  /** Whether every position was in a Fetch that its broker has answered since that time on the client's clock. */
  hasAnswersSince(time: number): boolean;
  /** Closes every connection and ends every pause. */
  close(): void;
}

interface State {
  /** Positions still to be read; each is placed with a broker or waits for an answer about it. */
  readonly wanted: Set<PartitionPosition>;
  readonly brokers: Map<number, Broker>;
  /** The broker that each position is read from. */
  readonly places: Map<PartitionPosition, Broker>;
  readonly arrivals: ArrivedFetch[];
  /** The error that ends reading, once all records that arrived before it are handed over. */
  failure: unknown;
  /** Why the first deleted topic was dropped; the error to end with when nothing is left to read. */
  gone: unknown;
  woken: boolean;
  readonly closing: AbortController;
  notify: () => void;
}

interface FetchWork {
  readonly client: Client;
  readonly options: FetchOptions;
  readonly state: State;
  readonly leaders: LeaderSearch;
}

const nothingToDo = (): void => undefined;

/** Opens a fetcher without positions. */
export function openFetcher(client: Client, options: FetchOptions): Fetcher {
  const state: State = {
    wanted: new Set(),
    brokers: new Map(),
    places: new Map(),
    arrivals: [],
    failure: undefined,
    gone: undefined,
    woken: false,
    closing: new AbortController(),
    notify: nothingToDo,
  };
  const leaders = openLeaderSearch(client, {
    found(positions) {
      for (const position of positions) place(work, position);
      state.notify();
    },
    missed: (positions, startedAt) => fail(work, positions, startedAt),
    ended(positions) {
      for (const position of positions) retire(work, position);
      state.notify();
    },
    broken: (error) => end(work, error),
    isWanted: (position) => state.wanted.has(position),
    warn: options.warn,
  });
  const work: FetchWork = { client, options, state, leaders };
  return {
    setPositions: (positions) => setPositions(work, positions),
    next: () => next(work),
    wake() {
      state.woken = true;
      state.notify();
    },
    takeWake: () => takeWake(state),
    hasAnswersSince: (time) => [...state.wanted].every((position) => isAnswered(state, position, time)),
    close() {
      state.closing.abort();
      leaders.close();
      for (const broker of state.brokers.values()) disconnect(broker);
      state.notify();
    },
  };
}

function setPositions(work: FetchWork, positions: readonly PartitionPosition[]): void {
  const { state, leaders } = work;
  const given = new Set(positions);
  for (const position of state.wanted) if (!given.has(position)) forget(work, position);
  const added = positions.filter((position) => !position.done && !state.wanted.has(position));
  for (const position of added) state.wanted.add(position);
  leaders.seek(added.filter((position) => nodeOf(position) < 0));
  for (const position of added) if (nodeOf(position) >= 0) place(work, position);
}

/** Whether its broker has answered since `time`, to a Fetch from after the position was placed there. */
function isAnswered({ places }: State, position: PartitionPosition, time: number): boolean {
  const answered = places.get(position)?.answered;
  return answered !== undefined && answered.arrivedAt >= time && answered.startedAt >= position.placedAt;
}

function takeWake(state: State): boolean {
  const { woken } = state;
  state.woken = false;
  return woken;
}

async function next(work: FetchWork): Promise<readonly FetchedChunk[] | 'woken' | 'finished'> {
  const { state } = work;
  for (;;) {
    const arrived = takeArrived(work);
    if (arrived !== undefined) return arrived;
    startFetches(work);
    await new Promise<void>((resolve) => {
      state.notify = resolve;
    });
  }
}

/** What is there already; undefined if an answer must be waited for. */
function takeArrived(work: FetchWork): readonly FetchedChunk[] | 'woken' | 'finished' | undefined {
  const { state, options } = work;
  for (;;) {
    if (state.closing.signal.aborted) return 'finished';
    // Checked before arrivals: with a backlog and a slow reader, the next answer has always arrived already.
    if (takeWake(state)) return 'woken';
    const arrival = state.arrivals.shift();
    if (arrival === undefined) break;
    const chunks = settle(work, arrival);
    startFetches(work);
    if (chunks.length > 0) return chunks;
  }
  if (state.failure !== undefined) throw state.failure;
  if (state.wanted.size > 0) return undefined;
  if (state.gone !== undefined && !options.outlivesTopics) throw state.gone;
  return options.endless ? undefined : 'finished';
}

/** Processes an answer: places, retires or retries each partition, and returns the records. */
function settle(work: FetchWork, { broker, request, startedAt, ...arrival }: ArrivedFetch): readonly FetchedChunk[] {
  const { options } = work;
  broker.isBusy = false;
  if (arrival.type === 'failed') {
    broker.session.restart();
    disconnect(broker);
    failBroker(work, broker, { error: arrival.error, startedAt });
    return [];
  }
  const { response, arrivedAt } = arrival;
  const judged = topLevelError(broker.node, request, response.errorCode);
  if (judged !== undefined) {
    broker.session.restart();
    if (judged !== 'session') failBroker(work, broker, { error: judged, startedAt });
    return [];
  }
  broker.answered = { startedAt, arrivedAt };
  const { readCommitted, maxBytes, maxPartitionBytes } = options;
  const accepted = acceptFetch({
    broker,
    request,
    response,
    readCommitted,
    maxBytes: Math.min(maxBytes, maxPartitionBytes),
  });
  for (const { position } of accepted.chunks) {
    if (isFetched(position)) retire(work, position);
    else if (work.state.places.get(position) === broker) broker.session.want(position);
  }
  broker.session.answered(request, response.sessionId);
  for (const position of accepted.redirected) place(work, position);
  fail(work, accepted.failed, startedAt);
  void reset(work, accepted.outOfRange);
  void confirm(work, accepted.silent);
  return accepted.chunks;
}

function startFetches({ client, options, state }: FetchWork): void {
  if (state.failure !== undefined || state.closing.signal.aborted) return;
  for (const broker of state.brokers.values()) {
    if (broker.isBusy || broker.session.size === 0) continue;
    broker.isBusy = true;
    void sendFetch(client, broker, options).then((arrival) => {
      state.arrivals.push(arrival);
      state.notify();
    });
  }
}

/** Reads a position from its replica or its leader; looks for the leader if it is unknown. */
function place(work: FetchWork, position: PartitionPosition): void {
  const { state, leaders, client } = work;
  takeAway(state, position);
  if (!state.wanted.has(position)) return;
  const node = nodeOf(position);
  if (node < 0) {
    leaders.seek([position]);
    return;
  }
  let broker = state.brokers.get(node);
  if (broker === undefined) {
    const connection = { connection: undefined, isBusy: false, answered: undefined };
    broker = { node, session: createFetchSession(), silent: new Set(), ...connection };
    state.brokers.set(node, broker);
  }
  state.places.set(position, broker);
  position.placedAt = client.options.deadline.clock.now();
  broker.session.want(position);
}

/** Stops reading the position until it is placed again. */
function takeAway({ places }: State, position: PartitionPosition): void {
  const broker = places.get(position);
  if (broker === undefined) return;
  places.delete(position);
  broker.session.drop(position);
  broker.silent.delete(position);
}

function forget({ state }: FetchWork, position: PartitionPosition): void {
  takeAway(state, position);
  state.wanted.delete(position);
}

/** Stops reading a position for good. If records are still to be printed, the printer marks it done after that. */
function retire(work: FetchWork, position: PartitionPosition): void {
  forget(work, position);
  if (!isFetched(position)) position.done = true;
}

function failBroker(work: FetchWork, broker: Broker, failure: { readonly error: unknown; startedAt: number }): void {
  const { error, startedAt } = failure;
  const positions = [...broker.session.wanted()];
  fail(
    work,
    positions.map((position) => ({ position, error })),
    startedAt,
  );
}

/** Removes positions from their broker and looks for their leaders again as long as the retry rule allows. */
function fail(work: FetchWork, failures: readonly PositionFailure[], startedAt: number): void {
  const { state, client, leaders, options } = work;
  const current = failures.filter(({ position }) => state.wanted.has(position) && !position.done);
  if (current.length === 0) return;
  for (const { position } of current) takeAway(state, position);
  const { again, gone, final } = judgeFailures(client, current, startedAt);
  for (const { position } of gone) retire(work, position);
  for (const [topic, positions] of Map.groupBy(gone, ({ position }) => position.topic)) {
    options.warn(
      `topic "${topic}" was deleted: ${positions.length === 1 ? 'its partition is' : 'its partitions are'} dropped`,
    );
  }
  leaders.seek(again);
  state.gone ??= gone[0]?.error;
  if (final !== undefined) end(work, final);
  state.notify();
}

function end({ state }: FetchWork, error: unknown): void {
  state.failure ??= error;
  state.notify();
}

/** Moves positions whose offset the leader does not have. Never rejects. */
async function reset(work: FetchWork, positions: readonly PartitionPosition[]): Promise<void> {
  if (positions.length === 0) return;
  const { state, client, options } = work;
  const startedAt = client.options.deadline.clock.now();
  for (const position of positions) takeAway(state, position);
  try {
    const { open, ended, failed } = await options.reset(positions);
    for (const position of ended) retire(work, position);
    for (const position of open) {
      if (isFetched(position)) retireRead(work, position);
      else place(work, position);
    }
    fail(work, failed, startedAt);
  } catch (error) {
    end(work, error);
  }
  state.notify();
}

/** Retires a position that has nothing left to print. */
function retireRead(work: FetchWork, position: PartitionPosition): void {
  retire(work, position);
  position.done = true;
}

/** Checks whether positions have reached their end. Never rejects. */
async function confirm(work: FetchWork, positions: readonly PartitionPosition[]): Promise<void> {
  if (positions.length === 0) return;
  const { state, client, options } = work;
  const startedAt = client.options.deadline.clock.now();
  for (const position of positions) takeAway(state, position);
  try {
    const check = { ...options, signal: state.closing.signal };
    const { ended, open, failed } = await confirmEnds(client, positions, check);
    for (const position of ended) retireRead(work, position);
    for (const position of open) place(work, position);
    fail(work, failed, startedAt);
  } catch (error) {
    if (!state.closing.signal.aborted) end(work, error);
  }
  state.notify();
}

function disconnect(broker: Broker): void {
  const { connection } = broker;
  broker.connection = undefined;
  connection?.then(
    (open) => open.destroy(),
    () => undefined,
  );
}
