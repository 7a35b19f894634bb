import { type Api, adapted } from './api.ts';
import type { Reader } from './codec.ts';

/** The share groups whose offsets to read, for every partition that has one. */
export interface DescribeShareGroupOffsetsRequest {
  readonly groups: readonly string[];
}

/** Where a share group has got to in one partition. */
export interface ShareGroupOffset {
  readonly topic: string;
  readonly partition: number;
  /** The first offset that is not yet acknowledged or archived; -1 if the group has not read the partition. */
  readonly startOffset: bigint;
  readonly errorCode: number;
}

/** The offsets of one share group, or the group's error. */
export interface ShareGroupOffsets {
  readonly group: string;
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly partitions: readonly ShareGroupOffset[];
}

/** The groups in the order of the request. */
export interface DescribeShareGroupOffsetsResponse {
  readonly groups: readonly ShareGroupOffsets[];
}

/** DescribeShareGroupOffsets (key 90, KIP-932, since Kafka 4.1). */
export const describeShareGroupOffsets: Api<DescribeShareGroupOffsetsRequest, DescribeShareGroupOffsetsResponse> =
  adapted({
    name: 'DescribeShareGroupOffsets',
    key: 90,
    min: 0,
    max: 0,
    flexibleFrom: 0,
    target: 'coordinator',
    repeatable: true,
    encode(writer, { groups }) {
      writer.array(groups, (group) => {
        writer.string(group);
        writer.nullableArray(undefined, () => undefined); // every topic
        writer.tags();
      });
      writer.tags();
    },
    decode(reader) {
      const throttleMs = reader.int32();
      const groups = reader.array(() => readGroup(reader));
      reader.tags();
      return { throttleMs, groups };
    },
  });

function readGroup(reader: Reader): ShareGroupOffsets {
  const group = reader.string();
  const topics = reader.array(() => {
    const topic = reader.string();
    reader.uuid(); // topic_id
    const partitions = reader.array(() => readPartition(reader, topic));
    reader.tags();
    return partitions;
  });
  const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
  reader.tags();
  return { group, ...error, partitions: topics.flat() };
}

function readPartition(reader: Reader, topic: string): ShareGroupOffset {
  const partition = reader.int32();
  const startOffset = reader.int64();
  reader.int32(); // leader_epoch
  const errorCode = reader.int16();
  reader.nullableString(); // error_message
  reader.tags();
  return { topic, partition, startOffset, errorCode };
}
