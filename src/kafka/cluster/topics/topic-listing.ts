import type { PartitionMetadata, TopicMetadata } from '../../protocol/client/client.ts';
import { kafkaErrorName, kafkaItemError } from '../../protocol/errors.ts';
import { partitionsInOrder } from '../../protocol/partitions/topic-selection.ts';
import type { DetailedTopic, ListedPartition, TopicSummary } from './topic-rows.ts';

/** Makes the row of a topic, without its partitions. */
export function topicRow({ name, internal, errorCode, partitions }: TopicMetadata): TopicSummary {
  return {
    name,
    internal,
    partitions: partitions.length,
    replicas: partitions[0]?.replicas.length ?? 0,
    error: kafkaItemError(errorCode),
  };
}

/** Makes the row of a topic, with its partitions in order. */
export function detailedTopicRow(topic: TopicMetadata): DetailedTopic {
  return { ...topicRow(topic), partition_list: partitionsInOrder(topic).map(partitionRow) };
}

/** Makes the row of a partition, with sorted node ids. */
export function partitionRow(metadata: PartitionMetadata): ListedPartition {
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
