import { partitionName } from '../../../format/partition-name.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import type { GroupMembership } from '../groups/member.ts';
import type { TopicPartition, TopicPartitions } from '../groups/subscription.ts';
import type { PartitionPosition } from './position.ts';
import type { ConsumeRequest } from './request.ts';

/** The state of reading as a group member: the assigned partitions and the positions in them. */
export interface GroupWork {
  readonly client: Client;
  readonly request: ConsumeRequest;
  readonly group: string;
  readonly membership: GroupMembership;
  /** Where reading ends in each partition that existed when it began; undefined to read without end. */
  readonly ends: ReadonlyMap<string, bigint> | undefined;
  /** Makes the reader check its source again. */
  wake(): void;
  /** Topic names. */
  subscription: readonly string[];
  /**
   * Partitions that existed when reading began, with the ids of their topics. `--offset` applies to them; later ones are
   * read from their start.
   */
  readonly first: ReadonlyMap<string, string>;
  share: readonly TopicPartitions[];
  /** The partitions of `share` that are being read; the others wait until the cluster knows them. */
  positions: readonly PartitionPosition[];
  /** Whether `positions` has changed since it was last handed out. */
  hasChanged: boolean;
  /** Topics already reported as missing. */
  readonly absent: Set<string>;
  /** Whether a topic or partitions were missing in the last discovery. */
  hasShrunk: boolean;
  /** Settles when no commit is in progress. */
  committing: Promise<unknown>;
  /** The tasks that run in the background. */
  readonly chores: Set<unknown>;
  failure: unknown;
  isClosing: boolean;
}

/** Creates the state, with the topics that exist now and nothing assigned. */
export function createGroupWork(
  given: Pick<GroupWork, 'client' | 'request' | 'group' | 'membership' | 'wake' | 'ends'>,
  topics: readonly TopicMetadata[],
): GroupWork {
  const first = topics.flatMap(({ name, id = noUuid, partitions }) =>
    partitions.map(({ partition }) => [partitionName({ topic: name, partition }), id] as const),
  );
  return {
    ...given,
    subscription: topics.map(({ name }) => name),
    first: new Map(first),
    share: [],
    positions: [],
    hasChanged: false,
    absent: new Set(),
    hasShrunk: false,
    committing: Promise.resolve(),
    chores: new Set(),
    failure: undefined,
    isClosing: false,
  };
}

/** Stops reading partitions that the cluster does not know, with one warning per topic. */
export function setAside(work: GroupWork, items: readonly TopicPartition[]): void {
  if (items.length === 0) return;
  const names = new Set(items.map(partitionName));
  // The fetcher has already reported these topics.
  for (const { topic, done } of work.positions) if (done) work.absent.add(topic);
  for (const position of work.positions) if (names.has(partitionName(position))) position.done = true;
  work.positions = work.positions.filter((position) => !names.has(partitionName(position)));
  work.hasChanged = true;
  for (const { topic } of items) {
    if (work.absent.has(topic)) continue;
    work.absent.add(topic);
    work.request.warn(`topic "${topic}" is unknown to the cluster: its partitions will be read once it exists again`);
  }
  work.wake();
}
