/** One partition of a fake cluster; tests change it while it is read. */
export interface FakePartition {
  leader: number;
  epoch: number;
  logStart: bigint;
  highWatermark: bigint;
  lastStable?: bigint;
  /** First offset on the leader's own disks, if the cluster reports it. */
  localStart?: bigint;
  /** End of the epoch of the last record read in this log; the high watermark if nothing was cut. */
  epochEnd?: bigint;
  /** The batches, each with the values of these offsets. */
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
