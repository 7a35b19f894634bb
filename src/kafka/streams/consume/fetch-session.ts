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
  readonly named: readonly PartitionPosition[];
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

interface Known {
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
  const known: Known = {
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
      return known.order.size;
    },
    *wanted() {
      for (const { position } of known.order) yield position;
    },
    want: (position) => want(known, position),
    drop: (position) => drop(known, position),
    ask: () => ask(known),
    asked({ topic, topicId }, partition) {
      const name = topicId === undefined ? topic : known.names.get(topicId);
      const entry = known.byTopic.get(name ?? '')?.get(partition);
      if (entry === undefined || !isTold(known, entry)) return undefined;
      return topicId === undefined || topicId === entry.topicId ? entry.position : undefined;
    },
    took: (position, turn) => took(known, position, turn),
    answered(request, sessionId) {
      if (request.isFull) {
        known.id = sessionId;
        known.epoch = sessionId === 0 ? 0 : 1;
      } else if (sessionId === known.id) known.epoch = nextEpoch(known.epoch);
      else {
        known.id = 0;
        known.epoch = 0;
      }
      if (!isFair(known)) known.epoch = 0;
    },
    restart() {
      known.epoch = 0;
    },
  };
}

function want(known: Known, position: PartitionPosition): void {
  const { topic, partition } = position;
  let ofTopic = known.byTopic.get(topic);
  if (ofTopic === undefined) {
    ofTopic = new Map();
    known.byTopic.set(topic, ofTopic);
  }
  let entry = ofTopic.get(partition);
  if (entry?.position !== position) {
    if (entry !== undefined) drop(known, entry.position);
    known.byTopic.set(topic, ofTopic);
    entry = { position, session: -1, offset: -1n, topicId: position.topicId, isBehind: false, turn: known.turns };
    if (entry.topicId === undefined) known.unidentified += 1;
    ofTopic.set(partition, entry);
    known.order.add(entry);
    // Brokers add the named partitions before they remove the forgotten ones.
    known.forgotten.delete(nameOf(entry));
  }
  identify(known, entry);
  known.unsaid.add(entry);
}

function identify(known: Known, entry: Entry): void {
  const { topic, topicId } = entry.position;
  if (topicId === undefined) return;
  if (entry.topicId === undefined) known.unidentified -= 1;
  entry.topicId = topicId;
  known.names.set(topicId, topic);
}

function drop(known: Known, position: PartitionPosition): void {
  const ofTopic = known.byTopic.get(position.topic);
  const entry = ofTopic?.get(position.partition);
  if (entry?.position !== position) return;
  ofTopic?.delete(position.partition);
  if (ofTopic?.size === 0) known.byTopic.delete(position.topic);
  known.order.delete(entry);
  known.unsaid.delete(entry);
  if (entry.topicId === undefined) known.unidentified -= 1;
  const { topic, partition } = position;
  const { topicId } = entry;
  if (entry.session === known.session) known.forgotten.set(nameOf(entry), { topic, topicId, partition });
}

function nameOf({ position: { topic, partition }, topicId = '' }: Pick<Entry, 'position' | 'topicId'>): string {
  return `${topic}/${topicId}/${partition}`;
}

function ask(known: Known): SessionRequest {
  const hasIds = known.unidentified === 0;
  // A session uses either ids or names.
  const isFull = known.epoch === 0 || hasIds !== known.usesIds;
  if (isFull) known.session += 1;
  known.usesIds = hasIds;
  const entries = isFull ? known.order : known.unsaid;
  const named: PartitionPosition[] = [];
  for (const entry of entries) {
    entry.session = known.session;
    entry.offset = entry.position.offset;
    named.push(entry.position);
  }
  // By name, a partition that is wanted again would be removed with its predecessor.
  const isGone = ({ topic, partition }: ForgottenPartition): boolean =>
    hasIds || known.byTopic.get(topic)?.has(partition) !== true;
  const forgotten = isFull ? [] : [...known.forgotten.values()].filter(isGone);
  known.unsaid.clear();
  known.forgotten.clear();
  // The broker's session slots are few, and a session for a single partition would save nothing.
  const epoch = isFull ? (known.order.size < 2 ? -1 : 0) : known.epoch;
  return { session: { id: known.id, epoch }, named, forgotten, hasIds, isFull };
}

/** Whether the broker knows the partition at its current offset. */
function isTold(known: Known, { session, offset, position }: Entry): boolean {
  return session === known.session && offset === position.offset;
}

function took(known: Known, position: PartitionPosition, { hasRecords, isBehind }: Turn): void {
  known.isTurn = true;
  const entry = known.byTopic.get(position.topic)?.get(position.partition);
  if (entry === undefined) return;
  entry.isBehind = isBehind && !hasRecords;
  if (entry.isBehind) return;
  entry.turn = known.turns;
  known.order.delete(entry);
  known.order.add(entry);
}

/**
 * Whether every partition with more records has had a turn since the last check. A check visits all partitions, so it
 * runs only after as many answers as there are partitions.
 */
function isFair(known: Known): boolean {
  if (!known.isTurn) return true;
  known.isTurn = false;
  known.turns += 1;
  if (known.epoch === 0 || known.turns - known.lookedAt <= known.order.size) return true;
  const since = known.lookedAt;
  known.lookedAt = known.turns;
  for (const entry of known.order) if (entry.isBehind && entry.turn < since) return false;
  return true;
}
