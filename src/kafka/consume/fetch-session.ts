import type { FetchSessionState } from '../protocol/fetch.ts';
import type { PartitionPosition } from './position.ts';

/** What one Fetch request says about partitions. */
export interface SessionRequest {
  readonly session: FetchSessionState;
  /** New ones and those that moved; all of them when the request is full. */
  readonly named: readonly PartitionPosition[];
  readonly forgotten: readonly { readonly topic: string; readonly partition: number }[];
  /** Every wanted partition is named, and the answer names every one, too. */
  readonly isFull: boolean;
}

/** What the answer says about a partition's turn. */
export interface Turn {
  readonly hasRecords: boolean;
  /** There are more records than were sent. */
  readonly isBehind: boolean;
}

/**
 * What is wanted of one broker, and what the broker knows of it. With a fetch session (KIP-227) the broker remembers
 * the partitions and their offsets: a request names only what has changed, and a partition that the answer leaves
 * out has nothing new. A broker that grants no session is asked about every partition every time.
 *
 * No partition starves. A full request begins with the partitions that have waited longest for records. Inside a
 * session the order is the broker's: Kafka moves partitions that sent records to its end. Where a partition gets
 * nothing while all others could have had a turn, a full request opens a new session in the right order.
 */
export interface FetchSession {
  /** How many partitions are wanted. */
  readonly size: number;
  wanted(): Iterable<PartitionPosition>;
  /** Asks about this position from the next request on; for one that is wanted already, that it has moved. */
  want(position: PartitionPosition): void;
  drop(position: PartitionPosition): void;
  /** The next request; what it says counts as told. */
  ask(): SessionRequest;
  /** The position that an answer is about; undefined when it is not wanted any more, or at another offset by now. */
  asked(topic: string, partition: number): PartitionPosition | undefined;
  /** A partition had its turn in an answer in which records came. */
  took(position: PartitionPosition, turn: Turn): void;
  /** Takes in whether the session goes on after an answer without an error. */
  answered(request: SessionRequest, sessionId: number): void;
  /** The broker lost the session, or the answer was lost: the next request is a full one. */
  restart(): void;
}

interface Entry {
  readonly position: PartitionPosition;
  /** The session it was named in, and the offset as told; -1 when never. */
  session: number;
  offset: bigint;
  /** Came up empty although there was more. */
  isBehind: boolean;
  /** The answer in which it had its last turn. */
  turn: number;
}

interface Known {
  /** In the order of a full request. */
  readonly order: Set<Entry>;
  readonly byTopic: Map<string, Map<number, Entry>>;
  readonly unsaid: Set<Entry>;
  readonly forgotten: Map<string, { readonly topic: string; readonly partition: number }>;
  /** What the broker gave; 0 for none. */
  id: number;
  /** That of the next request; 0 for a full one. */
  epoch: number;
  /** Counts full requests. */
  session: number;
  /** Counts answers with records; `isTurn` while one is being taken in. */
  turns: number;
  isTurn: boolean;
  lookedAt: number;
}

const lastEpoch = 2 ** 31 - 1;

/** The epoch of the next request in a session: 0 is left out, as it opens a new one. */
export function nextEpoch(epoch: number): number {
  return epoch === lastEpoch ? 1 : epoch + 1;
}

/** A session that does not exist yet. */
export function createFetchSession(): FetchSession {
  const known: Known = {
    ...{ order: new Set(), byTopic: new Map(), unsaid: new Set(), forgotten: new Map() },
    ...{ id: 0, epoch: 0, session: 0, turns: 1, isTurn: false, lookedAt: 0 },
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
    asked(topic, partition) {
      const entry = known.byTopic.get(topic)?.get(partition);
      return entry !== undefined && isTold(known, entry) ? entry.position : undefined;
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
    if (entry !== undefined) known.order.delete(entry);
    entry = { position, session: -1, offset: -1n, isBehind: false, turn: known.turns };
    ofTopic.set(partition, entry);
    known.order.add(entry);
    // A broker takes what is named in before it takes what is forgotten out.
    known.forgotten.delete(nameOf(position));
  }
  known.unsaid.add(entry);
}

function drop(known: Known, position: PartitionPosition): void {
  const ofTopic = known.byTopic.get(position.topic);
  const entry = ofTopic?.get(position.partition);
  if (entry?.position !== position) return;
  ofTopic?.delete(position.partition);
  if (ofTopic?.size === 0) known.byTopic.delete(position.topic);
  known.order.delete(entry);
  known.unsaid.delete(entry);
  const { topic, partition } = position;
  if (entry.session === known.session) known.forgotten.set(nameOf(position), { topic, partition });
}

function nameOf({ topic, partition }: { readonly topic: string; readonly partition: number }): string {
  return `${topic}/${partition}`;
}

function ask(known: Known): SessionRequest {
  const isFull = known.epoch === 0;
  if (isFull) known.session += 1;
  const entries = isFull ? known.order : known.unsaid;
  const named: PartitionPosition[] = [];
  for (const entry of entries) {
    entry.session = known.session;
    entry.offset = entry.position.offset;
    named.push(entry.position);
  }
  const forgotten = isFull ? [] : [...known.forgotten.values()];
  known.unsaid.clear();
  known.forgotten.clear();
  // A session takes one of the broker's few places; for a single partition it would save nothing.
  const epoch = isFull && known.order.size < 2 ? -1 : known.epoch;
  return { session: { id: known.id, epoch }, named, forgotten, isFull };
}

/** Whether the broker knows the partition as it is. */
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
 * Whether everyone who has more has had a turn since the last look. A look goes over all partitions, so there is one
 * only after as many answers.
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
