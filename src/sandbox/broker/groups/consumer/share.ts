import type { Share } from './membership.ts';

/** Partitions of a topic, as listed in requests and responses. */
interface TopicPartitions {
  readonly topicId: string;
  readonly partitions: readonly number[];
}

/** A share without partitions. */
export const noShare: Share = new Map();

/** Converts a list to a share. */
export function shareOf(list: readonly TopicPartitions[]): Share {
  return new Map(list.map(({ topicId, partitions }) => [topicId, new Set(partitions)]));
}

/** Converts a share to a list with ordered partitions. */
export function listOf(share: Share): readonly TopicPartitions[] {
  return [...share]
    .filter(([, partitions]) => partitions.size > 0)
    .map(([topicId, partitions]) => ({ topicId, partitions: [...partitions].sort((a, b) => a - b) }));
}

/** Checks whether a share contains a partition. */
export function has(share: Share, topicId: string, partition: number): boolean {
  return share.get(topicId)?.has(partition) ?? false;
}

/** Returns the partitions of a share for which `fits` holds. */
export function filtered(share: Share, fits: (topicId: string, partition: number) => boolean): Share {
  const left = new Map<string, ReadonlySet<number>>();
  for (const [topicId, partitions] of share) {
    const kept = [...partitions].filter((partition) => fits(topicId, partition));
    if (kept.length > 0) left.set(topicId, new Set(kept));
  }
  return left;
}

/** Returns the partitions of either share. */
export function union(left: Share, right: Share): Share {
  const both = new Map(left);
  for (const [topicId, partitions] of right) {
    both.set(topicId, new Set([...(left.get(topicId) ?? []), ...partitions]));
  }
  return both;
}

/** Returns the partitions of `left` that are also in `right`. */
export function common(left: Share, right: Share): Share {
  return filtered(left, (topicId, partition) => has(right, topicId, partition));
}

/** Returns the partitions of `left` that are not in `right`. */
export function without(left: Share, right: Share): Share {
  return filtered(left, (topicId, partition) => !has(right, topicId, partition));
}

/** Checks whether a share has no partitions. */
export function isNothing(share: Share): boolean {
  for (const partitions of share.values()) if (partitions.size > 0) return false;
  return true;
}

/** Checks whether two shares contain the same partitions. */
export function isSame(left: Share, right: Share): boolean {
  return isNothing(without(left, right)) && isNothing(without(right, left));
}
