import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { compileLoosePatterns } from '../../protocol/partitions/name-words.ts';
import { askOffsets } from '../../protocol/partitions/offsets.ts';
import { offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';
import { discover } from './discovery.ts';
import { existingTopics, planStarts } from './plan.ts';
import { createPosition, type PartitionPosition } from './position.ts';
import type { ConsumeRequest } from './request.ts';

/** A source of positions: the topics themselves, or a group. */
export interface PositionSource {
  /** The topics to read that were found when the source was opened. */
  readonly topics: readonly TopicMetadata[];
  /** Returns the initial positions. */
  open(): Promise<readonly PartitionPosition[]>;
  /** Does what is due (commits, rebalances, new partitions); returns the positions if they have changed. */
  tick(due: Due): Promise<readonly PartitionPosition[] | undefined>;
  /** Returns a promise to wait for before printing; a group may have given the partitions to another member. */
  readonly confirmed?: () => Promise<void> | undefined;
  /**
   * Commits the printed offsets, and those being printed if `printed` resolves in time, and leaves the group. What could
   * not be committed is reported to `tell`; by default as a warning.
   */
  close(printed?: Promise<void>, tell?: (line: string) => void): Promise<void>;
}

/** The periodic tasks that are due. */
export interface Due {
  readonly commit: boolean;
  readonly discovery: boolean;
}

/** Reads metadata of the topics that a request names, or that match its patterns now. */
export async function requestedTopics(client: Client, request: ConsumeRequest): Promise<readonly TopicMetadata[]> {
  if (!request.regex) return existingTopics(client, request.topics, request.partitions);
  const matches = compileLoosePatterns(request.topics);
  const { topics } = await client.metadata('all');
  return topics.filter((topic) => !topic.internal && topic.errorCode === 0 && matches(topic.name));
}

/** Returns the time of the newest record; undefined if it is not known: if no record has a time, or the brokers cannot say it. */
export async function newestTime(client: Client, topics: readonly TopicMetadata[]): Promise<number | undefined> {
  const query = { time: offsetTimes.maxTimestamp, isolation: 'uncommitted', reportsLeaderless: true } as const;
  const answers = await askOffsets(client, topics, query);
  const rows = [...answers.values()].flatMap((partitions) => [...partitions.values()]);
  const newest = Math.max(-1, ...rows.map(({ timestamp }) => Number(timestamp)));
  return newest < 0 || rows.some(({ error }) => error !== undefined) ? undefined : newest;
}

/** Opens a source of all requested partitions, without a group; an unbounded read also picks up new partitions. */
export async function openTopicSource(
  client: Client,
  request: ConsumeRequest,
  wake: () => void,
): Promise<PositionSource> {
  const topics = await requestedTopics(client, request);
  const { range, readCommitted, warn, filter } = request;
  const starts = await planStarts(client, { topics, range, readCommitted, warn, bounds: filter?.filter.bounds });
  let positions: readonly PartitionPosition[] = starts.map(createPosition);
  let discovered: readonly PartitionPosition[] | undefined;
  let isLooking = false;
  // Runs in the background, so that printing continues even if no broker answers. Errors are ignored: the next look
  // follows soon, and the fetcher handles partitions that can no longer be read.
  const look = async (): Promise<void> => {
    isLooking = true;
    discovered = await discover(client, request, positions).catch(() => undefined);
    isLooking = false;
    if (discovered !== undefined) wake();
  };
  return {
    topics,
    open: async () => positions,
    async tick({ discovery }) {
      if (discovery && range.end === undefined && !isLooking) void look();
      if (discovered === undefined) return undefined;
      positions = discovered;
      discovered = undefined;
      return positions;
    },
    close: async () => undefined,
  };
}
