import { type Api, adapted } from './api.ts';
import { partitionRows } from './partition-rows.ts';

/** The partitions to ask about; undefined for every partition that is being reassigned. */
export interface ListPartitionReassignmentsRequest {
  readonly topics: readonly { readonly name: string; readonly partitions: readonly number[] }[] | undefined;
  readonly timeoutMs: number;
}

/** A partition that is being reassigned. */
export interface OngoingReassignment {
  readonly topic: string;
  readonly partition: number;
  /** All current replicas: those that stay, are added and are removed. */
  readonly replicas: readonly number[];
  readonly adding: readonly number[];
  readonly removing: readonly number[];
}

/** The partitions that are being reassigned. */
export interface ListPartitionReassignmentsResponse {
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly partitions: readonly OngoingReassignment[];
}

/** ListPartitionReassignments v0 (KIP-455). */
export const listPartitionReassignments: Api<ListPartitionReassignmentsRequest, ListPartitionReassignmentsResponse> =
  adapted({
    name: 'ListPartitionReassignments',
    key: 46,
    min: 0,
    max: 0,
    flexibleFrom: 0,
    target: 'controller',
    repeatable: true,
    encode(writer, { topics, timeoutMs }) {
      writer.int32(timeoutMs);
      writer.nullableArray(topics, ({ name, partitions }) => {
        writer.string(name);
        writer.array(partitions, writer.int32);
        writer.tags();
      });
      writer.tags();
    },
    decode(reader) {
      const throttleMs = reader.int32();
      const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
      const ids = (): number[] => reader.int32s();
      const partitions = partitionRows(reader, (topic) => {
        const row = { topic, partition: reader.int32(), replicas: ids(), adding: ids(), removing: ids() };
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
