import { CliError, exitCodes } from '../../../errors.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { ClusterMetadata, TopicMetadata } from '../../protocol/client/client.ts';
import { isRetriable, kafkaErrorName } from '../../protocol/errors.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import { type CommittedOffset, fetchError } from '../groups/commits.ts';
import type { JoinedShare } from '../groups/member.ts';
import { isOwnedBy, type TopicPartition } from '../groups/subscription.ts';
import { type GroupWork, setAside } from './group-work.ts';
import { planStarts } from './plan.ts';
import { createPosition, type PartitionPosition, type PartitionStart } from './position.ts';

/** Keeps the positions of held partitions, adds positions for new ones, and drops the rest. */
export async function adopt(work: GroupWork, { share, held }: JoinedShare): Promise<void> {
  const [isAssigned, isHeld] = [isOwnedBy(share), isOwnedBy(held)];
  const isKept = (position: TopicPartition): boolean => isAssigned(position) && isHeld(position);
  for (const position of work.positions) {
    if (isKept(position)) continue;
    position.done = true;
    position.isRevoked = true;
  }
  work.share = share;
  work.positions = work.positions.filter((position) => isKept(position) && isOpen(work, position));
  work.hasChanged = true;
  const { starts, absent } = await startsOf(work, waiting(work));
  openPositions(work, starts);
  setAside(work, absent.filter(isUnopened(work)));
}

/** Starts to read assigned partitions that were unknown to the cluster and are known now. */
export async function openWaiting(work: GroupWork): Promise<void> {
  const { share } = work;
  // Partitions that the fetcher dropped because their topic was gone wait as well.
  work.positions = work.positions.filter((position) => isOpen(work, position));
  const items = waiting(work);
  if (items.length === 0) return;
  const { starts } = await startsOf(work, items);
  // A rebalance may have changed the share while offsets were being read.
  if (starts.length === 0 || work.share !== share || work.isClosing) return;
  openPositions(work, starts);
  for (const { topic } of starts) work.absent.delete(topic);
  work.hasChanged = true;
  work.wake();
}

/** Whether a partition is being read, or was read to its end. */
function isOpen({ ends }: GroupWork, { done }: PartitionPosition): boolean {
  return !done || ends !== undefined;
}

/** Adds positions; a partition that has been opened while its offsets were being read here keeps the one it has. */
function openPositions(work: GroupWork, starts: readonly PartitionStart[]): void {
  work.positions = [...work.positions, ...starts.filter(isUnopened(work)).map(createPosition)];
}

function isUnopened({ positions }: GroupWork): (item: TopicPartition) => boolean {
  const open = new Set(positions.map(partitionName));
  return (item) => !open.has(partitionName(item));
}

/** Returns the assigned partitions that are not being read. */
function waiting(work: GroupWork): readonly TopicPartition[] {
  return work.share
    .flatMap(({ topic, partitions }) => partitions.map((partition) => ({ topic, partition })))
    .filter(isUnopened(work));
}

interface Starts {
  readonly starts: readonly PartitionStart[];
  /** Partitions that the cluster does not know. */
  readonly absent: readonly TopicPartition[];
}

/** Resolves starts from committed offsets, or from `--offset` for partitions without a commit. */
async function startsOf(work: GroupWork, items: readonly TopicPartition[]): Promise<Starts> {
  if (items.length === 0) return { starts: [], absent: [] };
  const { client, group, membership } = work;
  const answers = await membership.committed(items);
  const failed = answers.find(({ errorCode }) => errorCode !== 0 && !isUnknown(errorCode));
  if (failed !== undefined) throw fetchError(failed, group);
  const topics = await client.metadata([...new Set(items.map(({ topic }) => topic))]);
  const existing = knownPartitions(topics);
  const isReadable = (answer: CommittedOffset): boolean =>
    answer.errorCode === 0 && existing.has(partitionName(answer));
  const readable = answers.filter(isReadable);
  const committed = readable.filter(({ offset }) => offset >= 0n);
  const missing = readable.filter(({ offset }) => offset < 0n);
  return {
    starts: [...committed.map(startOf), ...(await planMissing(work, topics.topics, missing))].map(ending(work)),
    absent: answers.filter((answer) => !isReadable(answer)),
  };
}

/** Sets the end of a partition; there is none to read of one that is newer than the reading. */
function ending({ ends }: GroupWork): (start: PartitionStart) => PartitionStart {
  return (start) => ({
    ...start,
    end: ends === undefined ? undefined : (ends.get(partitionName(start)) ?? start.offset),
  });
}

function startOf({ topic, topicId, partition, offset, leaderEpoch }: CommittedOffset): PartitionStart {
  return { topic, topicId, partition, offset, end: undefined, epoch: leaderEpoch };
}

/**
 * Resolves the starts of partitions without a commit. Partitions created after reading began are read from their start;
 * those without a leader, or whose offsets cannot be read, have to wait.
 */
async function planMissing(
  work: GroupWork,
  topics: readonly TopicMetadata[],
  missing: readonly TopicPartition[],
): Promise<readonly PartitionStart[]> {
  const { client, first } = work;
  const { range, readCommitted, warn } = work.request;
  const fromStart = { start: { at: 'start' }, end: undefined } as const;
  const idOf = new Map(topics.map(({ name, id = noUuid }) => [name, id]));
  const byAge = Map.groupBy(missing, (item) => first.get(partitionName(item)) === idOf.get(item.topic));
  const starts = [...byAge].map(async ([isOld, items]) => {
    const asked = { topics: select(topics, items), range: isOld ? range : fromStart, readCommitted, warn };
    try {
      return asked.topics.length === 0 ? [] : await planStarts(client, asked);
    } catch (error) {
      if (isRetriable(error) || (error instanceof CliError && error.exitCode === exitCodes.notFound)) return [];
      throw error;
    }
  });
  return (await Promise.all(starts)).flat();
}

function select(topics: readonly TopicMetadata[], items: readonly TopicPartition[]): readonly TopicMetadata[] {
  const wanted = new Set(items.map(partitionName));
  return topics
    .map((topic) => ({
      ...topic,
      partitions: topic.partitions.filter(
        ({ partition, leader }) => leader >= 0 && wanted.has(partitionName({ topic: topic.name, partition })),
      ),
    }))
    .filter(({ partitions }) => partitions.length > 0);
}

/** Returns the partitions in `items` that the cluster does not know. */
export function absentOf(metadata: ClusterMetadata, items: readonly TopicPartition[]): readonly TopicPartition[] {
  const existing = knownPartitions(metadata);
  return items.filter((item) => !existing.has(partitionName(item)));
}

function knownPartitions({ topics }: ClusterMetadata): ReadonlySet<string> {
  return new Set(
    topics.flatMap(({ name, partitions }) =>
      partitions.map(({ partition }) => partitionName({ topic: name, partition })),
    ),
  );
}

function isUnknown(code: number): boolean {
  return kafkaErrorName(code).startsWith('UNKNOWN_TOPIC');
}
