import type { Share } from './membership.ts';

/** Partitions as requests and answers list them. */
export interface TopicPartitions {
  readonly topicId: string;
  readonly partitions: readonly number[];
}

/** No partitions. */
export const noShare: Share = new Map();

/** A share from a list. */
export function shareOf(list: readonly TopicPartitions[]): Share {
  return new Map(list.map(({ topicId, partitions }) => [topicId, new Set(partitions)]));
}

/** A share as a list, partitions in order. */
export function listOf(share: Share): readonly TopicPartitions[] {
  return [...share]
    .filter(([, partitions]) => partitions.size > 0)
    .map(([topicId, partitions]) => ({ topicId, partitions: [...partitions].sort((a, b) => a - b) }));
}

/** Whether a share has the partition. */
export function has(share: Share, topicId: string, partition: number): boolean {
  return share.get(topicId)?.has(partition) ?? false;
}

/** What of a share fits. */
export function filtered(share: Share, fits: (topicId: string, partition: number) => boolean): Share {
  const left = new Map<string, ReadonlySet<number>>();
  for (const [topicId, partitions] of share) {
    const kept = [...partitions].filter((partition) => fits(topicId, partition));
    if (kept.length > 0) left.set(topicId, new Set(kept));
  }
  return left;
}

/** All partitions of both. */
export function union(left: Share, right: Share): Share {
  const both = new Map(left);
  for (const [topicId, partitions] of right) {
    both.set(topicId, new Set([...(left.get(topicId) ?? []), ...partitions]));
  }
  return both;
}

/** What is in `left` and in `right`. */
export function common(left: Share, right: Share): Share {
  return filtered(left, (topicId, partition) => has(right, topicId, partition));
}

/** What is in `left` and not in `right`. */
export function without(left: Share, right: Share): Share {
  return filtered(left, (topicId, partition) => !has(right, topicId, partition));
}

/** Whether there is nothing in it. */
export function isNothing(share: Share): boolean {
  for (const partitions of share.values()) if (partitions.size > 0) return false;
  return true;
}

/** Whether both have the same partitions. */
export function isSame(left: Share, right: Share): boolean {
  return isNothing(without(left, right)) && isNothing(without(right, left));
}
