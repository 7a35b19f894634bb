import { createWriter } from '../../../src/kafka/protocol/codec.ts';
import { type FetchRequest, fetch } from '../../../src/kafka/protocol/fetch.ts';

/** One partition of a fake cluster; tests change it while it is read. */
export interface FakePartition {
  leader: number;
  epoch: number;
  logStart: bigint;
  highWatermark: bigint;
  lastStable?: bigint;
  /** Where the leader's own disks begin, if the cluster says so. */
  localStart?: bigint;
  /** Where the epoch of what was read ends in this log; its high watermark where nothing was cut. */
  epochEnd?: bigint;
  /** The batches, each of which has the values of these offsets. */
  batches: { readonly base: bigint; readonly values: readonly string[] }[];
}

/** A topic of a fake cluster. */
export interface FakeTopic {
  id?: string;
  errorCode?: number;
  readonly partitions: FakePartition[];
}

/** A partition with one batch of each of these lists. */
export function logOf(leader: number, ...batches: readonly (readonly string[])[]): FakePartition {
  let base = 0n;
  const placed = batches.map((values) => {
    const batch = { base, values };
    base += BigInt(values.length);
    return batch;
  });
  return { leader, epoch: 1, logStart: 0n, highWatermark: base, batches: placed };
}

/** The size of a Fetch request in bytes, without its header. */
export function requestBytes(request: FetchRequest): number {
  const writer = createWriter(true);
  fetch.encode(writer, request, 12);
  return writer.finish().length;
}
