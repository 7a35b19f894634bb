import { type Api, adapted } from './api.ts';
import { partitionRows } from './partition-rows.ts';

/** A marker that ends the transaction of a producer on some partitions. */
export interface TransactionMarker {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly result: 'commit' | 'abort';
  readonly coordinatorEpoch: number;
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly number[] }[];
}

/** The markers to write, each to partitions of the same leader. */
export interface WriteTxnMarkersRequest {
  readonly markers: readonly TransactionMarker[];
}

/** The result for one marker on one partition. */
export interface WrittenMarker {
  readonly producerId: bigint;
  readonly topic: string;
  readonly partition: number;
  readonly errorCode: number;
}

/** One entry per marker and partition. */
export interface WriteTxnMarkersResponse {
  readonly markers: readonly WrittenMarker[];
}

/** WriteTxnMarkers v1 (KIP-98, KIP-664); the answer has no throttle time. */
export const writeTxnMarkers: Api<WriteTxnMarkersRequest, WriteTxnMarkersResponse> = adapted({
  name: 'WriteTxnMarkers',
  key: 27,
  min: 1,
  max: 1,
  flexibleFrom: 1,
  target: 'leader',
  // A second abort marker would end a transaction that the producer has started since.
  repeatable: false,
  changes: true,
  encode(writer, { markers }) {
    writer.array(markers, ({ producerId, producerEpoch, result, topics, coordinatorEpoch }) => {
      writer.int64(producerId);
      writer.int16(producerEpoch);
      writer.boolean(result === 'commit');
      writer.array(topics, ({ topic, partitions }) => {
        writer.string(topic);
        writer.array(partitions, (partition) => writer.int32(partition));
        writer.tags();
      });
      writer.int32(coordinatorEpoch);
      writer.tags();
    });
    writer.tags();
  },
  decode(reader) {
    const markers = reader.array(() => {
      const producerId = reader.int64();
      const rows = partitionRows(reader, (topic) => {
        const row = { producerId, topic, partition: reader.int32(), errorCode: reader.int16() };
        reader.tags();
        return row;
      });
      reader.tags();
      return rows;
    });
    reader.tags();
    return { throttleMs: 0, markers: markers.flat() };
  },
});
