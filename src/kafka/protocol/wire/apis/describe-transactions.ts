import { api } from '../api.ts';
import { optional, struct } from '../fields.ts';
import { array, int16, int32, int64, string } from '../primitives.ts';

/** DescribeTransactions (key 65) (KIP-664). */
export const describeTransactions = api({
  name: 'DescribeTransactions',
  key: 65,
  versions: [0, 0],
  flexibleFrom: 0,
  target: 'coordinator',
  repeatable: true,
  request: {
    transactionalIds: array(string),
  },
  response: {
    throttleTimeMs: optional(int32),
    transactionStates: array(
      struct({
        errorCode: int16,
        transactionalId: string,
        transactionState: string,
        transactionTimeoutMs: int32,
        transactionStartTimeMs: int64,
        producerId: int64,
        producerEpoch: int16,
        topics: array(
          struct({
            topic: string,
            partitions: array(int32),
          }),
        ),
      }),
    ),
  },
});
