import { type Api, adapted } from './api.ts';
import type { Reader } from './codec.ts';

/** The partitions whose replicas to describe; undefined: every partition that the broker holds. */
export interface DescribeLogDirsRequest {
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly number[] }[] | undefined;
}

/** The replica of a partition in a log directory. */
export interface DescribedReplica {
  readonly topic: string;
  readonly partition: number;
  /** Bytes on disk. */
  readonly size: bigint;
  /** How far it is behind the high watermark, or, for a future replica, behind the replica that it will replace. */
  readonly offsetLag: bigint;
  /** Whether it is a copy that will replace the replica in another directory of the broker. */
  readonly isFuture: boolean;
}

/** A log directory of the broker, or the reason why it cannot be read. */
export interface DescribedLogDir {
  readonly errorCode: number;
  readonly path: string;
  readonly replicas: readonly DescribedReplica[];
  /** The size of its volume in bytes; undefined if the broker does not report it. */
  readonly totalBytes: bigint | undefined;
  /** The free space of its volume in bytes; undefined if the broker does not report it. */
  readonly usableBytes: bigint | undefined;
}

/** The log directories of the broker that answers. */
export interface DescribeLogDirsResponse {
  readonly errorCode: number;
  readonly dirs: readonly DescribedLogDir[];
}

/** DescribeLogDirs v1–4 (KIP-113): each broker reports its own; an error code since v3, volume sizes since v4 (KIP-827). */
export const describeLogDirs: Api<DescribeLogDirsRequest, DescribeLogDirsResponse> = adapted({
  name: 'DescribeLogDirs',
  key: 35,
  min: 1,
  max: 4,
  flexibleFrom: 2,
  target: 'broker',
  repeatable: true,
  errorCode: ({ errorCode }) => errorCode,
  encode(writer, { topics }) {
    writer.nullableArray(topics, ({ topic, partitions }) => {
      writer.string(topic);
      writer.array(partitions, (partition) => writer.int32(partition));
      writer.tags();
    });
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = reader.int32();
    const errorCode = version >= 3 ? reader.int16() : 0;
    const dirs = reader.array(() => readDir(reader, version));
    reader.tags();
    return { throttleMs, errorCode, dirs };
  },
});

function readDir(reader: Reader, version: number): DescribedLogDir {
  const errorCode = reader.int16();
  const path = reader.string();
  const replicas = reader.array(() => readTopic(reader)).flat();
  const totalBytes = version >= 4 ? known(reader.int64()) : undefined;
  const usableBytes = version >= 4 ? known(reader.int64()) : undefined;
  reader.tags();
  return { errorCode, path, replicas, totalBytes, usableBytes };
}

function readTopic(reader: Reader): readonly DescribedReplica[] {
  const topic = reader.string();
  const replicas = reader.array(() => {
    const replica = {
      topic,
      partition: reader.int32(),
      size: reader.int64(),
      offsetLag: reader.int64(),
      isFuture: reader.boolean(),
    };
    reader.tags();
    return replica;
  });
  reader.tags();
  return replicas;
}

/** -1 means unknown. */
function known(bytes: bigint): bigint | undefined {
  return bytes < 0n ? undefined : bytes;
}
