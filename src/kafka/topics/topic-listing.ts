import type { Client, ClusterMetadata, PartitionMetadata, TopicMetadata } from '../client/client.ts';
import { kafkaErrorName, kafkaItemError } from '../errors.ts';
import { compileNamePatterns } from './name-patterns.ts';
import type { DetailedTopicRow, PartitionRow, TopicRow, TopicSelection } from './topic-rows.ts';

/**
 * Reads metadata with one request; the topics are narrowed to the selection and sorted by name. A named topic that does
 * not exist or may not be read is there with its `errorCode`, and belongs into the result with that error.
 */
export async function readSelection(client: Client, selection: TopicSelection): Promise<ClusterMetadata> {
  const named = !selection.regex && selection.topics.length > 0;
  const matches = selection.regex ? compileNamePatterns(selection.topics) : () => true;
  const answer = await client.metadata(named ? [...new Set(selection.topics)] : 'all');
  const wanted = ({ name, internal }: TopicMetadata): boolean =>
    named || (matches(name) && (selection.internal || !internal));
  return { ...answer, topics: answer.topics.filter(wanted).sort(byName) };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

/** Makes the row of a topic, without its partitions. */
export function topicRow({ name, internal, errorCode, partitions }: TopicMetadata): TopicRow {
  return {
    name,
    internal,
    partitions: partitions.length,
    replicas: partitions[0]?.replicas.length ?? 0,
    error: kafkaItemError(errorCode),
  };
}

/** Makes the row of a topic, with its partitions in order. */
export function detailedTopicRow(topic: TopicMetadata): DetailedTopicRow {
  return { ...topicRow(topic), partition_list: partitionsInOrder(topic).map(partitionRow) };
}

/** Sorts the partitions of a topic by number; brokers return them in any order. */
export function partitionsInOrder(topic: TopicMetadata): PartitionMetadata[] {
  return topic.partitions.toSorted((a, b) => a.partition - b.partition);
}

/** Makes the row of a partition, with sorted node ids. */
export function partitionRow(metadata: PartitionMetadata): PartitionRow {
  return {
    partition: metadata.partition,
    leader: metadata.leader,
    epoch: metadata.leaderEpoch < 0 ? null : metadata.leaderEpoch,
    replicas: sorted(metadata.replicas),
    preferred_leader: metadata.replicas[0] ?? null,
    isr: sorted(metadata.isr),
    offline_replicas: sorted(metadata.offlineReplicas),
    load_error: metadata.errorCode === 0 ? null : kafkaErrorName(metadata.errorCode),
  };
}

/** The list itself if it is sorted, as most are: thousands of copies would take megabytes. */
function sorted(ids: readonly number[]): readonly number[] {
  return ids.every((id, at) => at === 0 || (ids[at - 1] ?? id) <= id) ? ids : ids.toSorted((a, b) => a - b);
}
