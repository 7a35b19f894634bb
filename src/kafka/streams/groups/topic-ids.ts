import type { Client } from '../../protocol/client/client.ts';
import { aboutTopics } from '../../protocol/client/cluster-metadata.ts';
import { metadata } from '../../protocol/wire/apis/metadata.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import type { TopicPartitions } from './subscription.ts';

/** Partitions of a topic, which is named by its id. */
export interface TopicIdPartitions {
  readonly topicId: string;
  readonly partitions: readonly number[];
}

/** Partitions of one topic, with the topic's id and name. */
export type NamedPartitions = TopicIdPartitions & TopicPartitions;

/** Topic names by topic id (KIP-516), read from the cluster when needed. */
export interface TopicIds {
  /**
   * Adds topic names to `items`; `names` lists the topics that the ids may belong to. An id that the broker does not
   * know is left out and asked about again in the next call.
   */
  named(items: readonly TopicIdPartitions[], names: readonly string[]): Promise<readonly NamedPartitions[]>;
}

/** Creates an empty set of topic names. */
export function createTopicIds(client: Client): TopicIds {
  const nameOf = new Map<string, string>();
  async function learn(names: readonly string[]): Promise<void> {
    const { topics } = await client.requestOnce(metadata, aboutTopics(names), 'any');
    for (const { name = '', topicId } of topics) if (topicId !== noUuid && name !== '') nameOf.set(topicId, name);
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
