import type { DetailedTopicRow, TopicSelection } from '../topics/topic-rows.ts';

/** One broker as it announces itself to us. */
export interface BrokerRow {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly rack: string | null;
  /** Whether the answering broker names it as the controller. */
  readonly controller: boolean;
}

/** The cluster as one Metadata answer tells it. */
export interface ClusterInfo {
  readonly cluster_id: string | null;
  /** Null when there is none at the moment. */
  readonly controller_id: number | null;
  readonly brokers: readonly BrokerRow[];
  readonly topics: readonly DetailedTopicRow[];
}

/** The calls about the cluster. */
export interface ClusterCalls {
  /** Cluster, brokers and topics (`'none'`: do not ask for topics) in one request. */
  clusterInfo(topics: TopicSelection | 'none'): Promise<ClusterInfo>;
}
