import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster, Partition } from '../cluster-parts.ts';
import type { ReplicaLog } from '../log/replica-log.ts';

/** A partition that a broker can serve, and the broker's log of it. */
export interface Served {
  readonly partition: Partition;
  readonly log: ReplicaLog;
}

/** The partition that a request refers to. */
interface PartitionQuestion {
  readonly topic: string;
  readonly partition: number;
  /** The expected leader epoch; -1 or undefined to skip the check. */
  readonly leaderEpoch?: number;
  /** Whether a follower may answer as well. */
  readonly anyReplica?: boolean;
}

/** Returns the partition at a broker or an error code, with the checks in Kafka's order. */
export function findServed(cluster: Cluster, broker: number, question: PartitionQuestion): Served | number {
  const partition = cluster.topics.get(question.topic)?.partitions[question.partition];
  if (partition === undefined) return codes.UNKNOWN_TOPIC_OR_PARTITION;
  const log = partition.logs.get(broker);
  if (log === undefined) return codes.NOT_LEADER_OR_FOLLOWER;
  if (partition.offline.has(broker)) return codes.KAFKA_STORAGE_ERROR;
  const epoch = question.leaderEpoch ?? -1;
  if (epoch >= 0 && epoch < partition.leaderEpoch) return codes.FENCED_LEADER_EPOCH;
  if (epoch > partition.leaderEpoch) return codes.UNKNOWN_LEADER_EPOCH;
  if (partition.leader !== broker && question.anyReplica !== true) return codes.NOT_LEADER_OR_FOLLOWER;
  return { partition, log };
}
