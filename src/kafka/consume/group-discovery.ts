import type { Client, TopicMetadata } from '../client/client.ts';
import { isRetriable } from '../errors.ts';
import { compileLoosePatterns } from '../topics/name-patterns.ts';
import { openWaiting } from './group-share.ts';
import type { GroupWork } from './group-work.ts';
import { existingTopics } from './plan.ts';
import type { ConsumeRequest } from './request.ts';

/**
 * The topics to subscribe to: those named, which must exist where `how` is strict, or those that match now, perhaps
 * none.
 */
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
 * Asks for a rebalance when patterns match other topics, or when this member assigns and a topic has other partitions
 * than before; reads what was unknown to the cluster and no longer is.
 */
export async function discover(work: GroupWork): Promise<void> {
  try {
    if (await hasNewTopics(work)) work.membership.requestRejoin();
    else await openWaiting(work);
  } catch (error) {
    // The next round may find somebody to ask; a cluster that is gone is noticed by the reading.
    if (!isRetriable(error)) throw error;
  }
}

async function hasNewTopics(work: GroupWork): Promise<boolean> {
  const { client, request, membership } = work;
  const before = new Map(membership.watched);
  if (request.regex) for (const name of work.subscription) if (!before.has(name)) before.set(name, 1);
  if (before.size === 0 && !request.regex) return false;
  const found = request.regex ? await subscribedTopics(client, request, 'lenient') : [];
  const now = new Map(found.map(({ name, partitions }) => [name, partitions.length]));
  const others = [...membership.watched.keys()].filter((name) => !now.has(name));
  if (others.length > 0) {
    for (const { name, partitions } of (await client.metadata(others)).topics) now.set(name, partitions.length);
  }
  const isMore = [...now].some(([name, count]) => count > (before.get(name) ?? 0) && isWatched(work, name, before));
  const isLess = [...before].some(([name, count]) => (now.get(name) ?? 0) < count);
  // One broker may be behind: what is gone must be gone twice in a row.
  const isGone = isLess && work.hasShrunk;
  work.hasShrunk = isLess && !isGone;
  if (!(isMore || isGone)) return false;
  if (request.regex) work.subscription = found.map(({ name }) => name);
  return true;
}

/** A member that does not assign looks for new topics only. */
function isWatched({ membership }: GroupWork, name: string, before: ReadonlyMap<string, number>): boolean {
  return membership.watched.has(name) || !before.has(name);
}
