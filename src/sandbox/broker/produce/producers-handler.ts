import type { ReadRequestOf } from '../../../kafka/protocol/wire/api.ts';
import { describeProducers } from '../../../kafka/protocol/wire/apis/describe-producers.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { ProducerEntry } from '../log/producers.ts';
import { type Handler, handler } from '../serve/handler.ts';
import { findServed } from '../topics/lookup.ts';

type Request = ReadRequestOf<typeof describeProducers>;

/** DescribeProducers: returns the producer state of partitions that the broker leads. */
export const describeProducersHandler: Handler = handler(describeProducers, {
  handle: ({ cluster, broker }, request) =>
    eachPartition(request, (topic, partition) => {
      const served = findServed(cluster, broker, { topic, partition });
      if (typeof served === 'number') return failure(partition, served);
      const activeProducers = [...served.log.producers].map(([id, entry]) => activeProducer(id, entry));
      return { partitionIndex: partition, errorCode: codes.NONE, errorMessage: undefined, activeProducers };
    }),
  refuse: (request, code) => eachPartition(request, (_topic, partition) => failure(partition, code)),
});

type Answer = Omit<ReturnType<typeof failure>, 'activeProducers'> & {
  readonly activeProducers: readonly ReturnType<typeof activeProducer>[];
};

function eachPartition({ topics }: Request, call: (topic: string, partition: number) => Answer) {
  return {
    topics: topics.map(({ name, partitionIndexes }) => ({
      name,
      partitions: partitionIndexes.map((index) => call(name, index)),
    })),
  };
}

function failure(partitionIndex: number, errorCode: number) {
  return { partitionIndex, errorCode, errorMessage: undefined, activeProducers: [] };
}

function activeProducer(producerId: bigint, entry: ProducerEntry) {
  return {
    producerId,
    producerEpoch: entry.epoch,
    lastSequence: entry.batches.at(-1)?.lastSequence ?? -1,
    lastTimestamp: entry.lastTimestamp,
    coordinatorEpoch: entry.coordinatorEpoch,
    currentTxnStartOffset: entry.transactionStart ?? -1,
  };
}
