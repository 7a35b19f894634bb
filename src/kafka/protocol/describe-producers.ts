import { type Api, adapted } from './api.ts';
import type { Reader } from './codec.ts';
import { partitionRows } from './partition-rows.ts';

/** The partitions whose producers to describe; each request goes to the leader of its partitions. */
export interface DescribeProducersRequest {
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly number[] }[];
}

/** A producer whose state a partition keeps. */
export interface ActiveProducer {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  /** The sequence number of the last record it wrote; -1 for none. */
  readonly lastSequence: number;
  /** Milliseconds since the epoch. */
  readonly lastTimestamp: bigint;
  /** -1 for a producer without transactions. */
  readonly coordinatorEpoch: number;
  /** -1 without an open transaction. */
  readonly currentTransactionStart: bigint;
}

/** The producers of one partition. */
export interface PartitionProducers {
  readonly topic: string;
  readonly partition: number;
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly producers: readonly ActiveProducer[];
}

/** A DescribeProducers answer, flattened to partitions. */
export interface DescribeProducersResponse {
  readonly partitions: readonly PartitionProducers[];
}

/** DescribeProducers (key 61, KIP-664, since Kafka 2.8). */
export const describeProducers: Api<DescribeProducersRequest, DescribeProducersResponse> = adapted({
  name: 'DescribeProducers',
  key: 61,
  min: 0,
  max: 0,
  flexibleFrom: 0,
  target: 'leader',
  repeatable: true,
  encode(writer, request) {
    writer.array(request.topics, ({ topic, partitions }) => {
      writer.string(topic);
      writer.array(partitions, (partition) => writer.int32(partition));
      writer.tags();
    });
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const partitions = partitionRows(reader, (topic) => readPartition(reader, topic));
    reader.tags();
    return { throttleMs, partitions };
  },
});

function readPartition(reader: Reader, topic: string): PartitionProducers {
  const partition = reader.int32();
  const errorCode = reader.int16();
  const errorMessage = reader.nullableString();
  const producers = reader.array(() => readProducer(reader));
  reader.tags();
  return { topic, partition, errorCode, errorMessage, producers };
}

function readProducer(reader: Reader): ActiveProducer {
  const producer = {
    producerId: reader.int64(),
    producerEpoch: reader.int32(),
    lastSequence: reader.int32(),
    lastTimestamp: reader.int64(),
    coordinatorEpoch: reader.int32(),
    currentTransactionStart: reader.int64(),
  };
  reader.tags();
  return producer;
}
