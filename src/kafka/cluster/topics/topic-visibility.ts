import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { untilVisible } from '../../protocol/client/visibility.ts';
import { codes } from '../../protocol/wire/error-codes.ts';

/**
 * Waits until a broker reports created topics with their leaders, or no longer reports deleted ones.
 * @returns the last description of each topic, by name
 */
export async function untilReported(
  client: Client,
  names: readonly string[],
  change: 'created' | 'deleted',
): Promise<ReadonlyMap<string, TopicMetadata>> {
  const isPending = change === 'created' ? isMissing : isThere;
  const reported = new Map<string, TopicMetadata>();
  let pending = names;
  await untilVisible(client, async () => {
    if (pending.length === 0) return true;
    const { topics } = await client.metadata(pending);
    for (const topic of topics) reported.set(topic.name, topic);
    pending = topics.filter(isPending).map(({ name }) => name);
    return pending.length === 0;
  });
  return reported;
}

function isMissing({ errorCode, partitions }: TopicMetadata): boolean {
  if (errorCode === 0) return partitions.some(({ leader }) => leader < 0);
  return errorCode === codes.UNKNOWN_TOPIC_OR_PARTITION || errorCode === codes.LEADER_NOT_AVAILABLE;
}

function isThere({ errorCode }: TopicMetadata): boolean {
  return errorCode === 0 || errorCode === codes.LEADER_NOT_AVAILABLE;
}
