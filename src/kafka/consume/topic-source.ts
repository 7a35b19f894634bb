import type { Client, TopicMetadata } from '../client/client.ts';
import { compileLoosePatterns } from '../name-patterns.ts';
import { existingTopics, planStarts } from './plan.ts';
import { createPosition, type PartitionPosition } from './position.ts';
import type { ConsumeRequest } from './request.ts';

/** Where positions come from: the topics themselves, or a group. */
export interface PositionSource {
  /** The positions to begin with. */
  open(): Promise<readonly PartitionPosition[]>;
  /** Does what is due (commits, rebalances, new partitions); the new positions when they changed. */
  tick(due: Due): Promise<readonly PartitionPosition[] | undefined>;
  /** Commits what was printed and leaves. */
  close(): Promise<void>;
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
export async function openTopicSource(client: Client, request: ConsumeRequest): Promise<PositionSource> {
  const topics = await requestedTopics(client, request);
  const { range, readCommitted, warn } = request;
  const starts = await planStarts(client, { topics, range, readCommitted, warn });
  let positions: readonly PartitionPosition[] = starts.map(createPosition);
  const mayGrow = range.end === undefined && request.partitions.length === 0;
  return {
    open: async () => positions,
    async tick({ discovery }) {
      if (!(discovery && mayGrow)) return undefined;
      const known = new Set(positions.map(({ topic, partition }) => `${topic}/${partition}`));
      const added = withoutKnown(await requestedTopics(client, request), known);
      if (added.length === 0) return undefined;
      // Whatever a new partition holds came after this began.
      const fromStart = {
        topics: added,
        range: { start: { at: 'start' }, end: undefined },
        readCommitted,
        warn,
      } as const;
      positions = [...positions, ...(await planStarts(client, fromStart)).map(createPosition)];
      return positions;
    },
    close: async () => undefined,
  };
}

function withoutKnown(topics: readonly TopicMetadata[], known: ReadonlySet<string>): readonly TopicMetadata[] {
  return topics
    .map((topic) => ({
      ...topic,
      partitions: topic.partitions.filter(({ partition }) => !known.has(`${topic.name}/${partition}`)),
    }))
    .filter((topic) => topic.partitions.length > 0);
}
