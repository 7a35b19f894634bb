import type { ItemError } from '../../../errors.ts';
import { itemError } from '../../../shape/item-error.ts';
import { described, type FieldsOf, int64, maybe, type RowOf, row, string, whole } from '../../../shape/shape.ts';

/** Which transactions to list. */
export interface ListTransactionsCall {
  /** Empty: in any state. */
  readonly states: readonly string[];
  /** Lists those that have been open for longer, in milliseconds; undefined: all. */
  readonly longerThanMs: bigint | undefined;
}

/** One transactional id; a coordinator that cannot be asked has a row with its error and nulls. */
export const ListedTransaction = row({
  /** The coordinator. */
  broker: whole,
  transaction_id: maybe(string),
  producer_id: maybe(int64),
  state: maybe(string),
  error: itemError,
});
export type ListedTransaction = RowOf<typeof ListedTransaction>;

/** What is known about a transactional id; nulls where it is unknown. */
const transaction = {
  coordinator_id: maybe(whole),
  transaction_id: maybe(string),
  producer_id: maybe(int64),
  producer_epoch: maybe(whole),
  state: maybe(string),
};

/** The state of one transactional id. */
export interface DescribedTransactionRow extends FieldsOf<typeof transaction> {
  /** Milliseconds since the epoch; null if no transaction is open. */
  readonly start_timestamp: bigint | null;
  /** Milliseconds. */
  readonly timeout: number | null;
  readonly partitions: readonly { readonly topic: string; readonly partition: number }[];
  readonly error: ItemError | null;
}

/** One partition in a transaction, or a transactional id without partitions. */
export const TransactionPartition = row({
  ...transaction,
  start_timestamp: maybe(described(string, 'milliseconds since the epoch, as text; null if no transaction is open')),
  timeout: maybe(described(whole, 'in milliseconds')),
  topic: maybe(string),
  partition: maybe(whole),
  error: itemError,
});
export type TransactionPartition = RowOf<typeof TransactionPartition>;

/** The partitions to read the producers of. */
export interface DescribeProducersCall {
  /** Empty: every topic. */
  readonly topics: readonly string[];
  /** Empty: every partition. */
  readonly partitions: readonly number[];
}

/** A producer that a partition remembers; a partition that cannot be read has a row with its error and nulls. */
export const Producer = row({
  leader: maybe(whole),
  topic: string,
  partition: maybe(whole),
  producer_id: maybe(int64),
  producer_epoch: maybe(whole),
  /** -1: none. */
  last_sequence: maybe(whole),
  last_timestamp: maybe(described(int64, 'milliseconds since the epoch')),
  /** -1: not transactional. */
  coordinator_epoch: maybe(whole),
  /** -1: no open transaction. */
  transaction_start_offset: maybe(int64),
  error: itemError,
});
export type Producer = RowOf<typeof Producer>;

/** Where to look for hanging transactions. */
export interface FindHangingCall extends DescribeProducersCall {
  /** A transaction whose last record is younger is not hanging, in milliseconds. */
  readonly olderThanMs: bigint;
  /** Called with each open transaction that is younger. */
  onYounger(open: YoungTransaction): void;
}

/** An open transaction that is too young to be checked. */
export interface YoungTransaction {
  readonly topic: string;
  readonly partition: number;
  readonly startOffset: bigint;
  /** How long ago its last record was written, in milliseconds. */
  readonly ageMs: number;
  /** Null if no coordinator knows the producer. */
  readonly transactionalId: string | null;
}

/** A transaction that a partition considers open, but that no coordinator will end. */
export const HangingTransaction = row({
  topic: string,
  partition: maybe(whole),
  producer_id: maybe(int64),
  producer_epoch: maybe(whole),
  coordinator_epoch: maybe(whole),
  start_offset: maybe(int64),
  last_timestamp: maybe(described(int64, 'milliseconds since the epoch')),
  duration: maybe(described(int64, 'milliseconds since the last record')),
  /** The producer's transactional id; null if no coordinator knows the producer. */
  transaction_id: maybe(string),
  error: itemError,
});
export type HangingTransaction = RowOf<typeof HangingTransaction>;

/** A transaction to abort on one partition. */
export interface AbortCall {
  readonly topic: string;
  readonly partition: number;
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly coordinatorEpoch: number;
}

/** An open transaction of a partition, with what its coordinator knows about it. */
export interface OpenTransaction extends AbortCall {
  readonly startOffset: bigint;
  readonly lastTimestamp: bigint;
  /** The producer's transactional id and the state at its coordinator; null if no coordinator knows the producer. */
  readonly known: { readonly transactionalId: string; readonly state: string } | null;
}
