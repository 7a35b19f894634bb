/** A transaction that touches a partition. */
export interface PartitionTransaction {
  readonly producerId: number;
  readonly producerEpoch: number;
  /** The offset at which it began. */
  readonly lsoBound: number;
  readonly timeoutMs: number;
  /** The virtual time of its last record, in milliseconds since the epoch. */
  readonly updatedAt: number;
  readonly status: string;
}

/** The transactions of a partition. */
export interface PartitionTransactions {
  active: readonly PartitionTransaction[];
  expired: readonly PartitionTransaction[];
}

/** A transaction as its coordinator sees it. */
export interface CoordinatedTransaction {
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly sequence: number;
  readonly etag: number;
  readonly status: string;
  readonly timeoutMs: number;
  /** The virtual time of its last change, in milliseconds since the epoch. */
  readonly updatedAt: number;
  readonly partitions: readonly {
    readonly ns: string;
    readonly topic: string;
    readonly partition: number;
    readonly etag: number;
  }[];
  readonly groups: readonly { readonly id: string; readonly etag: number }[];
}
