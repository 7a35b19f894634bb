import type { Client, TopicMetadata } from '../client/client.ts';
import { type ProduceTopic, updateTopic } from './topics.ts';

/** Keeps what is known of topics fresh while they are written to. */
export interface Refresher {
  /** Takes over what metadata told. */
  update(told: readonly TopicMetadata[]): void;
  close(): void;
}

/** As often as Kafka's own clients look (`metadata.max.age.ms`). */
const refreshMs = 300_000;
/** While a partition has no leader. */
const leaderlessMs = 5_000;

/** Reads the metadata of the topics from time to time; a read that fails is left to the next one. */
export function createRefresher(client: Client, topics: ReadonlyMap<string, ProduceTopic>): Refresher {
  const { clock } = client.options.deadline;
  let cancel = (): void => undefined;
  let isClosed = false;

  function update(told: readonly TopicMetadata[]): void {
    for (const { name, errorCode, partitions } of told) {
      const topic = topics.get(name);
      if (topic !== undefined && errorCode === 0) updateTopic(topic, partitions);
    }
  }
  function arm(): void {
    const isLeaderless = topics.values().some((topic) => topic.isLeaderless);
    cancel();
    cancel = clock.after(isLeaderless ? leaderlessMs : refreshMs, () => void refresh());
  }
  async function refresh(): Promise<void> {
    try {
      update((await client.metadata([...topics.keys()])).topics);
    } catch {
      // Whoever has something to send looks for the leader by the retry rule.
    }
    if (!isClosed) arm();
  }
  arm();
  return {
    update(told) {
      update(told);
      if (!isClosed) arm();
    },
    close() {
      isClosed = true;
      cancel();
    },
  };
}
