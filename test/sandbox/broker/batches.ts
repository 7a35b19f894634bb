import { batchLayout, batchOverhead } from '../../../src/sandbox/broker/log/batch.ts';
import { crc32c } from '../../../src/sandbox/broker/log/crc32c.ts';

/** The content of a batch to send. */
export interface BatchOptions {
  readonly values: readonly (string | { readonly key?: string; readonly value?: string })[];
  readonly timestamps?: readonly bigint[];
  readonly producerId?: bigint;
  readonly epoch?: number;
  readonly sequence?: number;
  readonly isTransactional?: boolean;
}

/** 2024-01-01T00:00:00Z. */
export const someTime = 1_704_067_200_000n;

/** Encodes a record batch as a producer does. */
export function batchOf(options: BatchOptions): Buffer {
  const { values, producerId = -1n, epoch = -1, sequence = -1, isTransactional = false } = options;
  const timestamps = values.map((_value, index) => options.timestamps?.[index] ?? someTime + BigInt(index));
  const [base = 0n] = timestamps;
  const records = values.map((one, index) => {
    const { key, value } = typeof one === 'string' ? { key: undefined, value: one } : one;
    const delta = (timestamps[index] ?? base) - base;
    const body = Buffer.concat([Buffer.of(0), varlong(delta), varint(index), field(key), field(value), varint(0)]);
    return Buffer.concat([varint(body.length), body]);
  });
  const header = Buffer.alloc(batchLayout.records);
  const bytes = Buffer.concat([header, ...records]);
  bytes.writeInt32BE(bytes.length - batchOverhead, batchLayout.length);
  bytes.writeInt32BE(-1, batchLayout.leaderEpoch);
  bytes[batchLayout.magic] = 2;
  bytes.writeInt16BE(isTransactional ? 0x10 : 0, batchLayout.attributes);
  bytes.writeInt32BE(values.length - 1, batchLayout.lastOffsetDelta);
  bytes.writeBigInt64BE(base, batchLayout.baseTimestamp);
  bytes.writeBigInt64BE(
    timestamps.reduce((most, one) => (one > most ? one : most), base),
    batchLayout.maxTimestamp,
  );
  bytes.writeBigInt64BE(producerId, batchLayout.producerId);
  bytes.writeInt16BE(epoch, batchLayout.producerEpoch);
  bytes.writeInt32BE(sequence, batchLayout.baseSequence);
  bytes.writeInt32BE(values.length, batchLayout.count);
  bytes.writeUInt32BE(crc32c(bytes, batchLayout.attributes), batchLayout.crc);
  return bytes;
}

function field(text: string | undefined): Buffer {
  if (text === undefined) return varint(-1);
  const bytes = Buffer.from(text);
  return Buffer.concat([varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  return varlong(BigInt(value));
}

function varlong(value: bigint): Buffer {
  let left = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  const bytes: number[] = [];
  while (left > 0x7fn) {
    bytes.push(Number(left & 0x7fn) | 0x80);
    left >>= 7n;
  }
  return Buffer.from([...bytes, Number(left)]);
}
