import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { isRetriable } from '../../protocol/errors.ts';
import { compileLoosePatterns } from '../../protocol/partitions/name-words.ts';
import { openWaiting } from './group-share.ts';
import type { GroupWork } from './group-work.ts';
import { existingTopics } from './plan.ts';
import type { ConsumeRequest } from './request.ts';

/** Reads the topics to subscribe to: the named ones, which must exist if `how` is strict, or all that match now. */
export async function subscribedTopics(
  client: Client,
  request: ConsumeRequest,
  how: 'strict' | 'lenient',
): Promise<readonly TopicMetadata[]> {
  if (!request.regex) {
    if (how === 'strict') return existingTopics(client, request.topics, request.partitions);
    return (await client.metadata(request.topics)).topics;
  }
  const matches = compileLoosePatterns(request.topics);
  const { topics } = await client.metadata('all');
  return topics.filter(({ name, internal, partitions }) => !internal && partitions.length > 0 && matches(name));
}

/**
 * Requests a rebalance if the patterns match other topics than before, or if this member assigns and a topic's
 * partitions have changed; otherwise starts to read partitions that were unknown to the cluster and no longer are.
 */
export async function discover(work: GroupWork): Promise<void> {
  try {
    if (await hasNewTopics(work)) work.membership.requestRejoin();
    else await openWaiting(work);
  } catch (error) {
    // The next round may succeed; if the cluster is gone, the fetcher reports it.
    if (!isRetriable(error)) throw error;
  }
}

async function hasNewTopics(work: GroupWork): Promise<boolean> {
  const { request, membership } = work;
  const before = new Map(membership.watched);
  if (request.regex) for (const name of work.subscription) if (!before.has(name)) before.set(name, 1);
  if (before.size === 0 && !request.regex) return false;
  const matching = request.regex ? await subscribedTopics(work.client, request, 'lenient') : [];
  const now = await partitionCounts(work, matching);
  const isMore = [...now].some(([name, count]) => count > (before.get(name) ?? 0) && isWatched(work, name, before));
  const isLess = [...before].some(([name, count]) => (now.get(name) ?? 0) < count);
  // A broker may lag behind: something counts as gone only if it is missing twice in a row.
  const isGone = isLess && work.hasShrunk;
  work.hasShrunk = isLess && !isGone;
  if (!isMore && !isGone) return false;
  if (request.regex) work.subscription = matching.map(({ name }) => name);
  return true;
}

/** The number of partitions of these topics, and of those that the membership watches. */
async function partitionCounts(
  { client, membership }: GroupWork,
  topics: readonly TopicMetadata[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(topics.map(({ name, partitions }) => [name, partitions.length]));
  const others = [...membership.watched.keys()].filter((name) => !counts.has(name));
  if (others.length === 0) return counts;
  for (const { name, partitions } of (await client.metadata(others)).topics) counts.set(name, partitions.length);
  return counts;
}

/** Whether changes of a topic matter: a member that does not assign looks for new topics only. */
function isWatched({ membership }: GroupWork, name: string, before: ReadonlyMap<string, number>): boolean {
  return membership.watched.has(name) || !before.has(name);
}
