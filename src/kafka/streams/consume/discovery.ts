import { partitionName } from '../../../format/partition-name.ts';
import type { Client, PartitionMetadata, TopicMetadata } from '../../protocol/client/client.ts';
import { compileLoosePatterns } from '../../protocol/partitions/name-words.ts';
import { recreationWarning } from './leaders.ts';
import { planStarts } from './plan.ts';
import { compareTopic, createPosition, type PartitionPosition } from './position.ts';
import type { ConsumeRequest } from './request.ts';

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
export async function discover(
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
