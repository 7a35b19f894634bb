import { type Api, adapted } from './api.ts';

/** Which transactions to list. */
export interface ListTransactionsRequest {
  /** Empty: transactions in any state. */
  readonly states: readonly string[];
  /** Empty: transactions of any producer. */
  readonly producerIds: readonly bigint[];
  /** Lists transactions that have run for longer, in milliseconds; undefined: all. Not sent before version 1. */
  readonly longerThanMs: bigint | undefined;
}

/** A transactional id whose coordinator is the broker that answers. */
export interface ListedTransaction {
  readonly transactionalId: string;
  readonly producerId: bigint;
  /** For example `Ongoing` or `CompleteCommit`. */
  readonly state: string;
}

/** The transactional ids of one coordinator that the principal may describe. */
export interface ListTransactionsResponse {
  readonly errorCode: number;
  /** States of the request that the broker does not know. */
  readonly unknownStates: readonly string[];
  readonly transactions: readonly ListedTransaction[];
}

/** ListTransactions v0–1 (KIP-664; the duration since version 1, KIP-994). */
export const listTransactions: Api<ListTransactionsRequest, ListTransactionsResponse> = adapted({
  name: 'ListTransactions',
  key: 66,
  min: 0,
  max: 1,
  flexibleFrom: 0,
  target: 'broker',
  repeatable: true,
  errorCode: ({ errorCode }) => errorCode,
  encode(writer, { states, producerIds, longerThanMs }, version) {
    writer.array(states, writer.string);
    writer.array(producerIds, (id) => writer.int64(id));
    if (version >= 1) writer.int64(longerThanMs ?? -1n);
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const errorCode = reader.int16();
    const unknownStates = reader.array(() => reader.string());
    const transactions = reader.array(() => {
      const transaction = {
        transactionalId: reader.string(),
        producerId: reader.int64(),
        state: reader.string(),
      };
      reader.tags();
      return transaction;
    });
    reader.tags();
    return { throttleMs, errorCode, unknownStates, transactions };
  },
});
