import { type Api, adapted } from './api.ts';
import { partitionRows } from './partition-rows.ts';

/** The records before `offset` are deleted; -1 is the high watermark. */
export interface TrimmedPartition {
  readonly partition: number;
  readonly offset: bigint;
}

/** Partitions of one leader. */
export interface DeleteRecordsRequest {
  readonly topics: readonly { readonly name: string; readonly partitions: readonly TrimmedPartition[] }[];
  /** How long the leader waits until all replicas have deleted the records, in milliseconds. */
  readonly timeoutMs: number;
}

/** The result for one partition; `logStart` is -1 if it is not known. */
export interface DeletedRecords {
  readonly topic: string;
  readonly partition: number;
  /** The lowest log start of all replicas. */
  readonly logStart: bigint;
  readonly errorCode: number;
}

/** One entry per partition. */
export interface DeleteRecordsResponse {
  readonly partitions: readonly DeletedRecords[];
}

/** DeleteRecords v0–2 (KIP-107). */
export const deleteRecords: Api<DeleteRecordsRequest, DeleteRecordsResponse> = adapted({
  name: 'DeleteRecords',
  key: 21,
  min: 0,
  max: 2,
  flexibleFrom: 2,
  target: 'leader',
  repeatable: true,
  changes: true,
  encode(writer, { topics, timeoutMs }) {
    writer.array(topics, ({ name, partitions }) => {
      writer.string(name);
      writer.array(partitions, ({ partition, offset }) => {
        writer.int32(partition);
        writer.int64(offset);
        writer.tags();
      });
      writer.tags();
    });
    writer.int32(timeoutMs);
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const partitions = partitionRows(reader, (topic) => {
      const row = { topic, partition: reader.int32(), logStart: reader.int64(), errorCode: reader.int16() };
      reader.tags();
      return row;
    });
    reader.tags();
    return { throttleMs, partitions };
  },
  timeoutMs: (request) => request.timeoutMs,
});
