import { describeProducers } from '../../src/kafka/protocol/wire/apis/describe-producers.ts';
import { fetch } from '../../src/kafka/protocol/wire/apis/fetch.ts';
import { initProducerId } from '../../src/kafka/protocol/wire/apis/init-producer-id.ts';
import { listOffsets, offsetTimes } from '../../src/kafka/protocol/wire/apis/list-offsets.ts';
import { offsetForLeaderEpoch } from '../../src/kafka/protocol/wire/apis/offset-for-leader-epoch.ts';
import { produce } from '../../src/kafka/protocol/wire/apis/produce.ts';
import { createOutgoingRecord } from '../../src/kafka/records/batches/batch-records.ts';
import { createBatchWriter, writeBaseOffset } from '../../src/kafka/records/batches/batch-writer.ts';
import { answerOf, requestIn } from '../services/answer.ts';
import type { Arrival } from '../services/scripted-broker.ts';

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
  const partition = {
    partitionIndex: 0,
    errorCode,
    highWatermark,
    lastStableOffset: highWatermark,
    logStartOffset: 0n,
    abortedTransactions: [],
    preferredReadReplica,
    records,
  };
  return answerOf(fetch, 11, { responses: [{ topic: 'foo', partitions: [partition] }] });
}

/** The offset that a Fetch asks the first partition for; -1: it names none. */
export function fetchedOffset(arrival: Arrival): bigint {
  return fetchedPartition(arrival)?.fetchOffset ?? -1n;
}

/** The leader epoch that a Fetch names for the first partition. */
export function fetchedEpoch(arrival: Arrival): number {
  return fetchedPartition(arrival)?.currentLeaderEpoch ?? -1;
}

function fetchedPartition(arrival: Arrival) {
  return requestIn(fetch, arrival).topics[0]?.partitions[0];
}

/** The answer to ListOffsets v5 for partition 0 of `foo`; the time asked for chooses between the two offsets. */
export function offsetsAnswer(arrival: Arrival, start: bigint, end: bigint): Buffer {
  const asked = requestIn(listOffsets, arrival).topics.at(-1)?.partitions.at(-1);
  const offset = asked?.timestamp === offsetTimes.earliest ? start : end;
  const partition = { partitionIndex: 0, errorCode: 0, timestamp: -1n, offset };
  return answerOf(listOffsets, 5, { topics: [{ name: 'foo', partitions: [partition] }] });
}

/** The answer to OffsetForLeaderEpoch v3 for partition 0 of `foo`. */
export function epochEndAnswer(errorCode: number, leaderEpoch: number, endOffset: bigint): Buffer {
  const partition = { errorCode, partition: 0, leaderEpoch, endOffset };
  return answerOf(offsetForLeaderEpoch, 3, { topics: [{ topic: 'foo', partitions: [partition] }] });
}

/** A batch that came in with a Produce request. */
export interface ProducedBatch {
  readonly sequence: number;
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly records: number;
  /** The RecordBatch. */
  readonly bytes: Buffer;
}

/** The only batch of a Produce request. */
export function producedBatch(arrival: Arrival): ProducedBatch {
  const bytes = requestIn(produce, arrival).topicData[0]?.partitionData[0]?.records;
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
export function produceAnswer(errorCode: number, baseOffset = -1n, throttleTimeMs = 0): Buffer {
  const partition = { index: 0, errorCode, baseOffset, logAppendTimeMs: -1n, logStartOffset: 0n };
  return answerOf(produce, 8, { responses: [{ name: 'foo', partitionResponses: [partition] }], throttleTimeMs });
}

/** The answer to InitProducerId v4. */
export function producerIdAnswer(producerId: bigint): Buffer {
  return answerOf(initProducerId, 4, { errorCode: 0, producerId, producerEpoch: 0 });
}

/** A producer as partition 0 of `foo` remembers it. */
export interface KnownProducer {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly lastSequence: number;
}

/** The answer to DescribeProducers v0 for partition 0 of `foo`. */
export function producersAnswer(producers: readonly KnownProducer[]): Buffer {
  const state = { lastTimestamp: 1n, coordinatorEpoch: -1, currentTxnStartOffset: -1n };
  const activeProducers = producers.map((producer) => ({ ...producer, ...state }));
  const partitions = [{ partitionIndex: 0, errorCode: 0, activeProducers }];
  return answerOf(describeProducers, 0, { topics: [{ name: 'foo', partitions }] });
}
