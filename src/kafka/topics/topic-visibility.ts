import { CliError } from '../../errors.ts';
import type { Client, TopicMetadata } from '../client/client.ts';

/** The longest wait in total, the first pause between two requests and the longest one, in milliseconds. */
const patienceMs = 5000;
const firstPauseMs = 5;
const longestPauseMs = 250;

const unknownTopic = 3;
const leaderNotAvailable = 5;

/**
 * Waits until a broker reports created topics with their leaders, or no longer reports deleted ones, so that the next
 * command sees the change. Brokers learn of it some milliseconds after the controller. Gives up silently after five
 * seconds, because the change itself is done.
 * @returns the last description of each topic, by name
 */
export async function untilReported(
  client: Client,
  names: readonly string[],
  change: 'created' | 'deleted',
): Promise<ReadonlyMap<string, TopicMetadata>> {
  const isPending = change === 'created' ? isMissing : isThere;
  const { signal, clock } = client.options.deadline;
  const end = clock.now() + patienceMs;
  const reported = new Map<string, TopicMetadata>();
  let pending = names;
  for (let pauseMs = firstPauseMs; pending.length > 0; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      const { topics } = await client.metadata(pending);
      for (const topic of topics) reported.set(topic.name, topic);
      pending = topics.filter(isPending).map(({ name }) => name);
    } catch (error) {
      if (signal.aborted || !(error instanceof CliError)) throw error;
      return reported;
    }
    if (pending.length === 0 || clock.now() + pauseMs > end) break;
    await clock.sleep(pauseMs, signal);
  }
  return reported;
}

function isMissing({ errorCode, partitions }: TopicMetadata): boolean {
  if (errorCode === 0) return partitions.some(({ leader }) => leader < 0);
  return errorCode === unknownTopic || errorCode === leaderNotAvailable;
}

function isThere({ errorCode }: TopicMetadata): boolean {
  return errorCode === 0 || errorCode === leaderNotAvailable;
}
