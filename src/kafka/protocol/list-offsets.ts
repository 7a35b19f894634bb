import { type Api, adapted } from './api.ts';
import type { Reader, Writer } from './codec.ts';

/** Times with a special meaning; others are milliseconds since the epoch. */
export const offsetTimes = {
  /** The high watermark; with `committed` isolation, the last stable offset. */
  latest: -1n,
  /** The log start. */
  earliest: -2n,
  /** The record with the highest timestamp (from version 7). */
  maxTimestamp: -3n,
} as const;

/** A query for one partition. */
export interface ListOffsetsPartition {
  readonly partition: number;
  /** One of `offsetTimes`, or milliseconds since the epoch. */
  readonly time: bigint;
  /** The current leader epoch; -1 to skip the check. */
  readonly leaderEpoch: number;
}

/** Queries to one leader; each partition at most once. */
export interface ListOffsetsRequest {
  readonly isolation: 'uncommitted' | 'committed';
  readonly topics: readonly { readonly name: string; readonly partitions: readonly ListOffsetsPartition[] }[];
}

/** The answer for one partition; offset and timestamp are -1 if no record matches. */
export interface ListedOffset {
  readonly partition: number;
  readonly errorCode: number;
  readonly timestamp: bigint;
  readonly offset: bigint;
  readonly leaderEpoch: number;
}

/** The answers of one leader. */
export interface ListOffsetsResponse {
  readonly topics: readonly { readonly name: string; readonly partitions: readonly ListedOffset[] }[];
}

/** ListOffsets v1–9. Version 10 is not supported: it adds a timeout field, which this request should not have. */
export const listOffsets: Api<ListOffsetsRequest, ListOffsetsResponse> = adapted({
  name: 'ListOffsets',
  key: 2,
  min: 1,
  max: 9,
  flexibleFrom: 6,
  target: 'leader',
  repeatable: true,
  encode(writer, request, version) {
    writer.int32(-1); // replica_id: a client
    if (version >= 2) writer.int8(request.isolation === 'committed' ? 1 : 0);
    writer.array(request.topics, (topic) => {
      writer.string(topic.name);
      writer.array(topic.partitions, (partition) => writePartition(writer, partition, version));
      writer.tags();
    });
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = version >= 2 ? reader.int32() : 0;
    const topics = reader.array(() => {
      const topic = { name: reader.string(), partitions: reader.array(() => readPartition(reader, version)) };
      reader.tags();
      return topic;
    });
    reader.tags();
    return { throttleMs, topics };
  },
});

function writePartition(writer: Writer, partition: ListOffsetsPartition, version: number): void {
  writer.int32(partition.partition);
  if (version >= 4) writer.int32(partition.leaderEpoch);
  writer.int64(partition.time);
  writer.tags();
}

function readPartition(reader: Reader, version: number): ListedOffset {
  const offset = {
    partition: reader.int32(),
    errorCode: reader.int16(),
    timestamp: reader.int64(),
    offset: reader.int64(),
    leaderEpoch: version >= 4 ? reader.int32() : -1,
  };
  reader.tags();
  return offset;
}
