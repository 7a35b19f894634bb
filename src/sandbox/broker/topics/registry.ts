import type { Cluster, Topic, Topics } from '../cluster-parts.ts';
import { elect } from '../replication/election.ts';
import { createPartition, notify } from '../replication/partition.ts';
import { stopTimers } from '../replication/replicate.ts';

/** Creates an empty registry. */
export function createTopics(cluster: () => Cluster): Topics {
  const byName = new Map<string, Topic>();
  const byId = new Map<string, Topic>();
  const grow = (topic: Topic, partitions: readonly (readonly number[])[]): void => {
    for (const replicas of partitions) {
      const partition = createPartition(topic, topic.partitions.length, replicas);
      topic.partitions.push(partition);
      elect(cluster(), partition);
      if (partition.leader < 0) partition.leaderEpoch = 0;
    }
    cluster().publish(topic);
  };
  return {
    get: (name) => byName.get(name),
    byId: (id) => byId.get(id),
    all: () => byName.values(),
    grow,
    create({ name, isInternal = false, partitions, configs }) {
      const topic: Topic = { name, id: randomId(cluster()), isInternal, partitions: [], configs: new Map(configs) };
      byName.set(name, topic);
      byId.set(topic.id, topic);
      grow(topic, partitions);
      return topic;
    },
    delete(topic) {
      byName.delete(topic.name);
      byId.delete(topic.id);
      for (const partition of topic.partitions) {
        partition.isDeleted = true;
        partition.leader = -1;
        for (const follower of partition.followers.values()) stopTimers(follower);
        notify(partition);
      }
      cluster().publish(topic);
    },
  };
}

/** Creates a topic id: 16 random bytes in base64url. */
function randomId({ clock }: Cluster): string {
  const bytes = Buffer.alloc(16);
  for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32BE(Math.floor(clock.random() * 0x1_0000_0000), at);
  return bytes.toString('base64url');
}

/** Assigns replicas round-robin: each partition starts at the next broker. */
export function assignReplicas(
  brokers: readonly number[],
  first: number,
  shape: { readonly partitions: number; readonly replicas: number },
): readonly (readonly number[])[] {
  return Array.from({ length: shape.partitions }, (_partition, index) =>
    Array.from(
      { length: shape.replicas },
      (_replica, place) => brokers[(first + index + place) % brokers.length] as number,
    ),
  );
}
