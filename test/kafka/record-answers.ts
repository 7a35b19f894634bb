import { createReader } from '../../src/kafka/protocol/codec.ts';
import { createOutgoingRecord } from '../../src/kafka/records/batch-records.ts';
import { createBatchWriter, writeBaseOffset } from '../../src/kafka/records/batch-writer.ts';
import type { Arrival } from '../services/scripted-broker.ts';
import { bytesOf } from './topics/topic-answer.ts';

/** A batch of the values at `base`, as a broker would send it, written under a leader of the epoch. */
export function batchAt(base: bigint, values: readonly string[], epoch = -1): Buffer {
  const writer = createBatchWriter({ compression: 'none', maxBytes: 1 << 20 });
  const record = createOutgoingRecord();
  for (const value of values) {
    record.valueBytes = Buffer.from(value);
    record.valueLength = record.valueBytes.length;
    record.timestamp = 1;
    writer.append(record);
  }
  const bytes = Buffer.from(writer.finish({ producerId: -1n, producerEpoch: -1, baseSequence: -1 }));
  writeBaseOffset(bytes, base);
  bytes.writeInt32BE(epoch, 12);
  return bytes;
}

/** What partition 0 of the topic `foo` answers to Fetch v11. */
export interface FetchTold {
  readonly errorCode?: number;
  readonly records?: Buffer;
  readonly highWatermark?: bigint;
  readonly preferredReadReplica?: number;
}

/** The answer to Fetch v11. */
export function fetchAnswer(told: FetchTold): Buffer {
  const { errorCode = 0, records = Buffer.alloc(0), highWatermark = 100n, preferredReadReplica = -1 } = told;
  return bytesOf(false, (writer) => {
    writer.int32(0);
    writer.int16(0);
    writer.int32(0);
    writer.array(['foo'], (name) => {
      writer.string(name);
      writer.array([0], (partition) => {
        writer.int32(partition);
        writer.int16(errorCode);
        writer.int64(highWatermark);
        writer.int64(highWatermark);
        writer.int64(0n);
        writer.array([], () => undefined);
        writer.int32(preferredReadReplica);
        writer.bytes(records);
      });
    });
  });
}

/** The offset that a Fetch v11 asks partition 0 for. */
export function fetchedOffset(arrival: Arrival): bigint {
  return fetchedPartition(arrival).offset;
}

/** The leader epoch that a Fetch v11 names for partition 0. */
export function fetchedEpoch(arrival: Arrival): number {
  return fetchedPartition(arrival).leaderEpoch;
}

function fetchedPartition({ body }: Arrival): { leaderEpoch: number; offset: bigint } {
  const reader = createReader(body, false, 'Fetch');
  reader.raw(4 + 4 + 4 + 4 + 1 + 4 + 4);
  const [asked] = reader
    .array(() => {
      reader.string();
      return reader.array(() => {
        reader.int32();
        const partition = { leaderEpoch: reader.int32(), offset: reader.int64() };
        reader.int64();
        reader.int32();
        return partition;
      });
    })
    .flat();
  return asked ?? { leaderEpoch: -1, offset: -1n };
}

/** The answer to ListOffsets v5 for partition 0 of `foo`; the time asked for chooses between the two offsets. */
export function offsetsAnswer({ body }: Arrival, start: bigint, end: bigint): Buffer {
  const reader = createReader(body, false, 'ListOffsets');
  reader.raw(4 + 1);
  let time = 0n;
  reader.array(() => {
    reader.string();
    return reader.array(() => {
      reader.int32();
      reader.int32();
      time = reader.int64();
      return time;
    });
  });
  return bytesOf(false, (writer) => {
    writer.int32(0);
    writer.array(['foo'], (name) => {
      writer.string(name);
      writer.array([0], (partition) => {
        writer.int32(partition);
        writer.int16(0);
        writer.int64(-1n);
        writer.int64(time === -2n ? start : end);
        writer.int32(-1);
      });
    });
  });
}

/** The answer to OffsetForLeaderEpoch v3 for partition 0 of `foo`. */
export function epochEndAnswer(errorCode: number, leaderEpoch: number, endOffset: bigint): Buffer {
  return bytesOf(false, (writer) => {
    writer.int32(0);
    writer.array(['foo'], (name) => {
      writer.string(name);
      writer.array([0], (partition) => {
        writer.int16(errorCode);
        writer.int32(partition);
        writer.int32(leaderEpoch);
        writer.int64(endOffset);
      });
    });
  });
}

/** A batch that came in with Produce v8. */
export interface ProducedBatch {
  readonly sequence: number;
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly records: number;
  /** The RecordBatch. */
  readonly bytes: Buffer;
}

/** The only batch of a Produce v8. */
export function producedBatch({ body }: Arrival): ProducedBatch {
  const reader = createReader(body, false, 'Produce');
  reader.nullableString();
  reader.int16();
  reader.int32();
  const [bytes] = reader
    .array(() => {
      reader.string();
      return reader.array(() => {
        reader.int32();
        return reader.bytes();
      });
    })
    .flat();
  if (bytes === undefined) throw new Error('the request holds no batch');
  return {
    sequence: bytes.readInt32BE(53),
    producerId: bytes.readBigInt64BE(43),
    producerEpoch: bytes.readInt16BE(51),
    records: bytes.readInt32BE(57),
    bytes,
  };
}

/** The answer to Produce v8 for partition 0 of `foo`. */
export function produceAnswer(errorCode: number, baseOffset = -1n, throttleMs = 0): Buffer {
  return bytesOf(false, (writer) => {
    writer.array(['foo'], (name) => {
      writer.string(name);
      writer.array([0], (partition) => {
        writer.int32(partition);
        writer.int16(errorCode);
        writer.int64(baseOffset);
        writer.int64(-1n);
        writer.int64(0n);
        writer.array([], () => undefined);
        writer.nullableString(undefined);
      });
    });
    writer.int32(throttleMs);
  });
}

/** The answer to InitProducerId v4. */
export function producerIdAnswer(producerId: bigint): Buffer {
  return bytesOf(true, (writer) => {
    writer.int32(0);
    writer.int16(0);
    writer.int64(producerId);
    writer.int16(0);
    writer.tags();
  });
}

/** A producer as partition 0 of `foo` remembers it. */
export interface KnownProducer {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly lastSequence: number;
}

/** The answer to DescribeProducers v0 for partition 0 of `foo`. */
export function producersAnswer(producers: readonly KnownProducer[]): Buffer {
  return bytesOf(true, (writer) => {
    writer.int32(0);
    writer.array(['foo'], (name) => {
      writer.string(name);
      writer.array([0], (partition) => {
        writer.int32(partition);
        writer.int16(0);
        writer.nullableString(undefined);
        writer.array(producers, (producer) => {
          writer.int64(producer.producerId);
          writer.int32(producer.producerEpoch);
          writer.int32(producer.lastSequence);
          writer.int64(1n);
          writer.int32(-1);
          writer.int64(-1n);
          writer.tags();
        });
        writer.tags();
      });
      writer.tags();
    });
    writer.tags();
  });
}
