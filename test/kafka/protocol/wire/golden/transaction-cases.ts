import { describeProducers } from '../../../../../src/kafka/protocol/wire/apis/describe-producers.ts';
import { describeTransactions } from '../../../../../src/kafka/protocol/wire/apis/describe-transactions.ts';
import { listTransactions } from '../../../../../src/kafka/protocol/wire/apis/list-transactions.ts';
import { writeTxnMarkers } from '../../../../../src/kafka/protocol/wire/apis/write-txn-markers.ts';
import type { GoldenCase } from './case.ts';

const found = { errorCode: 0, errorMessage: null };

/** ListTransactions in each version: the duration since 1. */
function transactionLists(): readonly GoldenCase[] {
  return [0, 1].map((version) => ({
    api: { ...listTransactions, min: version, max: version },
    request: {
      kafka: {
        ...{ stateFilters: ['Ongoing'], producerIdFilters: [12] },
        ...(version >= 1 && { durationFilter: 60_000 }),
      },
    },
    answer: {
      kafka: {
        ...{ throttleTimeMs: 7, errorCode: 14, unknownStateFilters: ['Lost'] },
        transactionStates: [{ transactionalId: 'tx-ä', producerId: 12, transactionState: 'Ongoing' }],
      },
    },
  }));
}

/** The messages about transactions. */
export const transactionCases: readonly GoldenCase[] = [
  ...transactionLists(),
  {
    api: describeTransactions,
    request: { kafka: { transactionalIds: ['tx-ä', 'b'] } },
    answer: {
      kafka: {
        throttleTimeMs: 7,
        transactionStates: [
          {
            ...{ errorCode: 0, transactionalId: 'tx-ä', transactionState: 'Ongoing', transactionTimeoutMs: 60_000 },
            ...{ transactionStartTimeMs: 1_793_534_400_000, producerId: 12, producerEpoch: 3 },
            topics: [
              { topic: 't', partitions: [0, 2] },
              { topic: 'u', partitions: [1] },
            ],
          },
          {
            ...{ errorCode: 105, transactionalId: 'b', transactionState: '', transactionTimeoutMs: 0 },
            ...{ transactionStartTimeMs: -1, producerId: -1, producerEpoch: -1, topics: [] },
          },
        ],
      },
    },
  },
  {
    api: describeProducers,
    request: {
      kafka: { topics: [{ name: 't', partitionIndexes: [0, 2] }] },
    },
    answer: {
      kafka: {
        throttleTimeMs: 7,
        topics: [
          {
            name: 't',
            partitions: [
              {
                ...{ partitionIndex: 0, ...found },
                activeProducers: [
                  {
                    ...{ producerId: 12, producerEpoch: 3, lastSequence: 41, lastTimestamp: 1_793_534_400_000 },
                    ...{ coordinatorEpoch: -1, currentTxnStartOffset: 9 },
                  },
                ],
              },
              { partitionIndex: 2, errorCode: 3, errorMessage: 'gone', activeProducers: [] },
            ],
          },
        ],
      },
    },
  },
  {
    api: writeTxnMarkers,
    request: {
      kafka: {
        markers: [
          {
            ...{ producerId: 12, producerEpoch: 3, transactionResult: false, coordinatorEpoch: 5 },
            topics: [{ name: 't', partitionIndexes: [0, 2] }],
          },
        ],
      },
    },
    answer: {
      kafka: {
        markers: [
          {
            producerId: 12,
            topics: [
              {
                name: 't',
                partitions: [
                  { partitionIndex: 0, errorCode: 0 },
                  { partitionIndex: 2, errorCode: 47 },
                ],
              },
            ],
          },
        ],
      },
    },
  },
];
