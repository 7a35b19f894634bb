import type { ClusterMetadata } from '../../../../src/kafka/protocol/client/client.ts';
import type { ResponseOf } from '../../../../src/kafka/protocol/wire/api.ts';
import type { metadata } from '../../../../src/kafka/protocol/wire/apis/metadata.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';

/** The answer of a broker that knows this of its cluster. */
export function metadataResponse(cluster: Partial<ClusterMetadata>): Partial<ResponseOf<typeof metadata>> {
  const { clusterId = 'c', controllerId = 0, brokers = [], topics = [] } = cluster;
  return {
    ...{ throttleTimeMs: 0, errorCode: 0, clusterId, controllerId },
    brokers: brokers.map(({ id: nodeId, ...broker }) => ({ nodeId, ...broker })),
    topics: topics.map(({ name, id: topicId = noUuid, errorCode, internal: isInternal, partitions }) => ({
      ...{ name, topicId, errorCode, isInternal, topicAuthorizedOperations: 0 },
      partitions: partitions.map(({ partition, leader, replicas, isr, ...rest }) => ({
        ...{ ...rest, partitionIndex: partition, leaderId: leader, replicaNodes: replicas, isrNodes: isr },
      })),
    })),
  };
}
