import type { PartitionPosition } from './position.ts';

/** A topic in a request or an answer; from version 13 its id counts, before that its name. */
export interface FetchTopic {
  readonly topic: string;
  readonly topicId?: string | undefined;
}

/** The position of a request in a fetch session (KIP-227). */
interface FetchSessionState {
  /** The id given by the broker; 0 for none. */
  readonly id: number;
  /**
   * 0 opens a session and closes the one of `id`; -1 is outside any session; other values count the requests of the
   * session.
   */
  readonly epoch: number;
}

/** The partitions of one Fetch request. */
export interface SessionRequest {
  readonly session: FetchSessionState;
  /** Partitions that are new or have moved; all of them in a full request. */
  readonly positions: readonly PartitionPosition[];
  readonly forgotten: readonly ForgottenPartition[];
  /** Whether the ids of all topics are known, so that the request may use them instead of names. */
  readonly hasIds: boolean;
  /** Whether the request names every wanted partition; its answer then names every one, too. */
  readonly isFull: boolean;
}

/** A partition to remove from a session, with the id under which it was named. */
export interface ForgottenPartition extends FetchTopic {
  readonly partition: number;
}

/** What a partition received in an answer. */
export interface Turn {
  readonly hasRecords: boolean;
  /** Whether the log holds more records than were sent. */
  readonly isBehind: boolean;
}

/**
 * The partitions to fetch from one broker, and which of them the broker remembers. In a fetch session (KIP-227), the
 * broker remembers the partitions and their offsets: a request names only changes, and a partition that the answer
 * leaves out has nothing new. If the broker grants no session, every request names every partition.
 *
 * No partition starves. A full request starts with the partitions that have waited longest for records. Within a
 * session, the broker determines the order: Kafka moves partitions that sent records to the end. If a partition gets
 * nothing while all others could have had a turn, a full request opens a new session in the right order.
 */
export interface FetchSession {
  /** The number of wanted partitions. */
  readonly size: number;
  wanted(): Iterable<PartitionPosition>;
  /** Adds a position to the next request; also called when a wanted position has moved. */
  want(position: PartitionPosition): void;
  drop(position: PartitionPosition): void;
  /** Makes the next request; the broker is assumed to know its contents from then on. */
  ask(): SessionRequest;
  /**
   * Returns the position that an answer is about; undefined if it is no longer wanted, has moved since, or belongs to
   * another topic of this name.
   */
  asked(of: FetchTopic, partition: number): PartitionPosition | undefined;
  /** Notes the result for a partition in an answer that contains records. */
  took(position: PartitionPosition, turn: Turn): void;
  /** Updates the session after an answer without an error. */
  answered(request: SessionRequest, sessionId: number): void;
  /** Makes the next request a full one, because the broker has lost the session or an answer was lost. */
  restart(): void;
}

interface Entry {
  readonly position: PartitionPosition;
  /** The session in which the position was last named; -1: never. `offset` is the offset sent then. */
  session: number;
  offset: bigint;
  /** The id of the topic when the position was last wanted; undefined if it was unknown. */
  topicId: string | undefined;
  /** Whether the last answer held nothing for it although its log has more. */
  isBehind: boolean;
  /** The number of the answer in which it had its last turn. */
  turn: number;
}

interface SessionState {
  /** All entries, in the order of a full request. */
  readonly order: Set<Entry>;
  readonly byTopic: Map<string, Map<number, Entry>>;
  readonly unsaid: Set<Entry>;
  readonly forgotten: Map<string, ForgottenPartition>;
  /** Topic names by the ids in requests. */
  readonly names: Map<string, string>;
  /** The number of entries without a topic id. */
  unidentified: number;
  /** Whether the requests of the session use ids. */
  usesIds: boolean;
  /** The session id that the broker assigned; 0 for none. */
  id: number;
  /** The epoch of the next request; 0 for a full one. */
  epoch: number;
  /** Counts full requests. */
  session: number;
  /** Counts answers with records; `isTurn` while one is being taken in. */
  turns: number;
  isTurn: boolean;
  lookedAt: number;
}

const lastEpoch = 2 ** 31 - 1;

/** Returns the next epoch in a session; skips 0, which would open a new session. */
export function nextEpoch(epoch: number): number {
  return epoch === lastEpoch ? 1 : epoch + 1;
}

/** Creates the state, without a session yet. */
export function createFetchSession(): FetchSession {
  const state: SessionState = {
    order: new Set(),
    byTopic: new Map(),
    unsaid: new Set(),
    forgotten: new Map(),
    names: new Map(),
    unidentified: 0,
    usesIds: false,
    id: 0,
    epoch: 0,
    session: 0,
    turns: 1,
    isTurn: false,
    lookedAt: 0,
  };
  return {
    get size() {
      return state.order.size;
    },
    *wanted() {
      for (const { position } of state.order) yield position;
    },
    want: (position) => want(state, position),
    drop: (position) => drop(state, position),
    ask: () => ask(state),
    asked({ topic, topicId }, partition) {
      const name = topicId === undefined ? topic : state.names.get(topicId);
      const entry = state.byTopic.get(name ?? '')?.get(partition);
      if (entry === undefined || !isTold(state, entry)) return undefined;
      return topicId === undefined || topicId === entry.topicId ? entry.position : undefined;
    },
    took: (position, turn) => took(state, position, turn),
    answered(request, sessionId) {
      if (request.isFull) {
        state.id = sessionId;
        state.epoch = sessionId === 0 ? 0 : 1;
      } else if (sessionId === state.id) state.epoch = nextEpoch(state.epoch);
      else {
        state.id = 0;
        state.epoch = 0;
      }
      if (!isFair(state)) state.epoch = 0;
    },
    restart() {
      state.epoch = 0;
    },
  };
}

function want(state: SessionState, position: PartitionPosition): void {
  const { topic, partition } = position;
  let ofTopic = state.byTopic.get(topic);
  if (ofTopic === undefined) {
    ofTopic = new Map();
    state.byTopic.set(topic, ofTopic);
  }
  let entry = ofTopic.get(partition);
  if (entry?.position !== position) {
    if (entry !== undefined) drop(state, entry.position);
    state.byTopic.set(topic, ofTopic);
    entry = { position, session: -1, offset: -1n, topicId: position.topicId, isBehind: false, turn: state.turns };
    if (entry.topicId === undefined) state.unidentified += 1;
    ofTopic.set(partition, entry);
    state.order.add(entry);
    // Brokers add the named partitions before they remove the forgotten ones.
    state.forgotten.delete(nameOf(entry));
  }
  identify(state, entry);
  state.unsaid.add(entry);
}

function identify(state: SessionState, entry: Entry): void {
  const { topic, topicId } = entry.position;
  if (topicId === undefined) return;
  if (entry.topicId === undefined) state.unidentified -= 1;
  entry.topicId = topicId;
  state.names.set(topicId, topic);
}

function drop(state: SessionState, position: PartitionPosition): void {
  const ofTopic = state.byTopic.get(position.topic);
  const entry = ofTopic?.get(position.partition);
  if (entry?.position !== position) return;
  ofTopic?.delete(position.partition);
  if (ofTopic?.size === 0) state.byTopic.delete(position.topic);
  state.order.delete(entry);
  state.unsaid.delete(entry);
  if (entry.topicId === undefined) state.unidentified -= 1;
  const { topic, partition } = position;
  const { topicId } = entry;
  if (entry.session === state.session) state.forgotten.set(nameOf(entry), { topic, topicId, partition });
}

function nameOf({ position: { topic, partition }, topicId = '' }: Pick<Entry, 'position' | 'topicId'>): string {
  return `${topic}/${topicId}/${partition}`;
}

function ask(state: SessionState): SessionRequest {
  const hasIds = state.unidentified === 0;
  // A session uses either ids or names.
  const isFull = state.epoch === 0 || hasIds !== state.usesIds;
  if (isFull) state.session += 1;
  state.usesIds = hasIds;
  const entries = isFull ? state.order : state.unsaid;
  const positions: PartitionPosition[] = [];
  for (const entry of entries) {
    entry.session = state.session;
    entry.offset = entry.position.offset;
    positions.push(entry.position);
  }
  // By name, a partition that is wanted again would be removed with its predecessor.
  const isGone = ({ topic, partition }: ForgottenPartition): boolean =>
    hasIds || state.byTopic.get(topic)?.has(partition) !== true;
  const forgotten = isFull ? [] : [...state.forgotten.values()].filter(isGone);
  state.unsaid.clear();
  state.forgotten.clear();
  // The broker's session slots are few, and a session for a single partition would save nothing.
  const epoch = isFull ? (state.order.size < 2 ? -1 : 0) : state.epoch;
  return { session: { id: state.id, epoch }, positions, forgotten, hasIds, isFull };
}

/** Whether the broker knows the partition at its current offset. */
function isTold(state: SessionState, { session, offset, position }: Entry): boolean {
  return session === state.session && offset === position.offset;
}

function took(state: SessionState, position: PartitionPosition, { hasRecords, isBehind }: Turn): void {
  state.isTurn = true;
  const entry = state.byTopic.get(position.topic)?.get(position.partition);
  if (entry === undefined) return;
  entry.isBehind = isBehind && !hasRecords;
  if (entry.isBehind) return;
  entry.turn = state.turns;
  state.order.delete(entry);
  state.order.add(entry);
}

/**
 * Whether every partition with more records has had a turn since the last check. A check visits all partitions, so it
 * runs only after as many answers as there are partitions.
 */
function isFair(state: SessionState): boolean {
  if (!state.isTurn) return true;
  state.isTurn = false;
  state.turns += 1;
  if (state.epoch === 0 || state.turns - state.lookedAt <= state.order.size) return true;
  const since = state.lookedAt;
  state.lookedAt = state.turns;
  for (const entry of state.order) if (entry.isBehind && entry.turn < since) return false;
  return true;
}
