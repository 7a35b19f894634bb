import type { BrokerMetadata, ClusterMetadata, PartitionMetadata, TopicMetadata } from './client.ts';

const unknownTopic = 3;

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
  return { name, errorCode: unknownTopic, internal: false, partitions: [] };
}

/** The topic itself if its partitions are as they should be: most are, and there may be many. */
function withPartitionsOnce(topic: TopicMetadata): TopicMetadata {
  const { partitions } = topic;
  const once = byKey(partitions, ({ partition }) => partition);
  const isClean = once.size === partitions.length && partitions.every(isNumbered);
  return isClean ? topic : { ...topic, partitions: [...once.values()].filter(isNumbered) };
}

function isNumbered({ partition }: PartitionMetadata): boolean {
  return partition >= 0;
}

function byKey<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, Item> {
  return new Map(items.map((item) => [keyOf(item), item]));
}
