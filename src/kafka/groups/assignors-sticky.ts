import type { GroupMember, PartitionCounts, TopicPartition } from './subscription.ts';

/** Who holds which partition, and the partitions of each. */
interface Board {
  readonly shares: Map<string, TopicPartition[]>;
  /** Members that are subscribed to a topic, in order. */
  readonly takers: ReadonlyMap<string, readonly string[]>;
}

/**
 * Keeps what members hold, hands out the rest to the least loaded, then moves partitions from members
 * with at least two more than another until nobody has: balanced, with as few moves as that needs.
 */
export function assignSticky(
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
      const owner = owners.get(partitionKey(topic, partition))?.memberId;
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
 * Takes back what would go from one living member to another: the old owner must give it up first, and the
 * rebalance that follows hands it on (KIP-429).
 */
export function withholdTransfers(
  shares: Map<string, TopicPartition[]>,
  members: readonly GroupMember[],
): Map<string, TopicPartition[]> {
  const owners = ownersOf(members);
  return new Map(
    [...shares].map(([memberId, share]) => [
      memberId,
      share.filter((item) => {
        const owner = owners.get(partitionKey(item.topic, item.partition))?.memberId;
        return owner === undefined || owner === memberId;
      }),
    ]),
  );
}

function partitionKey(topic: string, partition: number): string {
  return `${topic}/${partition}`;
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

/** Who holds each partition; where two say so, the later generation is right. */
function ownersOf(members: readonly GroupMember[]): ReadonlyMap<string, { memberId: string; generation: number }> {
  const owners = new Map<string, { memberId: string; generation: number }>();
  for (const { memberId, subscription } of members) {
    for (const { topic, partitions } of subscription.owned) {
      for (const partition of partitions) {
        const key = partitionKey(topic, partition);
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

/** Moves one partition to a member with at least two fewer; false when there is none to move. */
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
