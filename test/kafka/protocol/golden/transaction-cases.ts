import { describeProducers } from '../../../../src/kafka/protocol/describe-producers.ts';
import { describeTransactions } from '../../../../src/kafka/protocol/describe-transactions.ts';
import { listTransactions } from '../../../../src/kafka/protocol/list-transactions.ts';
import { writeTxnMarkers } from '../../../../src/kafka/protocol/write-txn-markers.ts';
import type { GoldenCase } from './case.ts';

const found = { errorCode: 0, errorMessage: null };
const foundHere = { errorCode: 0, errorMessage: undefined };

/** ListTransactions in each version: the duration since 1. */
function transactionLists(): readonly GoldenCase[] {
  return [0, 1].map((version) => ({
    api: { ...listTransactions, min: version, max: version },
    request: {
      kafka: {
        ...{ stateFilters: ['Ongoing'], producerIdFilters: [12] },
        ...(version >= 1 && { durationFilter: 60_000 }),
      },
      weir: {
        ...{ states: ['Ongoing'], producerIds: [12n], longerThanMs: 60_000n },
      },
    },
    answer: {
      kafka: {
        ...{ throttleTimeMs: 7, errorCode: 14, unknownStateFilters: ['Lost'] },
        transactionStates: [{ transactionalId: 'tx-ä', producerId: 12, transactionState: 'Ongoing' }],
      },
      weir: {
        ...{ throttleMs: 7, errorCode: 14, unknownStates: ['Lost'] },
        transactions: [{ transactionalId: 'tx-ä', producerId: 12n, state: 'Ongoing' }],
      },
    },
  }));
}

/** The messages about transactions. */
export const transactionCases: readonly GoldenCase[] = [
  ...transactionLists(),
  {
    api: describeTransactions,
    request: { kafka: { transactionalIds: ['tx-ä', 'b'] }, weir: { transactionalIds: ['tx-ä', 'b'] } },
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
      weir: {
        throttleMs: 7,
        transactions: [
          {
            ...{ errorCode: 0, transactionalId: 'tx-ä', state: 'Ongoing', timeoutMs: 60_000 },
            ...{ startTimestamp: 1_793_534_400_000n, producerId: 12n, producerEpoch: 3 },
            partitions: [
              { topic: 't', partition: 0 },
              { topic: 't', partition: 2 },
              { topic: 'u', partition: 1 },
            ],
          },
          {
            ...{ errorCode: 105, transactionalId: 'b', state: '', timeoutMs: 0 },
            ...{ startTimestamp: -1n, producerId: -1n, producerEpoch: -1, partitions: [] },
          },
        ],
      },
    },
  },
  {
    api: describeProducers,
    request: {
      kafka: { topics: [{ name: 't', partitionIndexes: [0, 2] }] },
      weir: { topics: [{ topic: 't', partitions: [0, 2] }] },
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
      weir: {
        throttleMs: 7,
        partitions: [
          {
            ...{ topic: 't', partition: 0, ...foundHere },
            producers: [
              {
                ...{ producerId: 12n, producerEpoch: 3, lastSequence: 41, lastTimestamp: 1_793_534_400_000n },
                ...{ coordinatorEpoch: -1, currentTransactionStart: 9n },
              },
            ],
          },
          { topic: 't', partition: 2, errorCode: 3, errorMessage: 'gone', producers: [] },
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
      weir: {
        markers: [
          {
            ...{ producerId: 12n, producerEpoch: 3, result: 'abort', coordinatorEpoch: 5 },
            topics: [{ topic: 't', partitions: [0, 2] }],
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
      weir: {
        throttleMs: 0,
        markers: [
          { producerId: 12n, topic: 't', partition: 0, errorCode: 0 },
          { producerId: 12n, topic: 't', partition: 2, errorCode: 47 },
        ],
      },
    },
  },
];
