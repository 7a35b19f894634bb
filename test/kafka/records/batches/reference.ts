import { crc32, gzipSync } from 'node:zlib';

/**
 * A slow and simple reader of one uncompressed batch of magic 2, written only from the format's
 * description: every number is a BigInt, every field an object. The cursor must agree with it.
 */
export interface ReferenceRecord {
  readonly offset: bigint;
  readonly timestamp: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: readonly (readonly [Buffer, Buffer | null])[];
}

/** CRC-32C, bit by bit. */
export function slowCrc32c(bytes: Uint8Array): number {
  let crc = 0xffffffffn;
  for (const byte of bytes) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ 0x82f63b78n : crc >> 1n;
  }
  return Number(crc ^ 0xffffffffn);
}

/** Writes any zigzag varint of 64 bits. */
export function slowVarint(value: bigint): Buffer {
  const bytes: number[] = [];
  let raw = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  for (; raw >= 0x80n; raw >>= 7n) bytes.push(Number(raw & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(raw)]);
}

/** Reads the records of one batch. */
export function slowRead(batch: Buffer): ReferenceRecord[] {
  let at = 61;
  const varint = (): bigint => {
    let raw = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(batch[at++] ?? 0);
      raw |= (byte & 0x7fn) << shift;
      if (byte < 0x80n) return (raw >> 1n) ^ -(raw & 1n);
    }
  };
  const field = (): Buffer | null => {
    const length = Number(varint());
    if (length < 0) return null;
    at += length;
    return batch.subarray(at - length, at);
  };
  const one = (): ReferenceRecord => {
    varint();
    at++;
    // As Java's long: a sum beyond 64 bits wraps.
    const timestamp = BigInt.asIntN(64, batch.readBigInt64BE(27) + varint());
    const offset = batch.readBigInt64BE(0) + varint();
    const [key, value] = [field(), field()];
    const headers = Array.from({ length: Number(varint()) }, () => [field() ?? Buffer.alloc(0), field()] as const);
    return { offset, timestamp, key, value, headers };
  };
  return Array.from({ length: batch.readInt32BE(57) }, one);
}

/** A message of magic 0 or 1. */
export interface OldMessage {
  readonly magic: 0 | 1;
  readonly offset: bigint;
  readonly attributes?: number;
  readonly timestamp?: bigint;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
}

/** Writes one message of an old message set. */
export function writeMessage({ magic, offset, attributes = 0, timestamp = 0n, key, value }: OldMessage): Buffer {
  const int32 = (number: number) => Buffer.from([number >>> 24, number >>> 16, number >>> 8, number]);
  const int64 = (number: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(number);
    return bytes;
  };
  const field = (bytes: Buffer | null) => (bytes === null ? int32(-1) : Buffer.concat([int32(bytes.length), bytes]));
  const times = magic === 1 ? [int64(timestamp)] : [];
  const body = Buffer.concat([Buffer.of(magic, attributes), ...times, field(key), field(value)]);
  return Buffer.concat([int64(offset), int32(body.length + 4), int32(crc32(body)), body]);
}

/** Packs messages with gzip into one outer message, whose offset is the last one's. */
export function wrapMessages(messages: readonly OldMessage[], more: Partial<OldMessage> = {}): Buffer {
  const [first, last] = [messages[0], messages.at(-1)];
  if (first === undefined || last === undefined) throw new Error('nothing to wrap');
  // Magic 1 counts inner offsets from the first, magic 0 keeps them as they are.
  const base = first.magic === 1 ? first.offset : 0n;
  const inner = messages.map((message) => writeMessage({ ...message, offset: message.offset - base }));
  const outer = { magic: first.magic, offset: last.offset, attributes: 1, timestamp: last.timestamp ?? 0n, key: null };
  return writeMessage({ ...outer, value: gzipSync(Buffer.concat(inner)), ...more });
}
