import { CliError, exitCodes } from '../../errors.ts';
import type { Client, ClusterMetadata, TopicMetadata } from '../client/client.ts';
import { isRetriable, kafkaErrorName } from '../errors.ts';
import { type CommittedOffset, fetchError } from '../groups/commits.ts';
import type { JoinedShare } from '../groups/member.ts';
import { isOwnedBy, type TopicPartition } from '../groups/subscription.ts';
import { type GroupWork, partitionName, setAside } from './group-work.ts';
import { planStarts } from './plan.ts';
import { createPosition, type PartitionStart } from './position.ts';

/** Reads on in what was held, begins with what is new, and drops the rest. */
export async function adopt(work: GroupWork, { share, held }: JoinedShare): Promise<void> {
  const [isAssigned, isHeld] = [isOwnedBy(share), isOwnedBy(held)];
  const isKept = (position: TopicPartition): boolean => isAssigned(position) && isHeld(position);
  for (const position of work.positions) {
    if (isKept(position)) continue;
    position.done = true;
    position.isRevoked = true;
  }
  work.share = share;
  work.positions = work.positions.filter((position) => isKept(position) && !position.done);
  work.hasChanged = true;
  const { starts, absent } = await startsOf(work, waiting(work));
  work.positions = [...work.positions, ...starts.map(createPosition)];
  setAside(work, absent);
}

/** Begins with partitions that the cluster did not know, as far as it knows them now. */
export async function openWaiting(work: GroupWork): Promise<void> {
  const { share } = work;
  // What the reading gave up because its topic was gone waits as well.
  work.positions = work.positions.filter(({ done }) => !done);
  const items = waiting(work);
  if (items.length === 0) return;
  const { starts } = await startsOf(work, items);
  // A rebalance has begun anew meanwhile.
  if (starts.length === 0 || work.share !== share || work.isClosing) return;
  work.positions = [...work.positions, ...starts.map(createPosition)];
  for (const { topic } of starts) work.absent.delete(topic);
  work.hasChanged = true;
  work.wake();
}

/** What is assigned and not read. */
function waiting({ share, positions }: GroupWork): readonly TopicPartition[] {
  const read = new Set(positions.map(partitionName));
  return share
    .flatMap(({ topic, partitions }) => partitions.map((partition) => ({ topic, partition })))
    .filter((item) => !read.has(partitionName(item)));
}

interface Starts {
  readonly starts: readonly PartitionStart[];
  /** Partitions that the cluster does not know. */
  readonly absent: readonly TopicPartition[];
}

/** Committed offsets, and `--offset` where nothing is committed. */
async function startsOf(work: GroupWork, items: readonly TopicPartition[]): Promise<Starts> {
  if (items.length === 0) return { starts: [], absent: [] };
  const { client, group, membership } = work;
  const answers = await membership.committed(items);
  const failed = answers.find(({ errorCode }) => errorCode !== 0 && !isUnknown(errorCode));
  if (failed !== undefined) throw fetchError(failed, group);
  const topics = await client.metadata([...new Set(items.map(({ topic }) => topic))]);
  const known = knownPartitions(topics);
  const isReadable = (answer: CommittedOffset): boolean => answer.errorCode === 0 && known.has(partitionName(answer));
  const readable = answers.filter(isReadable);
  const committed = readable.filter(({ offset }) => offset >= 0n);
  const missing = readable.filter(({ offset }) => offset < 0n);
  return {
    starts: [...committed.map(startOf), ...(await planMissing(work, topics.topics, missing))],
    absent: answers.filter((answer) => !isReadable(answer)),
  };
}

function startOf({ topic, partition, offset, leaderEpoch }: CommittedOffset): PartitionStart {
  return { topic, partition, offset, end: undefined, epoch: leaderEpoch };
}

/**
 * Starts of partitions without a commit. What came after the reading began is read from its start; what nobody leads,
 * or can be asked about, has to wait.
 */
async function planMissing(
  work: GroupWork,
  topics: readonly TopicMetadata[],
  missing: readonly TopicPartition[],
): Promise<readonly PartitionStart[]> {
  const { client, first } = work;
  const { range, readCommitted, warn } = work.request;
  const fromStart = { start: { at: 'start' }, end: undefined } as const;
  const byAge = Map.groupBy(missing, (item) => first.has(partitionName(item)));
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

/** Those of `items` that the cluster does not know. */
export async function absentOf(client: Client, items: readonly TopicPartition[]): Promise<readonly TopicPartition[]> {
  const known = knownPartitions(await client.metadata([...new Set(items.map(({ topic }) => topic))]));
  return items.filter((item) => !known.has(partitionName(item)));
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
