import { CliError } from '../../errors.ts';
import type { Client, TopicMetadata } from '../client/client.ts';

/** How long to wait at most, and between two looks at first and at most, in milliseconds. */
const patienceMs = 5000;
const firstPauseMs = 5;
const longestPauseMs = 250;

const unknownTopic = 3;
const leaderNotAvailable = 5;

/**
 * Waits until brokers report what the controller has done, so that the next command finds a new topic with its
 * leaders, and no longer finds a deleted one. A broker learns of it some milliseconds late. Gives up silently after
 * five seconds, since the work itself is done.
 * @returns what was reported last, by name
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
