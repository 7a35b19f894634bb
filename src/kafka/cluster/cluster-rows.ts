import type { DetailedTopicRow, TopicSelection } from '../topics/topic-rows.ts';

/** One broker, with the listener that it advertises. */
export interface BrokerRow {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly rack: string | null;
  /** Whether the answering broker reports it as the controller. */
  readonly controller: boolean;
}

/** The cluster as described by one Metadata answer. */
export interface ClusterInfo {
  readonly cluster_id: string | null;
  /** Null when the cluster has no controller at the moment. */
  readonly controller_id: number | null;
  readonly brokers: readonly BrokerRow[];
  readonly topics: readonly DetailedTopicRow[];
}

/** The cluster calls of the broker data API. */
export interface ClusterCalls {
  /** Reads the cluster id, the brokers and the topics (`'none'`: no topics) with one request. */
  clusterInfo(topics: TopicSelection | 'none'): Promise<ClusterInfo>;
  /** Whether the cluster is Redpanda; undefined if it does not say. Asks once. */
  isRedpanda(): Promise<boolean | undefined>;
}
