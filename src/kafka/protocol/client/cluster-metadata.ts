import type { RequestOf, ResponseOf } from '../wire/api.ts';
import type { metadata } from '../wire/apis/metadata.ts';
import { noUuid } from '../wire/primitives.ts';
import type { ClusterMetadata, PartitionMetadata, TopicMetadata } from './client.ts';
import { isRedpandaId } from './redpanda.ts';

type Answer = ResponseOf<typeof metadata>;
type Topic = Answer['topics'][number];

/** A Metadata request about topics, undefined: all of them; it creates none. */
export function aboutTopics(names: readonly string[] | undefined): RequestOf<typeof metadata> {
  return { topics: names?.map((name) => ({ name, topicId: noUuid })), allowAutoTopicCreation: false };
}

/** The cluster that an answer describes. */
export function clusterOf({ clusterId, controllerId, brokers, topics }: Answer): ClusterMetadata {
  const present = new Set(brokers.map(({ nodeId }) => nodeId));
  const led = topics.map(topicOf);
  return {
    clusterId,
    controllerId,
    brokers: brokers.map(({ nodeId, host, port, rack }) => ({ id: nodeId, host, port, rack })),
    topics: isRedpandaId(clusterId) === true ? led.map((topic) => withoutGuesses(topic, present)) : led,
  };
}

/** Redpanda guesses a missing leader, which may be a broker that is down (`kafka/server/handlers/metadata.cc`). */
function withoutGuesses(topic: TopicMetadata, present: ReadonlySet<number>): TopicMetadata {
  const partitions = topic.partitions.map((one) => (present.has(one.leader) ? one : { ...one, leader: -1 }));
  return { ...topic, partitions };
}

/** A topic of an answer. */
export function topicOf({ name = '', topicId, errorCode, isInternal, partitions }: Topic): TopicMetadata {
  return { name, id: topicId, errorCode, internal: isInternal, partitions: partitions.map(partitionOf) };
}

function partitionOf(partition: Topic['partitions'][number]): PartitionMetadata {
  return {
    partition: partition.partitionIndex,
    errorCode: partition.errorCode,
    leader: partition.leaderId,
    leaderEpoch: partition.leaderEpoch,
    replicas: partition.replicaNodes,
    isr: partition.isrNodes,
    offlineReplicas: partition.offlineReplicas,
  };
}
