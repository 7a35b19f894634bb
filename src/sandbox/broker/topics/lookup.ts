import type { Cluster } from '../cluster-parts.ts';
import { codes } from '../error-codes.ts';
import type { ReplicaLog } from '../log/replica-log.ts';
import type { Partition } from '../replication/partition.ts';

/** A partition that a broker may serve. */
export interface Served {
  readonly partition: Partition;
  readonly log: ReplicaLog;
}

/** What a request says about the partition that it means. */
export interface PartitionQuestion {
  readonly topic: string;
  readonly partition: number;
  /** -1: not checked. */
  readonly leaderEpoch?: number;
  /** A follower may answer, too. */
  readonly anyReplica?: boolean;
}

/** The partition on a broker, or the error code for it, checked in the order of Kafka. */
export function findServed(cluster: Cluster, broker: number, question: PartitionQuestion): Served | number {
  const found = cluster.topics.get(question.topic)?.partitions[question.partition];
  if (found === undefined) return codes.UNKNOWN_TOPIC_OR_PARTITION;
  const log = found.logs.get(broker);
  if (log === undefined) return codes.NOT_LEADER_OR_FOLLOWER;
  const epoch = question.leaderEpoch ?? -1;
  if (epoch >= 0 && epoch < found.leaderEpoch) return codes.FENCED_LEADER_EPOCH;
  if (epoch > found.leaderEpoch) return codes.UNKNOWN_LEADER_EPOCH;
  if (found.leader !== broker && question.anyReplica !== true) return codes.NOT_LEADER_OR_FOLLOWER;
  return { partition: found, log };
}
