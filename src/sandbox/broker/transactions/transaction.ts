import type { Partition } from '../replication/partition.ts';

/** The state of a transactional id (KIP-98). */
type TransactionState = 'Empty' | 'Ongoing' | 'PrepareCommit' | 'PrepareAbort' | 'CompleteCommit' | 'CompleteAbort';

/** A transactional id at its coordinator. */
export interface Transaction {
  readonly id: string;
  producerId: bigint;
  /** The producer id before the last rotation; -1 for none. */
  lastProducerId: bigint;
  epoch: number;
  lastEpoch: number;
  timeoutMs: number;
  state: TransactionState;
  /** The partitions that need a marker. */
  readonly partitions: Set<Partition>;
  readonly groups: Set<string>;
  /** Milliseconds since the epoch; -1 outside a transaction. */
  startedAt: number;
  cancelTimeout: (() => void) | undefined;
}

/** Checks whether an epoch must be followed by a new producer id. */
export function isExhausted(epoch: number): boolean {
  return epoch >= 32_766;
}

/** A producer id and its epoch. */
export interface ProducerIdentity {
  readonly producerId: bigint;
  readonly epoch: number;
}
