import { type BatchWriter, type ProducerStamp, stampBatch } from '../../records/batches/batch-writer.ts';
import type { RecordNumbers } from './record-numbers.ts';
import { sequenceAfter } from './sequence.ts';

/** Why a broker does not take a batch, whose records may be written without those at fault. */
export interface Refusal {
  readonly code: number;
  /** What the broker says about it. */
  readonly reason: string | undefined;
  /** Where the records at fault are in the batch; empty if the broker does not say. */
  readonly indexes: readonly number[];
}

/** A finished batch for one partition. */
export interface Batch {
  readonly lane: Lane;
  /** Owns the memory of `bytes`. */
  readonly writer: BatchWriter;
  /** The RecordBatch, stamped. */
  readonly bytes: Buffer;
  readonly records: number;
  /** Which records of the input it has. */
  readonly numbers: RecordNumbers;
  /** The sequence number of its first record; -1 without idempotence. */
  sequence: number;
  /** Its place in the partition's order. */
  readonly order: number;
  /** When its first record was taken, on the client's clock in milliseconds. */
  readonly createdAt: number;
  /** The same in milliseconds since the epoch, which go on while the machine sleeps. */
  readonly createdWallMs: number;
  /** When it was first sent, or when sending it first failed; undefined before that. */
  firstSentAt: number | undefined;
  /** Whether it is in flight and was handed to the network. */
  isOnWire: boolean;
  /** Whether it may be in the log: it was sent, and no answer says whether the broker has it. */
  isUncertain: boolean;
  /** Whether it may be in a topic that has replaced the lane's: it was sent by the topic's name. */
  mayStray: boolean;
  /** Why the broker does not take it as it is; undefined if it may. */
  refusal: Refusal | undefined;
}

/** A batch that still takes records. */
export interface OpenBatch extends Pick<Batch, 'writer' | 'createdAt' | 'createdWallMs' | 'numbers'> {}

/** Why a lane sends nothing for now. */
export interface Trouble {
  /** The failure of the first unsettled batch, or of the last search for the leader. */
  readonly error: unknown;
  /** The error code of a broker that has lost track of the producer; 0 for none. */
  readonly lostTrack: number;
  /** The place (`order`) of the batch that failed. */
  readonly order: number;
}

/** What the leader has acknowledged. */
export interface Acknowledged {
  /** The number of records acknowledged under the lane's current identity. */
  records: number;
  /** The number of records acknowledged since the topic is known by its current id. */
  inTopic: number;
  /** The sequence number of the last of them; -1 for none. */
  lastSequence: number;
  /** The latest batches with a known offset, in order; as many as may surround a batch that is settled late. */
  readonly recent: Placed[];
}

/** Where a batch is in the log. */
export interface Placed {
  /** The batch's place in the lane. */
  readonly order: number;
  /** The offset of its last record. */
  readonly lastOffset: bigint;
}

/** A log that began anew, and may have taken any batch up to `order` as its first: earlier ones are then not in it. */
export interface Restart {
  readonly order: number;
  /** Whether it is known to be that of a topic that was created again. */
  readonly isNewTopic: boolean;
}

/** Which topic has a name (KIP-516): shared by the topic and its lanes, kept up to date by metadata. */
export interface TopicIdentity {
  /** Undefined while the brokers report none. */
  id: string | undefined;
  /** The ids of deleted topics with this name; metadata with one of these ids is outdated. */
  readonly former: Set<string>;
}

/** The queue of records for one partition, always kept in order; `lane-flow.ts` moves batches through it. */
export interface Lane {
  readonly topic: string;
  readonly partition: number;
  readonly current: TopicIdentity;
  /** The id of the topic to which the lane writes; it is behind `current` until the lane has moved to a new topic. */
  topicId: string | undefined;
  /** Where the log began anew; undefined if it has not since the lane was last renumbered. */
  restart: Restart | undefined;
  /** The node id of the leader; -1 while none is known. */
  leader: number;
  /** The batch being filled. */
  open: OpenBatch | undefined;
  /** The size at which the open batch is sent, in bytes before compression. */
  enough: number;
  /** Finished batches that are not in flight, in order. */
  queue: Batch[];
  /** Batches that are sent and not answered, in order. */
  readonly inFlight: Batch[];
  /** Why nothing is sent for now; undefined for no trouble. */
  trouble: Trouble | undefined;
  /** Failures since the last acknowledgement. */
  failures: number;
  /** When the current leader last acknowledged a batch; undefined if it has not since the lane was last in trouble. */
  provenAt: number | undefined;
  /** When to look for the leader, on the client's clock in milliseconds. */
  seekAt: number;
  acknowledged: Acknowledged;
  /** The lane's own identity once it has left the producer's; undefined before that. */
  identity: ProducerIdentity | undefined;
  nextSequence: number;
  nextOrder: number;
}

/** The identity of the producer; -1 for both without idempotence. */
export type ProducerIdentity = Pick<ProducerStamp, 'producerId' | 'producerEpoch'>;

/** Creates an empty lane. */
export function createLane(
  topic: string,
  partition: number,
  leader: number,
  current: TopicIdentity = { id: undefined, former: new Set() },
): Lane {
  return {
    topic,
    partition,
    current,
    topicId: current.id,
    restart: undefined,
    leader,
    open: undefined,
    enough: 0,
    queue: [],
    inFlight: [],
    trouble: undefined,
    failures: 0,
    provenAt: undefined,
    seekAt: 0,
    acknowledged: { records: 0, inTopic: 0, lastSequence: -1, recent: [] },
    identity: undefined,
    nextSequence: 0,
    nextOrder: 0,
  };
}

/** Names the lane in messages: `topic "foo" partition 0`. */
export function laneName({ topic, partition }: Lane): string {
  return `topic "${topic}" partition ${partition}`;
}

/** Closes the lane's open batch and queues it for sending. `identity` is for lanes without their own. */
export function sealLane(lane: Lane, identity: ProducerIdentity): Batch | undefined {
  const { open } = lane;
  if (open === undefined || open.writer.count === 0) return undefined;
  lane.open = undefined;
  const { writer, createdAt, createdWallMs, numbers } = open;
  const stamp = lane.identity ?? identity;
  const sequence = stamp.producerId >= 0n ? lane.nextSequence : -1;
  const bytes = writer.finish({ ...stamp, baseSequence: sequence });
  const batch: Batch = {
    lane,
    writer,
    bytes,
    records: writer.count,
    numbers,
    sequence,
    order: lane.nextOrder,
    createdAt,
    createdWallMs,
    firstSentAt: undefined,
    isOnWire: false,
    isUncertain: false,
    mayStray: false,
    refusal: undefined,
  };
  lane.nextSequence = sequenceAfter(lane.nextSequence, writer.count);
  lane.nextOrder += 1;
  lane.queue.push(batch);
  return batch;
}

/**
 * Renumbers everything that is not acknowledged, from 0, under another identity. Nothing may be in flight, and none of
 * the queue may be in the log.
 */
export function restampLane(lane: Lane, identity: ProducerIdentity): void {
  lane.identity = identity;
  lane.restart = undefined;
  lane.nextSequence = 0;
  lane.acknowledged = { ...lane.acknowledged, records: 0, lastSequence: -1 };
  for (const batch of lane.queue) {
    batch.sequence = lane.nextSequence;
    batch.isUncertain = false;
    batch.mayStray = false;
    stampBatch(batch.bytes, { ...identity, baseSequence: batch.sequence });
    lane.nextSequence = sequenceAfter(lane.nextSequence, batch.records);
  }
}

/**
 * Puts others in the place of the batches that were refused. Nothing may be in flight, and nothing of the queue may be in
 * the log; what is not acknowledged is then numbered anew, under the same identity.
 */
export function replaceRefused(
  lane: Lane,
  replacementsOf: (batch: Batch) => readonly BatchWriter[],
  own: ProducerIdentity,
): void {
  const old = lane.queue;
  const [first] = old;
  if (first === undefined) return;
  lane.queue = [];
  lane.nextSequence = first.sequence;
  lane.nextOrder = first.order;
  for (const batch of old) {
    const { createdAt, createdWallMs, firstSentAt } = batch;
    const writers = batch.refusal === undefined ? [batch.writer] : replacementsOf(batch);
    for (const writer of writers) {
      lane.open = { writer, createdAt, createdWallMs, numbers: batch.numbers };
      const sealed = sealLane(lane, own);
      if (sealed !== undefined) sealed.firstSentAt = firstSentAt;
    }
  }
}
