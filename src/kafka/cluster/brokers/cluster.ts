import type { Client } from '../../protocol/client/client.ts';
import type { TopicSelection } from '../../protocol/partitions/topic-selection.ts';
import { readSelection } from '../../protocol/partitions/topic-selection.ts';
import { detailedTopicRow } from '../topics/topic-listing.ts';
import type { ClusterInfo } from './cluster-rows.ts';

/** Reads the cluster id, brokers and topics with one Metadata request; sorts brokers by id and topics by name. */
export async function clusterInfo(client: Client, topics: TopicSelection | 'none'): Promise<ClusterInfo> {
  const answer = topics === 'none' ? await client.metadata([]) : await readSelection(client, topics);
  const { controllerId } = answer;
  return {
    cluster_id: answer.clusterId ?? null,
    controller_id: controllerId < 0 ? null : controllerId,
    brokers: answer.brokers
      .map(({ id, host, port, rack }) => ({ id, host, port, rack: rack ?? null, controller: id === controllerId }))
      .sort((a, b) => a.id - b.id),
    topics: answer.topics.map(detailedTopicRow),
  };
}
