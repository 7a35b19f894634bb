import type { Client, TopicMetadata } from '../client/client.ts';
import { recreatedWarning } from './loss.ts';
import { type ProduceTopic, updateTopic } from './topics.ts';

/** Keeps the metadata of topics up to date while they are written to. */
export interface Refresher {
  /** Applies an answer to a metadata request. */
  update(told: readonly TopicMetadata[]): void;
  close(): void;
}

/** How often metadata is read, in milliseconds; the default of Kafka's own clients (`metadata.max.age.ms`). */
const refreshMs = 300_000;
/** How often metadata is read while a partition has no leader, in milliseconds. */
const leaderlessMs = 5_000;

/** Reads the metadata of the topics at intervals; after a failed read the next interval tries again. */
export function openRefresher(
  client: Client,
  topics: ReadonlyMap<string, ProduceTopic>,
  warn: (line: string) => void,
): Refresher {
  const { clock } = client.options.deadline;
  let cancel = (): void => undefined;
  let isClosed = false;

  function update(told: readonly TopicMetadata[]): void {
    for (const one of told) {
      const topic = topics.get(one.name);
      if (topic === undefined || one.errorCode !== 0 || !updateTopic(topic, one)) continue;
      warn(recreatedWarning(topic.name, topic.lanes));
      for (const { acknowledged } of topic.lanes) acknowledged.inTopic = 0;
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
      // Lanes with something to send look for their leader by the retry rule.
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
