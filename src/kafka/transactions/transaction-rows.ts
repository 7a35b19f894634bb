import type { ItemError } from '../../errors.ts';

/** Which transactions to list. */
export interface ListTransactionsCall {
  /** Empty: in any state. */
  readonly states: readonly string[];
  /** Lists those that have been open for longer, in milliseconds; undefined: all. */
  readonly longerThanMs: bigint | undefined;
}

/** One transactional id; a coordinator that cannot be asked has a row with its error and nulls. */
export interface ListedTransactionRow {
  /** The coordinator. */
  readonly broker: number;
  readonly transaction_id: string | null;
  readonly producer_id: bigint | null;
  readonly state: string | null;
  readonly error: ItemError | null;
}

/** The state of one transactional id; nulls where it is unknown. */
export interface DescribedTransactionRow {
  readonly coordinator_id: number | null;
  readonly transaction_id: string | null;
  readonly producer_id: bigint | null;
  readonly producer_epoch: number | null;
  readonly state: string | null;
  /** Milliseconds since the epoch; null if no transaction is open. */
  readonly start_timestamp: bigint | null;
  /** Milliseconds. */
  readonly timeout: number | null;
  readonly partitions: readonly { readonly topic: string; readonly partition: number }[];
  readonly error: ItemError | null;
}

/** The partitions to read the producers of. */
export interface DescribeProducersCall {
  /** Empty: every topic. */
  readonly topics: readonly string[];
  /** Empty: every partition. */
  readonly partitions: readonly number[];
}

/** A producer that a partition remembers; a partition that cannot be read has a row with its error and nulls. */
export interface ProducerRow {
  readonly leader: number | null;
  readonly topic: string;
  readonly partition: number | null;
  readonly producer_id: bigint | null;
  readonly producer_epoch: number | null;
  /** -1: none. */
  readonly last_sequence: number | null;
  /** Milliseconds since the epoch. */
  readonly last_timestamp: bigint | null;
  /** -1: not transactional. */
  readonly coordinator_epoch: number | null;
  /** -1: no open transaction. */
  readonly transaction_start_offset: bigint | null;
  readonly error: ItemError | null;
}

/** Where to look for hanging transactions. */
export interface FindHangingCall extends DescribeProducersCall {
  /** A transaction whose last record is younger is not hanging, in milliseconds. */
  readonly olderThanMs: bigint;
}

/** A transaction that a partition considers open, but that no coordinator will end. */
export interface HangingRow {
  readonly topic: string;
  readonly partition: number | null;
  readonly producer_id: bigint | null;
  readonly producer_epoch: number | null;
  readonly coordinator_epoch: number | null;
  readonly start_offset: bigint | null;
  /** Milliseconds since the epoch. */
  readonly last_timestamp: bigint | null;
  /** Milliseconds since the last record. */
  readonly duration: bigint | null;
  /** The producer's transactional id; null if no coordinator knows the producer. */
  readonly transaction_id: string | null;
  readonly error: ItemError | null;
}

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

/** The calls about transactions. */
export interface TransactionCalls {
  /** Lists transactional ids with one request to every broker, sorted by id. */
  listTransactions(call: ListTransactionsCall): Promise<ListedTransactionRow[]>;
  /** Describes transactional ids with one request per coordinator, sorted by id; an empty list means all. */
  describeTransactions(ids: readonly string[]): Promise<DescribedTransactionRow[]>;
  /** Describes the producers of partitions with one request per leader, sorted by partition and producer. */
  describeProducers(call: DescribeProducersCall): Promise<ProducerRow[]>;
  /** Finds hanging transactions. @throws CliError when a coordinator cannot be asked, which makes it impossible to tell */
  findHanging(call: FindHangingCall): Promise<HangingRow[]>;
  /** Finds the open transactions of a partition. @throws CliError when its producers cannot be read */
  openTransactions(topic: string, partition: number): Promise<OpenTransaction[]>;
  /** Writes abort markers for transactions; returns null or an error for each, in the order of the call. */
  abortTransactions(calls: readonly AbortCall[]): Promise<(ItemError | null)[]>;
}
