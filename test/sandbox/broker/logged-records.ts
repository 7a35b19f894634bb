import type { Batch } from '../../../src/sandbox/broker/log/batch.ts';
import { type PlainRecord, readRecords } from '../../../src/sandbox/broker/log/records.ts';
import type { ReplicaLog } from '../../../src/sandbox/broker/log/replica-log.ts';

/** One record of a log, with the properties of its batch. */
export interface LoggedRecord extends PlainRecord {
  readonly leaderEpoch: number;
  readonly producerId: bigint;
  readonly producerEpoch: number;
  /** -1 without an idempotent producer. */
  readonly sequence: number;
  readonly isTransactional: boolean;
  /** True for the marker of a transaction, which is not a user's record. */
  readonly isControl: boolean;
  readonly isAborted: boolean;
}

/** Returns the committed records of a log in order. */
export function recordsOf(log: ReplicaLog): readonly LoggedRecord[] {
  const records: LoggedRecord[] = [];
  for (const batch of log.batches) {
    const { leaderEpoch, producerId, producerEpoch, isTransactional, isControl } = batch;
    for (const record of readRecords(batch)) {
      if (record.offset < log.startOffset || record.offset >= log.highWatermark) continue;
      const index = record.offset - batch.baseOffset;
      const sequence = batch.baseSequence < 0 ? -1 : (batch.baseSequence + index) % 0x8000_0000;
      const isAborted = isAbortedAt(log, batch, record.offset);
      records.push({
        ...record,
        leaderEpoch,
        producerId,
        producerEpoch,
        sequence,
        isTransactional,
        isControl,
        isAborted,
      });
    }
  }
  return records;
}

/** Checks whether a record belongs to an aborted transaction of a producer. */
export function isAbortedAt(
  { aborted }: ReplicaLog,
  { producerId, isTransactional, isControl }: Batch,
  offset: number,
) {
  if (!isTransactional || isControl) return false;
  return aborted.some((one) => one.producerId === producerId && one.firstOffset <= offset && offset < one.lastOffset);
}
