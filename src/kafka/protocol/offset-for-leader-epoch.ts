import { type Api, adapted } from './api.ts';
import type { Reader } from './codec.ts';
import { partitionRows } from './partition-rows.ts';

/** Asks a leader at which offset an epoch ends in its log. */
export interface EpochQuestion {
  readonly partition: number;
  /** The partition's current leader epoch, as the client knows it; -1 to skip the check. */
  readonly currentLeaderEpoch: number;
  /** The epoch of the last record that was read. */
  readonly leaderEpoch: number;
}

/** Questions to one leader. */
export interface OffsetForLeaderEpochRequest {
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly EpochQuestion[] }[];
}

/** The end of the requested epoch, or of the largest one below it. */
export interface EpochEnd {
  readonly topic: string;
  readonly partition: number;
  readonly errorCode: number;
  /** -1 if the leader knows no such epoch. */
  readonly leaderEpoch: number;
  /** The end of the epoch, exclusive; -1 if the leader knows no such epoch. */
  readonly endOffset: bigint;
}

/** The answers of one leader, flattened to partitions. */
export interface OffsetForLeaderEpochResponse {
  readonly partitions: readonly EpochEnd[];
}

const consumerReplica = -1;

/** OffsetForLeaderEpoch (key 23, KIP-320): shows whether a log was truncated below an offset that was already read. */
export const offsetForLeaderEpoch: Api<OffsetForLeaderEpochRequest, OffsetForLeaderEpochResponse> = adapted({
  name: 'OffsetForLeaderEpoch',
  key: 23,
  min: 2,
  max: 4,
  flexibleFrom: 4,
  target: 'leader',
  repeatable: true,
  encode(writer, request, version) {
    if (version >= 3) writer.int32(consumerReplica);
    writer.array(request.topics, ({ topic, partitions }) => {
      writer.string(topic);
      writer.array(partitions, (question) => {
        writer.int32(question.partition);
        writer.int32(question.currentLeaderEpoch);
        writer.int32(question.leaderEpoch);
        writer.tags();
      });
      writer.tags();
    });
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const partitions = partitionRows(reader, (topic) => readEnd(reader, topic));
    reader.tags();
    return { throttleMs, partitions };
  },
});

function readEnd(reader: Reader, topic: string): EpochEnd {
  const errorCode = reader.int16();
  const row = { partition: reader.int32(), leaderEpoch: reader.int32(), endOffset: reader.int64() };
  reader.tags();
  return { topic, errorCode, ...row };
}
