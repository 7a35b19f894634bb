import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { byPartition, groupByTopic } from '../../protocol/partitions/by-topic.ts';
import { readSelection } from '../../protocol/partitions/topic-selection.ts';
import { describeProducers as describeProducersApi } from '../../protocol/wire/apis/describe-producers.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { DescribeProducersCall, Producer } from './transaction-rows.ts';

interface LedPartition {
  readonly topic: string;
  readonly partition: number;
  readonly leader: number;
}

const blank = {
  leader: null,
  partition: null,
  producer_id: null,
  producer_epoch: null,
  last_sequence: null,
  last_timestamp: null,
  coordinator_epoch: null,
  transaction_start_offset: null,
} as const;

/** Describes the producers of partitions with one request per leader, sorted by partition and producer. */
export async function describeProducers(client: Client, call: DescribeProducersCall): Promise<Producer[]> {
  const { topics } = await readSelection(client, { topics: call.topics, regex: false, internal: true });
  const named = call.topics.length > 0;
  const missing = named ? topics.flatMap((topic) => missingRows(topic, call.partitions)) : [];
  const outcomes = await client.ask(
    question,
    topics.flatMap((topic) => placesOf(topic, call.partitions)),
  );
  const rows = outcomes.flatMap((outcome): Producer[] => {
    const { topic, partition, leader } = outcome.item;
    const place = { leader: outcome.node ?? (leader < 0 ? null : leader), topic, partition };
    const error = itemErrorOf(outcome);
    // One of all topics that was deleted since they were listed has no producers, nor a leader to ask.
    if (!named && error?.code === kafkaItemError(codes.UNKNOWN_TOPIC_OR_PARTITION)?.code) return [];
    if (error !== null) return [{ ...blank, ...place, error }];
    return (outcome.row?.activeProducers ?? []).map((producer) => ({
      ...place,
      producer_id: producer.producerId,
      producer_epoch: producer.producerEpoch,
      last_sequence: producer.lastSequence,
      last_timestamp: producer.lastTimestamp,
      coordinator_epoch: producer.coordinatorEpoch,
      error,
      transaction_start_offset: producer.currentTxnStartOffset,
    }));
  });
  return [...missing, ...rows].sort(byPlace);
}

function missingRows({ name, errorCode, partitions }: TopicMetadata, numbers: readonly number[]): Producer[] {
  if (errorCode !== 0) return [{ ...blank, topic: name, error: kafkaItemError(errorCode) }];
  const existing = new Set(partitions.map(({ partition }) => partition));
  const unknown = [...new Set(numbers)].filter((partition) => !existing.has(partition));
  return unknown.map((partition) => ({
    ...blank,
    topic: name,
    partition,
    error: kafkaItemError(codes.UNKNOWN_TOPIC_OR_PARTITION),
  }));
}

function placesOf({ name, partitions }: TopicMetadata, numbers: readonly number[]): LedPartition[] {
  return partitions
    .filter(({ partition }) => numbers.length === 0 || numbers.includes(partition))
    .map(({ partition, leader }) => ({ topic: name, partition, leader }));
}

const question = questionOf({
  api: describeProducersApi,
  what: ({ topic, partition }: LedPartition) => `describe the producers of topic "${topic}" partition ${partition}`,
  target: ({ topic, partition }: LedPartition) => ({ topic, partition }),
  // A partition without a leader is reported as such instead of waiting for one.
  reportsLeaderless: true,
  keyOf: ({ topic, partition }) => `${partition} ${topic}`,
  request: (items) => ({
    topics: groupByTopic(items).map(([name, topicItems]) => ({
      name,
      partitionIndexes: topicItems.map(({ partition }) => partition),
    })),
  }),
  rows: ({ topics }) =>
    topics.flatMap(({ name, partitions }) => partitions.map((row) => [`${row.partitionIndex} ${name}`, row] as const)),
});

function byPlace(a: Producer, b: Producer): number {
  return byPartition(a, b) || Number((a.producer_id ?? 0n) - (b.producer_id ?? 0n));
}
