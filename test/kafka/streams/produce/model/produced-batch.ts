import { nextBatch, nextRecord, openRecords } from '../../../../../src/kafka/records/batches/batch-reader.ts';
import { createCursor, recordOrigin } from '../../../../../src/kafka/records/batches/cursor.ts';

/** The producer of a batch, from its header. */
export interface BatchStamp {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly sequence: number;
  readonly records: number;
}

/** A batch as it arrived. */
export interface ArrivedBatch extends BatchStamp {
  readonly topic: string;
  readonly partition: number;
  readonly values: readonly string[];
}

const cursor = createCursor();

/** Reads a RecordBatch. */
export function readProduced(topic: string, partition: number, records: Buffer): ArrivedBatch {
  const bytes = Buffer.from(records);
  const values: string[] = [];
  openRecords(cursor, recordOrigin(topic, partition), { bytes, start: 0, end: bytes.length });
  while (nextBatch(cursor)) {
    while (nextRecord(cursor)) {
      values.push(cursor.bytes.toString('utf8', cursor.valueStart, cursor.valueStart + cursor.valueLength));
    }
  }
  return {
    ...{ topic, partition, values, records: bytes.readInt32BE(57) },
    ...{ producerId: bytes.readBigInt64BE(43), producerEpoch: bytes.readInt16BE(51), sequence: bytes.readInt32BE(53) },
  };
}
