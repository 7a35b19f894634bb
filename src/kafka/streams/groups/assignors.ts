import { assignSticky, withholdTransfers } from './assignors-sticky.ts';
import type { Balancer } from './balancer-words.ts';
import type { GroupMember, PartitionCounts, TopicPartition, TopicPartitions } from './subscription.ts';

/** The share of each member, by member id. */
export type Shares = ReadonlyMap<string, readonly TopicPartitions[]>;

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
