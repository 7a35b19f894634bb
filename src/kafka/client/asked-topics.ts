import { codes } from '../wire/error-codes.ts';
import type { BrokerMetadata, ClusterMetadata, PartitionMetadata, TopicMetadata } from './client.ts';

/**
 * The part of a Metadata answer that was asked for: topics that nobody asked about are left out, and those that the
 * answer leaves out are unknown (UNKNOWN_TOPIC_OR_PARTITION). Of what an answer says twice, the last counts.
 */
export function askedMetadata(answer: ClusterMetadata, names: readonly string[] | 'all'): ClusterMetadata {
  const told = byKey(answer.topics, ({ name }) => name);
  const asked =
    names === 'all' ? [...told.values()] : [...new Set(names)].map((name) => told.get(name) ?? unknown(name));
  const brokers: readonly BrokerMetadata[] = [...byKey(answer.brokers, ({ id }) => id).values()];
  return { ...answer, brokers, topics: asked.map(withPartitionsOnce) };
}

function unknown(name: string): TopicMetadata {
  return { name, errorCode: codes.UNKNOWN_TOPIC_OR_PARTITION, internal: false, partitions: [] };
}

/** The topic itself if its partitions are as they should be: most are, and there may be many. */
function withPartitionsOnce(topic: TopicMetadata): TopicMetadata {
  if (isComplete(topic.partitions)) return topic;
  const once = [...byKey(topic.partitions, ({ partition }) => partition).values()].filter(isNumbered);
  return once.length === topic.partitions.length ? topic : { ...topic, partitions: once };
}

/** Whether the partitions have the numbers from 0 without a gap, in any order. */
function isComplete(partitions: readonly PartitionMetadata[]): boolean {
  const seen = new Uint8Array(partitions.length);
  return partitions.every(({ partition }) => {
    // A place beyond the end reads as undefined.
    const isNew = seen[partition] === 0;
    seen[partition] = 1;
    return isNew;
  });
}

function isNumbered({ partition }: PartitionMetadata): boolean {
  return partition >= 0;
}

function byKey<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, Item> {
  return new Map(items.map((item) => [keyOf(item), item]));
}
