import { crc32c } from '../../../../src/kafka/records/batches/crc32c.ts';
import { slowVarint } from '../../records/batches/reference.ts';

/** A record with its distance from the first offset of its batch. */
export interface DeltaRecord {
  readonly delta: number;
  readonly key: Buffer | null;
  readonly value: Buffer;
}

/** The fields of a batch of magic 2; compaction leaves gaps between its records, or no record. */
export interface BatchDescription {
  readonly base: bigint;
  readonly lastOffsetDelta: number;
  /** -1n for a producer that is not idempotent. */
  readonly producerId: bigint;
  readonly isTransactional: boolean;
  readonly isControl: boolean;
  readonly records: readonly DeltaRecord[];
}

const transactionalBit = 0x10;
const controlBit = 0x20;

/** Writes a batch as stored in a log, field by field. */
export function batchBytes(batch: BatchDescription): Buffer {
  const records = batch.records.map(recordBytes);
  const head = Buffer.alloc(61);
  head.writeBigInt64BE(batch.base, 0);
  head.writeInt32BE(49 + records.reduce((sum, { length }) => sum + length, 0), 8);
  head.writeInt32BE(0, 12);
  head[16] = 2;
  head.writeInt16BE((batch.isTransactional ? transactionalBit : 0) | (batch.isControl ? controlBit : 0), 21);
  head.writeInt32BE(batch.lastOffsetDelta, 23);
  head.writeBigInt64BE(1n, 27);
  head.writeBigInt64BE(1n, 35);
  head.writeBigInt64BE(batch.producerId, 43);
  head.writeInt16BE(batch.producerId < 0n ? -1 : 0, 51);
  head.writeInt32BE(-1, 53);
  head.writeInt32BE(records.length, 57);
  const bytes = Buffer.concat([head, ...records]);
  bytes.writeUInt32BE(crc32c(bytes, 21), 17);
  return bytes;
}

function recordBytes({ delta, key, value }: DeltaRecord): Buffer {
  const field = (bytes: Buffer | null) => [slowVarint(BigInt(bytes?.length ?? -1)), bytes ?? Buffer.alloc(0)];
  const body = [Buffer.of(0), slowVarint(0n), slowVarint(BigInt(delta)), ...field(key), ...field(value)];
  const whole = Buffer.concat([...body, slowVarint(0n)]);
  return Buffer.concat([slowVarint(BigInt(whole.length)), whole]);
}

/** The batch that ends a transaction (KIP-98: key of version and type). */
export function markerBytes(base: bigint, producerId: bigint, type: 'commit' | 'abort'): Buffer {
  const key = Buffer.of(0, 0, 0, type === 'commit' ? 1 : 0);
  const records = [{ delta: 0, key, value: Buffer.from(type) }];
  return batchBytes({ base, lastOffsetDelta: 0, producerId, isTransactional: true, isControl: true, records });
}

/** A batch of a transaction with these values, one offset each. */
export function dataBytes(base: bigint, producerId: bigint, ...values: readonly string[]): Buffer {
  const records = values.map((value, delta) => ({ delta, key: null, value: Buffer.from(value) }));
  const lastOffsetDelta = values.length - 1;
  return batchBytes({ base, lastOffsetDelta, producerId, isTransactional: true, isControl: false, records });
}
