import { partitionName } from '../../../format/partition-name.ts';
import type { Balancer } from './balancer-words.ts';
import type { GroupMember, PartitionCounts, TopicPartition, TopicPartitions } from './subscription.ts';

/** The share of each member, by member id. */
type Shares = ReadonlyMap<string, readonly TopicPartitions[]>;

/** Assigns the partitions of all subscribed topics to `members`; the task of the group leader. */
export function assignPartitions(
  balancer: Balancer,
  members: readonly GroupMember[],
  partitionCounts: PartitionCounts,
): Shares {
  const sorted = [...members].sort(compareMembers);
  const shares = assignors[balancer](sorted, partitionCounts);
  return new Map([...shares].map(([memberId, share]) => [memberId, groupByTopic(share)]));
}

type MutableShares = Map<string, TopicPartition[]>;
type Assign = (members: readonly GroupMember[], partitionCounts: PartitionCounts) => MutableShares;

const assignors: Readonly<Record<Balancer, Assign>> = {
  range: assignRange,
  roundrobin: assignRoundRobin,
  sticky: assignSticky,
  'cooperative-sticky': (members, partitionCounts) =>
    withholdTransfers(assignSticky(members, partitionCounts), members),
};

/** Orders static members by instance id before the others by member id, like the Java client. */
function compareMembers(left: GroupMember, right: GroupMember): number {
  if (left.instanceId !== undefined && right.instanceId !== undefined) {
    return compareText(left.instanceId, right.instanceId);
  }
  if (left.instanceId !== undefined) return -1;
  if (right.instanceId !== undefined) return 1;
  return compareText(left.memberId, right.memberId);
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function emptyShares(members: readonly GroupMember[]): MutableShares {
  return new Map(members.map((member) => [member.memberId, []]));
}

function subscribedTopics(members: readonly GroupMember[], partitionCounts: PartitionCounts): string[] {
  const topics = new Set(members.flatMap((member) => member.subscription.topics));
  return [...topics].filter((topic) => partitionCounts.has(topic)).sort(compareText);
}

/** Gives each member an equal range of consecutive partitions of each topic; the first members get the remainder. */
function assignRange(members: readonly GroupMember[], partitionCounts: PartitionCounts): MutableShares {
  const shares = emptyShares(members);
  for (const topic of subscribedTopics(members, partitionCounts)) {
    const takers = members.filter((member) => member.subscription.topics.includes(topic));
    const count = partitionCounts.get(topic) ?? 0;
    const each = Math.floor(count / takers.length);
    const extra = count % takers.length;
    let next = 0;
    for (const [index, taker] of takers.entries()) {
      const size = each + (index < extra ? 1 : 0);
      for (let partition = next; partition < next + size; partition += 1) {
        shares.get(taker.memberId)?.push({ topic, partition });
      }
      next += size;
    }
  }
  return shares;
}

/** Deals all partitions to the members in turn, skipping members that are not subscribed to the topic. */
function assignRoundRobin(members: readonly GroupMember[], partitionCounts: PartitionCounts): MutableShares {
  const shares = emptyShares(members);
  let turn = 0;
  for (const topic of subscribedTopics(members, partitionCounts)) {
    const count = partitionCounts.get(topic) ?? 0;
    for (let partition = 0; partition < count; partition += 1) {
      while (!members[turn % members.length]?.subscription.topics.includes(topic)) turn += 1;
      shares.get(members[turn % members.length]?.memberId ?? '')?.push({ topic, partition });
      turn += 1;
    }
  }
  return shares;
}

/** Groups partitions by topic, sorted by topic and partition. */
export function groupByTopic(share: readonly TopicPartition[]): readonly TopicPartitions[] {
  const byTopic = Map.groupBy(share, (item) => item.topic);
  return [...byTopic]
    .sort(([left], [right]) => compareText(left, right))
    .map(([topic, items]) => ({
      topic,
      partitions: items.map((item) => item.partition).sort((left, right) => left - right),
    }));
}

/** The assignment in progress. */
interface Board {
  readonly shares: Map<string, TopicPartition[]>;
  /** Members subscribed to each topic, in order. */
  readonly takers: ReadonlyMap<string, readonly string[]>;
}

/**
 * Assigns partitions with as few moves as balance allows: members keep the partitions they own, the least loaded
 * members get the rest, then partitions move from a member to one with at least two fewer until none can move.
 */
function assignSticky(
  members: readonly GroupMember[],
  partitionCounts: PartitionCounts,
): Map<string, TopicPartition[]> {
  const board: Board = {
    shares: new Map(members.map((member) => [member.memberId, []])),
    takers: takersByTopic(members, partitionCounts),
  };
  const owners = ownersOf(members);
  const orphans: TopicPartition[] = [];
  for (const topic of [...board.takers.keys()].sort()) {
    for (let partition = 0; partition < (partitionCounts.get(topic) ?? 0); partition += 1) {
      const owner = owners.get(partitionName({ topic, partition }))?.memberId;
      if (owner !== undefined && board.takers.get(topic)?.includes(owner)) {
        board.shares.get(owner)?.push({ topic, partition });
      } else orphans.push({ topic, partition });
    }
  }
  for (const orphan of orphans) board.shares.get(leastLoaded(board, orphan.topic))?.push(orphan);
  while (moveOne(board));
  return board.shares;
}

/**
 * Withholds partitions that would move from one live member to another: the owner must give them up first, and the
 * rebalance that follows assigns them (KIP-429).
 */
function withholdTransfers(
  shares: Map<string, TopicPartition[]>,
  members: readonly GroupMember[],
): Map<string, TopicPartition[]> {
  const owners = ownersOf(members);
  return new Map(
    [...shares].map(([memberId, share]) => [
      memberId,
      share.filter((item) => {
        const owner = owners.get(partitionName({ topic: item.topic, partition: item.partition }))?.memberId;
        return owner === undefined || owner === memberId;
      }),
    ]),
  );
}

function takersByTopic(
  members: readonly GroupMember[],
  partitionCounts: PartitionCounts,
): ReadonlyMap<string, readonly string[]> {
  const takers = new Map<string, string[]>();
  for (const member of members) {
    for (const topic of new Set(member.subscription.topics)) {
      if (!partitionCounts.has(topic)) continue;
      const list = takers.get(topic) ?? [];
      list.push(member.memberId);
      takers.set(topic, list);
    }
  }
  return takers;
}

/** Maps each partition to its owner; if two members claim it, the one with the later generation wins. */
function ownersOf(members: readonly GroupMember[]): ReadonlyMap<string, { memberId: string; generation: number }> {
  const owners = new Map<string, { memberId: string; generation: number }>();
  for (const { memberId, subscription } of members) {
    for (const { topic, partitions } of subscription.owned) {
      for (const partition of partitions) {
        const key = partitionName({ topic, partition });
        const other = owners.get(key);
        if (other === undefined || other.generation < subscription.generation) {
          owners.set(key, { memberId, generation: subscription.generation });
        }
      }
    }
  }
  return owners;
}

function load(board: Board, memberId: string): number {
  return board.shares.get(memberId)?.length ?? 0;
}

function leastLoaded(board: Board, topic: string): string {
  const takers = board.takers.get(topic) ?? [];
  return takers.reduce((least, taker) => (load(board, taker) < load(board, least) ? taker : least), takers[0] ?? '');
}

/** Moves one partition to a member with at least two fewer; returns false if none can move. */
function moveOne(board: Board): boolean {
  const byLoad = [...board.shares.keys()].sort((left, right) => load(board, right) - load(board, left));
  for (const giver of byLoad) {
    const share = board.shares.get(giver) ?? [];
    for (let index = share.length - 1; index >= 0; index -= 1) {
      const item = share[index];
      if (item === undefined) continue;
      const taker = leastLoaded(board, item.topic);
      if (share.length - load(board, taker) < 2) continue;
      share.splice(index, 1);
      board.shares.get(taker)?.push(item);
      return true;
    }
  }
  return false;
}
