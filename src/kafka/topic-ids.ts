import type { Client } from './client/client.ts';
import type { TopicPartitions } from './groups/subscription.ts';
import { noUuid } from './protocol/codec.ts';
import type { TopicIdPartitions } from './protocol/consumer-group-heartbeat.ts';
import { metadata } from './protocol/metadata.ts';

/** Names of topics and their ids (KIP-516), learned as they are needed. */
export interface TopicIds {
  /** By name what is by id; `names` are the topics that may be meant, others are left out. */
  named(items: readonly TopicIdPartitions[], names: readonly string[]): Promise<readonly TopicPartitions[]>;
  /** By id what is by name; topics without an id are left out. */
  numbered(items: readonly TopicPartitions[]): Promise<readonly TopicIdPartitions[]>;
}

/** Knows nothing at first. */
export function createTopicIds(client: Client): TopicIds {
  const nameOf = new Map<string, string>();
  const idOf = new Map<string, string>();
  async function learn(names: readonly string[]): Promise<void> {
    const { topics } = await client.request(metadata, { topics: names });
    for (const { name, id } of topics) {
      if (id === noUuid || name === '') continue;
      nameOf.set(id, name);
      idOf.set(name, id);
    }
  }
  return {
    async named(items, names) {
      if (items.some(({ topicId }) => !nameOf.has(topicId))) await learn(names);
      return items.flatMap(({ topicId, partitions }) => {
        const topic = nameOf.get(topicId);
        return topic === undefined ? [] : [{ topic, partitions: [...partitions].sort((left, right) => left - right) }];
      });
    },
    async numbered(items) {
      const unknown = items.filter(({ topic }) => !idOf.has(topic)).map(({ topic }) => topic);
      if (unknown.length > 0) await learn(unknown);
      return items.flatMap(({ topic, partitions }) => {
        const topicId = idOf.get(topic);
        return topicId === undefined ? [] : [{ topicId, partitions }];
      });
    },
  };
}
