import type { Partition } from '../replication/partition.ts';

/** Where a transactional id stands (KIP-98). */
export type TransactionState =
  | 'Empty'
  | 'Ongoing'
  | 'PrepareCommit'
  | 'PrepareAbort'
  | 'CompleteCommit'
  | 'CompleteAbort';

/** A transactional id as its coordinator keeps it. */
export interface Transaction {
  readonly id: string;
  producerId: number;
  /** The id before the last rotation; -1 for none. */
  lastProducerId: number;
  epoch: number;
  lastEpoch: number;
  timeoutMs: number;
  state: TransactionState;
  /** What has to get a marker. */
  readonly partitions: Set<Partition>;
  readonly groups: Set<string>;
  /** Milliseconds since the epoch; -1 outside of a transaction. */
  startedAt: number;
  cancelTimeout: (() => void) | undefined;
}

/** An epoch after which a new producer id is given out. */
export function isExhausted(epoch: number): boolean {
  return epoch >= 32_766;
}

/** A producer's identity. */
export interface ProducerIdentity {
  readonly producerId: number;
  readonly epoch: number;
}
