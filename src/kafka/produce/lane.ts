import { type BatchWriter, type ProducerStamp, stampBatch } from '../records/batch-writer.ts';

/** A finished batch on its way to one partition. */
export interface Batch {
  readonly lane: Lane;
  /** Owns the memory of `bytes`. */
  readonly writer: BatchWriter;
  /** The RecordBatch, stamped. */
  readonly bytes: Buffer;
  readonly records: number;
  /** The sequence number of its first record; -1 without idempotence. */
  sequence: number;
  /** Place in the partition's order. */
  readonly order: number;
  /** When its first record was taken, on the clock of `performance.now`. */
  readonly createdAt: number;
  /** When it was first sent; undefined before. */
  firstSentAt: number | undefined;
  failures: number;
  /** It was sent, and no answer says whether the broker has it. */
  isUncertain: boolean;
}

/** The way of records to one partition: in order, whatever happens. */
export interface Lane {
  readonly topic: string;
  readonly partition: number;
  /** -1 while nobody leads the partition. */
  leader: number;
  /** The batch being filled. */
  open: { readonly writer: BatchWriter; readonly createdAt: number } | undefined;
  /** At this size it is sent, in bytes before compression. */
  enough: number;
  /** Finished, not sent; in order. */
  ready: Batch[];
  inFlight: number;
  /** Came back and must go first again, once nothing is in flight any more. */
  returned: Batch[];
  /** Sends nothing until a leader is found. */
  isPaused: boolean;
  /** Its own identity since it lost the producer's, undefined before. */
  identity: ProducerIdentity | undefined;
  /** The error code that says the broker has lost track of the producer, to be cleared up first; 0 for none. */
  lostTrack: number;
  nextSequence: number;
  nextOrder: number;
}

/** The identity of the producer; -1 for both without idempotence. */
export type ProducerIdentity = Pick<ProducerStamp, 'producerId' | 'producerEpoch'>;

/** A lane with nothing in it. */
export function createLane(topic: string, partition: number, leader: number): Lane {
  return {
    ...{ topic, partition, leader, open: undefined, enough: 0, ready: [], inFlight: 0, returned: [] },
    ...{ isPaused: leader < 0, identity: undefined, lostTrack: 0, nextSequence: 0, nextOrder: 0 },
  };
}

/** Sequence numbers count records in 31 bits and then begin again (KIP-98). */
const sequenceMask = 0x7fffffff;

/** The sequence number behind so many records; a sum beyond 2^31 wraps to 0 for the number after 2^31 - 1. */
export function sequenceAfter(sequence: number, records: number): number {
  return (sequence + records) & sequenceMask;
}

/** Ends the lane's open batch; it is ready to be sent. `identity` is that of lanes without their own. */
export function sealLane(lane: Lane, identity: ProducerIdentity): Batch | undefined {
  const { open } = lane;
  if (open === undefined || open.writer.count === 0) return undefined;
  lane.open = undefined;
  const { writer, createdAt } = open;
  const stamp = lane.identity ?? identity;
  const sequence = stamp.producerId >= 0 ? lane.nextSequence : -1;
  const bytes = writer.finish({ ...stamp, baseSequence: sequence });
  const batch: Batch = {
    ...{ lane, writer, bytes, records: writer.count, sequence, order: lane.nextOrder, createdAt },
    ...{ firstSentAt: undefined, failures: 0, isUncertain: false },
  };
  lane.nextSequence = sequenceAfter(lane.nextSequence, writer.count);
  lane.nextOrder += 1;
  lane.ready.push(batch);
  return batch;
}

/** Puts what came back in front of what waits; only when nothing is in flight is the order known. */
export function requeueReturned(lane: Lane): void {
  lane.ready = [...lane.returned.sort((left, right) => left.order - right.order), ...lane.ready];
  lane.returned = [];
}

/** Numbers everything that is not delivered anew, from 0, for another identity. Nothing may be in flight. */
export function restampLane(lane: Lane, identity: ProducerIdentity): void {
  lane.identity = identity;
  lane.nextSequence = 0;
  for (const batch of lane.ready) {
    batch.sequence = lane.nextSequence;
    stampBatch(batch.bytes, { ...identity, baseSequence: batch.sequence });
    lane.nextSequence = sequenceAfter(lane.nextSequence, batch.records);
  }
}
