import { describe, expect, it } from 'vitest';
import { hangingOf } from '../../../../src/kafka/streams/transactions/hanging.ts';
import type {
  DescribedTransactionRow,
  ListedTransaction,
} from '../../../../src/kafka/streams/transactions/transaction-rows.ts';

const open = (partition: number, producer: bigint) => ({ topic: 't', partition, producer_id: producer });
const listed = (id: string, producer: bigint): ListedTransaction => {
  return { broker: 1, transaction_id: id, producer_id: producer, state: 'Ongoing', error: null };
};
const described = (id: string, partitions: readonly number[]): DescribedTransactionRow => ({
  ...{ coordinator_id: 1, transaction_id: id, producer_id: 1n, producer_epoch: 0, state: 'Ongoing' },
  ...{ start_timestamp: 0n, timeout: 1, error: null },
  partitions: partitions.map((partition) => ({ topic: 't', partition })),
});
const refused: DescribedTransactionRow = {
  ...described('a', []),
  error: { code: 'X', number: 1, message: 'x', retryable: false, exit_code: 4 },
};

describe('an open transaction', () => {
  it.each([
    ['hangs if no coordinator knows its producer', [listed('b', 2n)], [], ['0 -']],
    [
      'hangs if its partition is not in the transaction of its producer',
      [listed('a', 1n)],
      [described('a', [1])],
      ['0 a'],
    ],
    ['does not hang if its coordinator has its partition', [listed('a', 1n)], [described('a', [1, 0])], []],
    ['may not hang if its transactional id cannot be described', [listed('a', 1n)], [refused], []],
    ['may not hang if its transactional id is gone since', [listed('a', 1n)], [], []],
  ])('%s', (_, list, descriptions, expected) => {
    const found = hangingOf([open(0, 1n)], list, descriptions);
    expect(found.map(([{ partition }, id]) => `${partition} ${id ?? '-'}`)).toEqual(expected);
  });

  it('is judged by partition', () => {
    const found = hangingOf([open(0, 1n), open(1, 1n)], [listed('a', 1n)], [described('a', [0])]);
    expect(found).toEqual([[open(1, 1n), 'a']]);
  });
});
