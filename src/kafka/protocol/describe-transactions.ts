import { type Api, adapted } from './api.ts';
import type { Reader } from './codec.ts';

/** The transactional ids to describe, all with the same coordinator. */
export interface DescribeTransactionsRequest {
  readonly transactionalIds: readonly string[];
}

/** The state of one transactional id, or the reason why it cannot be described. */
export interface DescribedTransaction {
  readonly errorCode: number;
  readonly transactionalId: string;
  /** For example `Ongoing` or `CompleteCommit`. */
  readonly state: string;
  readonly timeoutMs: number;
  /** When the transaction started, in milliseconds since the epoch; -1 if none is open. */
  readonly startTimestamp: bigint;
  readonly producerId: bigint;
  readonly producerEpoch: number;
  /** The partitions in the transaction. */
  readonly partitions: readonly { readonly topic: string; readonly partition: number }[];
}

/** One entry per transactional id. */
export interface DescribeTransactionsResponse {
  readonly transactions: readonly DescribedTransaction[];
}

/** DescribeTransactions v0 (KIP-664). */
export const describeTransactions: Api<DescribeTransactionsRequest, DescribeTransactionsResponse> = adapted({
  name: 'DescribeTransactions',
  key: 65,
  min: 0,
  max: 0,
  flexibleFrom: 0,
  target: 'coordinator',
  repeatable: true,
  encode(writer, { transactionalIds }) {
    writer.array(transactionalIds, writer.string);
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const transactions = reader.array(() => readTransaction(reader));
    reader.tags();
    return { throttleMs, transactions };
  },
});

function readTransaction(reader: Reader): DescribedTransaction {
  const transaction = {
    errorCode: reader.int16(),
    transactionalId: reader.string(),
    state: reader.string(),
    timeoutMs: reader.int32(),
    startTimestamp: reader.int64(),
    producerId: reader.int64(),
    producerEpoch: reader.int16(),
    partitions: reader.array(() => readTopic(reader)).flat(),
  };
  reader.tags();
  return transaction;
}

function readTopic(reader: Reader): DescribedTransaction['partitions'] {
  const topic = reader.string();
  const partitions = reader.array(() => ({ topic, partition: reader.int32() }));
  reader.tags();
  return partitions;
}
