import type { Client, TopicMetadata } from '../client/client.ts';
import { compileLoosePatterns } from '../topics/name-patterns.ts';
import { discover } from './discovery.ts';
import { existingTopics, planStarts } from './plan.ts';
import { createPosition, type PartitionPosition } from './position.ts';
import type { ConsumeRequest } from './request.ts';

/** Where positions come from: the topics themselves, or a group. */
export interface PositionSource {
  /** The positions to begin with. */
  open(): Promise<readonly PartitionPosition[]>;
  /** Does what is due (commits, rebalances, new partitions); the new positions when they changed. */
  tick(due: Due): Promise<readonly PartitionPosition[] | undefined>;
  /** Commits what was printed, and what is being printed if `printed` resolves in time, and leaves. */
  close(printed?: Promise<void>): Promise<void>;
}

/** What the clock says. */
export interface Due {
  readonly commit: boolean;
  readonly discovery: boolean;
}

/** Metadata of what a request names: the topics themselves, or those that match its patterns now. */
export async function requestedTopics(client: Client, request: ConsumeRequest): Promise<readonly TopicMetadata[]> {
  if (!request.regex) return existingTopics(client, request.topics, request.partitions);
  const matches = compileLoosePatterns(request.topics);
  const { topics } = await client.metadata('all');
  return topics.filter((topic) => !topic.internal && topic.errorCode === 0 && matches(topic.name));
}

/** All wanted partitions, without a group; new ones join in when nothing bounds the reading. */
export async function openTopicSource(
  client: Client,
  request: ConsumeRequest,
  wake: () => void,
): Promise<PositionSource> {
  const topics = await requestedTopics(client, request);
  const { range, readCommitted, warn } = request;
  const starts = await planStarts(client, { topics, range, readCommitted, warn });
  let positions: readonly PartitionPosition[] = starts.map(createPosition);
  let found: readonly PartitionPosition[] | undefined;
  let isLooking = false;
  // In the background: printing goes on even if no broker answers. What goes wrong is no reason to end: the next look
  // is soon, and a partition that cannot be read any more is the fetcher's to judge.
  const look = async (): Promise<void> => {
    isLooking = true;
    found = await discover(client, request, positions).catch(() => undefined);
    isLooking = false;
    if (found !== undefined) wake();
  };
  return {
    open: async () => positions,
    async tick({ discovery }) {
      if (discovery && range.end === undefined && !isLooking) void look();
      if (found === undefined) return undefined;
      positions = found;
      found = undefined;
      return positions;
    },
    close: async () => undefined,
  };
}
