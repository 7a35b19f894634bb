import { type BatchWriter, type ProducerStamp, stampBatch } from '../records/batch-writer.ts';
import { sequenceAfter } from './sequence.ts';

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
  /** When its first record was taken, on the client's clock. */
  readonly createdAt: number;
  /** When it was first sent, or could first not be; undefined before. */
  firstSentAt: number | undefined;
  /** It may be in the log: it was sent, and no answer says whether the broker has it. */
  isUncertain: boolean;
}

/** Why a lane sends nothing for now. */
export interface Trouble {
  /** The failure of the first batch that is not settled, or of the last look for the leader. */
  readonly error: unknown;
  /** The error code by which the broker has lost track of the producer; 0 for none. */
  readonly lostTrack: number;
  /** The place of the batch that it is about. */
  readonly order: number;
}

/** What the leader acknowledged. */
export interface Acknowledged {
  /** Records acknowledged under the lane's present identity. */
  records: number;
  /** The sequence number of the last of them; -1 for none. */
  lastSequence: number;
  /** The latest batches whose offset is known, in order, as many as may surround one that is settled late. */
  readonly recent: Placed[];
}

/** Where a batch is in the log. */
export interface Placed {
  /** The batch's place in the lane. */
  readonly order: number;
  /** The offset of its last record. */
  readonly lastOffset: bigint;
}

/** The way of records to one partition: in order, whatever happens. `lane-flow.ts` moves batches through it. */
export interface Lane {
  readonly topic: string;
  readonly partition: number;
  /** -1 while the partition has no leader that is known. */
  leader: number;
  /** The batch being filled. */
  open: { readonly writer: BatchWriter; readonly createdAt: number } | undefined;
  /** At this size it is sent, in bytes before compression. */
  enough: number;
  /** Finished and not in flight, in order. */
  queue: Batch[];
  /** Sent and not answered, in order. */
  readonly inFlight: Batch[];
  /** Nothing is sent until it is cleared up; undefined for none. */
  trouble: Trouble | undefined;
  /** Failures since the last acknowledgement. */
  failures: number;
  /** When the present leader last acknowledged a batch; undefined: not since the lane last met trouble. */
  provenAt: number | undefined;
  /** When the leader is looked for, on the client's clock. */
  seekAt: number;
  acknowledged: Acknowledged;
  /** Its own identity since it lost the producer's, undefined before. */
  identity: ProducerIdentity | undefined;
  nextSequence: number;
  nextOrder: number;
}

/** The identity of the producer; -1 for both without idempotence. */
export type ProducerIdentity = Pick<ProducerStamp, 'producerId' | 'producerEpoch'>;

/** A lane with nothing in it. */
export function createLane(topic: string, partition: number, leader: number): Lane {
  return {
    ...{ topic, partition, leader, open: undefined, enough: 0, queue: [], inFlight: [] },
    ...{ trouble: undefined, failures: 0, provenAt: undefined, seekAt: 0 },
    acknowledged: { records: 0, lastSequence: -1, recent: [] },
    ...{ identity: undefined, nextSequence: 0, nextOrder: 0 },
  };
}

/** `topic "foo" partition 0`, as messages name it. */
export function laneName({ topic, partition }: Lane): string {
  return `topic "${topic}" partition ${partition}`;
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
    ...{ firstSentAt: undefined, isUncertain: false },
  };
  lane.nextSequence = sequenceAfter(lane.nextSequence, writer.count);
  lane.nextOrder += 1;
  lane.queue.push(batch);
  return batch;
}

/**
 * Numbers everything that is not acknowledged anew, from 0, for another identity. Nothing may be in flight, and
 * nothing of it may be in the log.
 */
export function restampLane(lane: Lane, identity: ProducerIdentity): void {
  lane.identity = identity;
  lane.nextSequence = 0;
  lane.acknowledged = { ...lane.acknowledged, records: 0, lastSequence: -1 };
  for (const batch of lane.queue) {
    batch.sequence = lane.nextSequence;
    stampBatch(batch.bytes, { ...identity, baseSequence: batch.sequence });
    lane.nextSequence = sequenceAfter(lane.nextSequence, batch.records);
  }
}
