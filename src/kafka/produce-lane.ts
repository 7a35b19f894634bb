import type { BatchWriter, ProducerStamp } from './records/batch-writer.ts';

/** A finished batch on its way to one partition. */
export interface Batch {
  readonly lane: Lane;
  /** Owns the memory of `bytes`. */
  readonly writer: BatchWriter;
  /** The RecordBatch, stamped. */
  readonly bytes: Buffer;
  readonly records: number;
  /** Place in the partition's order. */
  readonly order: number;
  /** When its first record was taken, on the clock of `performance.now`. */
  readonly createdAt: number;
  /** When it was first sent; undefined before. */
  firstSentAt: number | undefined;
  failures: number;
}

/** The way of records to one partition: in order, whatever happens. */
export interface Lane {
  readonly topic: string;
  readonly partition: number;
  /** -1 while nobody leads the partition. */
  leader: number;
  /** The batch being filled. */
  open: { readonly writer: BatchWriter; readonly createdAt: number } | undefined;
  /** Finished, not sent; in order. */
  ready: Batch[];
  inFlight: number;
  /** Came back and must go first again, once nothing is in flight any more. */
  returned: Batch[];
  /** Sends nothing until a leader is found. */
  isPaused: boolean;
  nextSequence: number;
  nextOrder: number;
}

/** The identity of the producer; -1 for both without idempotence. */
export type ProducerIdentity = Pick<ProducerStamp, 'producerId' | 'producerEpoch'>;

/** A lane with nothing in it. */
export function createLane(topic: string, partition: number, leader: number): Lane {
  return {
    ...{ topic, partition, leader, open: undefined, ready: [], inFlight: 0, returned: [] },
    ...{ isPaused: leader < 0, nextSequence: 0, nextOrder: 0 },
  };
}

/** Sequence numbers count records in 31 bits and then begin again (KIP-98). */
const sequenceMask = 0x7fffffff;

/** Ends the lane's open batch; it is ready to be sent. */
export function sealLane(lane: Lane, identity: ProducerIdentity): Batch | undefined {
  const { open } = lane;
  if (open === undefined || open.writer.count === 0) return undefined;
  lane.open = undefined;
  const { writer, createdAt } = open;
  const isIdempotent = identity.producerId >= 0;
  const bytes = writer.finish({ ...identity, baseSequence: isIdempotent ? lane.nextSequence : -1 });
  const batch: Batch = {
    ...{ lane, writer, bytes, records: writer.count, order: lane.nextOrder, createdAt },
    ...{ firstSentAt: undefined, failures: 0 },
  };
  // A sum beyond 2^31 wraps to 0 for the number after 2^31 - 1.
  lane.nextSequence = (lane.nextSequence + writer.count) & sequenceMask;
  lane.nextOrder += 1;
  lane.ready.push(batch);
  return batch;
}

/** Puts what came back in front of what waits; only when nothing is in flight is the order known. */
export function requeueReturned(lane: Lane): void {
  lane.ready = [...lane.returned.sort((left, right) => left.order - right.order), ...lane.ready];
  lane.returned = [];
}
