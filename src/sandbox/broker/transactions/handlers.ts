import type { ReadRequestOf } from '../../../kafka/protocol/wire/api.ts';
import { addOffsetsToTxn } from '../../../kafka/protocol/wire/apis/add-offsets-to-txn.ts';
import { addPartitionsToTxn } from '../../../kafka/protocol/wire/apis/add-partitions-to-txn.ts';
import { endTxn } from '../../../kafka/protocol/wire/apis/end-txn.ts';
import { initProducerId } from '../../../kafka/protocol/wire/apis/init-producer-id.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster, Partition } from '../cluster-parts.ts';
import { type Handler, handler } from '../serve/handler.ts';

/** The first versions with PRODUCER_FENCED; older versions get INVALID_PRODUCER_EPOCH instead (KIP-588). */
const namesFenced = { init: 4, others: 2 } as const;

function fencedSince(version: number, since: number, code: number): number {
  return code === codes.PRODUCER_FENCED && version < since ? codes.INVALID_PRODUCER_EPOCH : code;
}

/** InitProducerId: assigns the identity of a producer with or without transactions. */
export const initProducerIdHandler: Handler = handler(initProducerId, {
  handle({ cluster, broker, version }, { transactionalId, transactionTimeoutMs, producerId, producerEpoch }) {
    const refused = (errorCode: number) => ({ errorCode, producerId: -1n, producerEpoch: -1 });
    if (transactionalId === undefined) {
      return { errorCode: codes.NONE, producerId: cluster.nextProducerId(), producerEpoch: 0 };
    }
    if (transactionalId === '') return refused(codes.INVALID_REQUEST);
    const wrong = cluster.coordinators.check(broker, 'transaction', transactionalId);
    if (wrong !== codes.NONE) return refused(wrong);
    const longest = cluster.settings.maxTransactionTimeoutMs;
    if (transactionTimeoutMs <= 0 || transactionTimeoutMs > longest) return refused(codes.INVALID_TRANSACTION_TIMEOUT);
    const current = { producerId, epoch: producerEpoch };
    const producer = cluster.transactions.init(transactionalId, transactionTimeoutMs, current);
    const errorCode = fencedSince(version, namesFenced.init, producer.errorCode);
    return { errorCode, producerId: producer.producerId, producerEpoch: producer.epoch };
  },
  refuse: (_request, errorCode) => ({ errorCode, producerId: -1n, producerEpoch: -1 }),
});

type AddPartitions = ReadRequestOf<typeof addPartitionsToTxn>;

/** AddPartitionsToTxn: adds either all partitions to the transaction or none. */
export const addPartitionsToTxnHandler: Handler = handler(addPartitionsToTxn, {
  handle({ cluster, broker, version }, request) {
    const wrong = cluster.coordinators.check(broker, 'transaction', request.v3AndBelowTransactionalId);
    if (wrong !== codes.NONE) return eachPartition(request, () => wrong);
    const rows = partitionsOf(cluster, request);
    if (rows.includes(undefined)) {
      const isKnown = (topic: string, index: number): boolean =>
        cluster.topics.get(topic)?.partitions[index] !== undefined;
      return eachPartition(request, (topic, index) =>
        isKnown(topic, index) ? codes.OPERATION_NOT_ATTEMPTED : codes.UNKNOWN_TOPIC_OR_PARTITION,
      );
    }
    const partitions = rows.filter((one) => one !== undefined);
    const producer = { producerId: request.v3AndBelowProducerId, epoch: request.v3AndBelowProducerEpoch };
    const code = cluster.transactions.addPartitions(request.v3AndBelowTransactionalId, producer, partitions);
    return eachPartition(request, () => fencedSince(version, namesFenced.others, code));
  },
  refuse: (request, code) => eachPartition(request, () => code),
});

function partitionsOf(cluster: Cluster, { v3AndBelowTopics: topics }: AddPartitions): (Partition | undefined)[] {
  return topics.flatMap(({ name, partitions }) =>
    partitions.map((index) => cluster.topics.get(name)?.partitions[index]),
  );
}

function eachPartition({ v3AndBelowTopics: topics }: AddPartitions, codeOf: (topic: string, index: number) => number) {
  return {
    resultsByTopicV3AndBelow: topics.map(({ name, partitions }) => ({
      name,
      resultsByPartition: partitions.map((index) => ({
        partitionIndex: index,
        partitionErrorCode: codeOf(name, index),
      })),
    })),
  };
}

/** AddOffsetsToTxn: adds the offsets of a group to the transaction. */
export const addOffsetsToTxnHandler: Handler = handler(addOffsetsToTxn, {
  handle({ cluster, broker, version }, { transactionalId, producerId, producerEpoch, groupId }) {
    const wrong = cluster.coordinators.check(broker, 'transaction', transactionalId);
    if (wrong !== codes.NONE) return { errorCode: wrong };
    const code = cluster.transactions.addGroup(transactionalId, { producerId, epoch: producerEpoch }, groupId);
    return { errorCode: fencedSince(version, namesFenced.others, code) };
  },
  refuse: (_request, errorCode) => ({ errorCode }),
});

/** EndTxn: answers as soon as the decision is made; the markers follow. */
export const endTxnHandler: Handler = handler(endTxn, {
  handle({ cluster, broker, version }, { transactionalId, producerId, producerEpoch, committed }) {
    const wrong = cluster.coordinators.check(broker, 'transaction', transactionalId);
    if (wrong !== codes.NONE) return { errorCode: wrong };
    const code = cluster.transactions.end(transactionalId, { producerId, epoch: producerEpoch }, committed);
    return { errorCode: fencedSince(version, namesFenced.others, code) };
  },
  refuse: (_request, errorCode) => ({ errorCode }),
});
