import type { Client, TopicMetadata } from '../client/client.ts';
import type { GroupMembership } from '../groups/member.ts';
import type { TopicPartition, TopicPartitions } from '../groups/subscription.ts';
import type { PartitionPosition } from './position.ts';
import type { ConsumeRequest } from './request.ts';

/** Reading as a member of a group: what is assigned, and how far it is read. */
export interface GroupWork {
  readonly client: Client;
  readonly request: ConsumeRequest;
  readonly group: string;
  readonly membership: GroupMembership;
  /** Makes the reading look at its source again. */
  wake(): void;
  /** Names of topics. */
  subscription: readonly string[];
  /** Partitions that there were when the reading began: `--offset` is for them, what came later is read from its start. */
  readonly first: ReadonlySet<string>;
  share: readonly TopicPartitions[];
  /** What is read of `share`; the rest waits until the cluster knows it. */
  positions: readonly PartitionPosition[];
  /** `positions` is another list than the one handed out last. */
  hasChanged: boolean;
  /** Topics whose absence was told. */
  readonly absent: Set<string>;
  /** A topic, or partitions, were missing at the last discovery. */
  hasShrunk: boolean;
  /** Settled when no commit is under way. */
  committing: Promise<unknown>;
  /** What is being done in the background. */
  readonly chores: Set<unknown>;
  failure: unknown;
  isClosing: boolean;
}

/** Begins with the topics as they are known now, and nothing assigned. */
export function createGroupWork(
  given: Pick<GroupWork, 'client' | 'request' | 'group' | 'membership' | 'wake'>,
  topics: readonly TopicMetadata[],
): GroupWork {
  const first = topics.flatMap(({ name, partitions }) =>
    partitions.map(({ partition }) => partitionName({ topic: name, partition })),
  );
  return {
    ...given,
    ...{ subscription: topics.map(({ name }) => name), first: new Set(first), share: [], positions: [] },
    ...{ hasChanged: false, absent: new Set(), hasShrunk: false, committing: Promise.resolve(), chores: new Set() },
    ...{ failure: undefined, isClosing: false },
  };
}

/** For sets and maps of partitions. */
export function partitionName({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}

/** Stops reading partitions that the cluster does not know, and says so once for each topic. */
export function setAside(work: GroupWork, items: readonly TopicPartition[]): void {
  if (items.length === 0) return;
  const names = new Set(items.map(partitionName));
  // The reading has noticed, and told, before.
  for (const { topic, done } of work.positions) if (done) work.absent.add(topic);
  for (const position of work.positions) if (names.has(partitionName(position))) position.done = true;
  work.positions = work.positions.filter((position) => !names.has(partitionName(position)));
  work.hasChanged = true;
  for (const { topic } of items) {
    if (work.absent.has(topic)) continue;
    work.absent.add(topic);
    work.request.warn(`topic "${topic}" is unknown to the cluster: its partitions are read when it is back`);
  }
  work.wake();
}
