import { partitionName } from '../../../format/partition-name.ts';
import type { Client, PartitionMetadata, TopicMetadata } from '../../protocol/client/client.ts';
import { compileLoosePatterns } from '../../protocol/partitions/name-words.ts';
import { askOffsets } from '../../protocol/partitions/offsets.ts';
import { offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';
import { recreationWarning } from './leaders.ts';
import { existingTopics, planStarts } from './plan.ts';
import { compareTopic, createPosition, type PartitionPosition } from './position.ts';
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

/** The result of comparing the current topics with the positions. */
interface Look {
  readonly kept: PartitionPosition[];
  /** Partitions to read from their start, each with the position that it replaces, if any. */
  readonly added: Map<string, PartitionPosition | undefined>;
  hasRevived: boolean;
}

/**
 * Finds new partitions and topics, and topics that were deleted and created again; they are read from their start.
 * Positions whose partitions metadata does not know, or reports as unreadable, stay as they are.
 * @returns all positions to read from now on; undefined if nothing has changed
 */
async function discover(
  client: Client,
  request: ConsumeRequest,
  positions: readonly PartitionPosition[],
): Promise<readonly PartitionPosition[] | undefined> {
  const topics = await presentTopics(client, request);
  const look = compare(topics, positions, request);
  if (look.added.size === 0) return look.hasRevived ? look.kept : undefined;
  const range = { start: { at: 'start' }, end: undefined } as const;
  const { readCommitted, warn } = request;
  const wanted = topics.map((topic) => ({
    ...topic,
    partitions: topic.partitions.filter(({ partition }) =>
      look.added.has(partitionName({ topic: topic.name, partition })),
    ),
  }));
  const starts = await planStarts(client, {
    topics: wanted.filter(({ partitions }) => partitions.length > 0),
    range,
    readCommitted,
    warn,
  });
  const replaced = new Set<string>();
  const added = starts.map((start) => {
    const position = createPosition(start);
    const former = look.added.get(partitionName({ topic: start.topic, partition: start.partition }));
    if (former === undefined) return position;
    if (!former.done) replaced.add(former.topic);
    former.done = true;
    if (former.topicId !== undefined) position.formerIds = [...former.formerIds, former.topicId];
    return position;
  });
  for (const topic of replaced) warn(recreationWarning(topic, false));
  return [...look.kept, ...added];
}

async function presentTopics(client: Client, request: ConsumeRequest): Promise<readonly TopicMetadata[]> {
  const { topics } = await client.metadata(request.regex ? 'all' : request.topics);
  const matches = request.regex ? compileLoosePatterns(request.topics) : () => true;
  return topics.filter((topic) => topic.errorCode === 0 && !(request.regex && topic.internal) && matches(topic.name));
}

function compare(
  topics: readonly TopicMetadata[],
  positions: readonly PartitionPosition[],
  request: ConsumeRequest,
): Look {
  const previous = new Map(
    positions.map((position) => [partitionName({ topic: position.topic, partition: position.partition }), position]),
  );
  const look: Look = { kept: [], added: new Map(), hasRevived: false };
  for (const topic of topics) {
    for (const row of topic.partitions) {
      const name = partitionName({ topic: topic.name, partition: row.partition });
      const position = previous.get(name);
      if (!isNew(topic, row, position, request)) continue;
      if (position?.done && isRevived(position, topic)) {
        revive(position);
        look.hasRevived = true;
      } else {
        look.added.set(name, position);
        previous.delete(name);
      }
    }
  }
  for (const position of previous.values()) look.kept.push(position);
  return look;
}

/** Whether a partition should be read but is not being read. */
function isNew(
  topic: TopicMetadata,
  { leader }: PartitionMetadata,
  position: PartitionPosition | undefined,
  { partitions }: ConsumeRequest,
): boolean {
  // A partition without a leader has to wait for the next discovery, so that it does not delay the others.
  if (leader < 0) return false;
  if (position === undefined) return partitions.length === 0;
  const which = compareTopic(position, topic.id);
  return which === 'recreated' || (which === 'same' && position.done);
}

/** Whether a topic that was dropped as deleted has returned unchanged: the brokers' metadata lacked it for a while. */
function isRevived(position: PartitionPosition, topic: TopicMetadata): boolean {
  return position.topicId !== undefined && position.topicId === topic.id;
}

function revive(position: PartitionPosition): void {
  position.done = false;
  position.failedSince = undefined;
  position.failures = 0;
}
