import type { Client } from '../client/client.ts';
import type { TopicPartitions } from '../groups/subscription.ts';
import { noUuid } from '../protocol/codec.ts';
import type { TopicIdPartitions } from '../protocol/consumer-group-heartbeat.ts';
import { metadata } from '../protocol/metadata.ts';

/** Some partitions of one topic, by its id and by its name. */
export type NamedPartitions = TopicIdPartitions & TopicPartitions;

/** Names of topics by their ids (KIP-516), learned as they are needed. */
export interface TopicIds {
  /**
   * The same with names; `names` are the topics that may be meant. An id that no broker knows is left out, and asked
   * about again the next time.
   */
  named(items: readonly TopicIdPartitions[], names: readonly string[]): Promise<readonly NamedPartitions[]>;
}

/** Knows nothing at first. */
export function createTopicIds(client: Client): TopicIds {
  const nameOf = new Map<string, string>();
  async function learn(names: readonly string[]): Promise<void> {
    const { topics } = await client.requestOnce(metadata, { topics: names }, 'any');
    for (const { name, id } of topics) if (id !== noUuid && name !== '') nameOf.set(id, name);
  }
  return {
    async named(items, names) {
      if (names.length > 0 && items.some(({ topicId }) => !nameOf.has(topicId))) await learn(names);
      return items.flatMap(({ topicId, partitions }) => {
        const topic = nameOf.get(topicId);
        if (topic === undefined) return [];
        return [{ topicId, topic, partitions: [...partitions].sort((left, right) => left - right) }];
      });
    },
  };
}
