import { type Api, adapted } from './api.ts';
import { partitionRows } from './partition-rows.ts';

/** The committed offsets to delete. */
export interface OffsetDeleteRequest {
  readonly group: string;
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly number[] }[];
}

/** One error code for the group and one per partition. */
export interface OffsetDeleteResponse {
  readonly errorCode: number;
  readonly partitions: readonly { readonly topic: string; readonly partition: number; readonly errorCode: number }[];
}

/** OffsetDelete (key 47, KIP-496); it has no flexible version. */
export const offsetDelete: Api<OffsetDeleteRequest, OffsetDeleteResponse> = adapted({
  name: 'OffsetDelete',
  key: 47,
  min: 0,
  max: 0,
  flexibleFrom: 1,
  target: ({ group }) => ({ group }),
  repeatable: true,
  changes: true,
  errorCode: ({ errorCode }) => errorCode,
  encode(writer, { group, topics }) {
    writer.string(group);
    writer.array(topics, ({ topic, partitions }) => {
      writer.string(topic);
      writer.array(partitions, writer.int32);
    });
  },
  decode(reader) {
    const errorCode = reader.int16();
    const throttleMs = reader.int32();
    const partitions = partitionRows(reader, (topic) => ({
      topic,
      partition: reader.int32(),
      errorCode: reader.int16(),
    }));
    return { throttleMs, errorCode, partitions };
  },
});
