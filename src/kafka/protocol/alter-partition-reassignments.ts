import { type Api, adapted } from './api.ts';
import { partitionRows } from './partition-rows.ts';

/** New replicas of one partition, the preferred leader first; undefined cancels a reassignment. */
export interface ReassignedPartition {
  readonly partition: number;
  readonly replicas: readonly number[] | undefined;
}

/** The partitions to reassign. */
export interface AlterPartitionReassignmentsRequest {
  readonly topics: readonly { readonly name: string; readonly partitions: readonly ReassignedPartition[] }[];
  readonly timeoutMs: number;
}

/** The result for one partition. */
export interface AlteredReassignment {
  readonly topic: string;
  readonly partition: number;
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
}

/** One error for the request and one per partition. */
export interface AlterPartitionReassignmentsResponse {
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly partitions: readonly AlteredReassignment[];
}

/** AlterPartitionReassignments v0–1 (KIP-455). The number of replicas may change in both versions. */
export const alterPartitionReassignments: Api<AlterPartitionReassignmentsRequest, AlterPartitionReassignmentsResponse> =
  adapted({
    name: 'AlterPartitionReassignments',
    key: 45,
    min: 0,
    max: 1,
    flexibleFrom: 0,
    target: 'controller',
    repeatable: true,
    changes: true,
    encode(writer, { topics, timeoutMs }, version) {
      writer.int32(timeoutMs);
      if (version >= 1) writer.boolean(true); // allow_replication_factor_change
      writer.array(topics, ({ name, partitions }) => {
        writer.string(name);
        writer.array(partitions, ({ partition, replicas }) => {
          writer.int32(partition);
          writer.nullableArray(replicas, writer.int32);
          writer.tags();
        });
        writer.tags();
      });
      writer.tags();
    },
    decode(reader, version) {
      const throttleMs = reader.int32();
      if (version >= 1) reader.boolean(); // allow_replication_factor_change
      const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
      const partitions = partitionRows(reader, (topic) => {
        const partition = reader.int32();
        const row = { topic, partition, errorCode: reader.int16(), errorMessage: reader.nullableString() };
        reader.tags();
        return row;
      });
      reader.tags();
      return { throttleMs, ...error, partitions };
    },
    timeoutMs: (request) => request.timeoutMs,
    errorCode: ({ errorCode }) => errorCode,
    errorMessage: ({ errorMessage }) => errorMessage,
  });
