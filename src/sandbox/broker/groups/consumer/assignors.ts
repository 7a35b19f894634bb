import type { GroupTopic } from '../group.ts';
import type { Share } from './membership.ts';

/** The properties of a member that an assignor uses. */
export interface Candidate {
  readonly memberId: string;
  readonly topics: readonly GroupTopic[];
  /** Its current target assignment. */
  readonly held: Share;
}

/** Assigns partitions to members, with a target for each member. */
type Assignor = (candidates: readonly Candidate[]) => ReadonlyMap<string, Share>;

/** The server-side assignors of Kafka; the first is the default. */
export const assignors: Readonly<Record<string, Assignor>> = { uniform, range };

type Building = Map<string, Map<string, Set<number>>>;

function give(building: Building, memberId: string, topicId: string, partition: number): void {
  const memberTopics = building.get(memberId) ?? new Map<string, Set<number>>();
  building.set(memberId, memberTopics);
  const partitions = memberTopics.get(topicId) ?? new Set<number>();
  memberTopics.set(topicId, partitions.add(partition));
}

function nobody(candidates: readonly Candidate[]): Building {
  return new Map(candidates.map(({ memberId }) => [memberId, new Map()]));
}

function byTopic(candidates: readonly Candidate[]): readonly { topic: GroupTopic; readers: readonly Candidate[] }[] {
  const byTopic = new Map<string, { topic: GroupTopic; readers: Candidate[] }>();
  for (const candidate of candidates) {
    for (const topic of candidate.topics) {
      const one = byTopic.get(topic.id) ?? { topic, readers: [] };
      one.readers.push(candidate);
      byTopic.set(topic.id, one);
    }
  }
  return [...byTopic.values()].sort((a, b) => (a.topic.name < b.topic.name ? -1 : 1));
}

/** Splits each topic into one range per reader, ordered by member id, so that co-partitioned topics align. */
function range(candidates: readonly Candidate[]): ReadonlyMap<string, Share> {
  const building = nobody(candidates);
  for (const { topic, readers } of byTopic(candidates)) {
    const ordered = readers.toSorted((a, b) => (a.memberId < b.memberId ? -1 : 1));
    const least = Math.floor(topic.partitions / ordered.length);
    const more = topic.partitions % ordered.length;
    let next = 0;
    for (const [index, { memberId }] of ordered.entries()) {
      const end = next + least + (index < more ? 1 : 0);
      for (; next < end; next += 1) give(building, memberId, topic.id, next);
    }
  }
  return building;
}

/** Spreads all partitions evenly across members, which keep their current partitions as far as balance allows. */
function uniform(candidates: readonly Candidate[]): ReadonlyMap<string, Share> {
  const building = nobody(candidates);
  const load = new Map(candidates.map(({ memberId }) => [memberId, 0]));
  const loadOf = ({ memberId }: Candidate): number => load.get(memberId) ?? 0;
  const topics = byTopic(candidates);
  const total = topics.reduce((sum, { topic }) => sum + topic.partitions, 0);
  const isAlike = topics.every(({ readers }) => readers.length === candidates.length);
  const quotas = quotasOf(candidates, total);
  const free: { readonly topicId: string; readonly partition: number; readonly readers: readonly Candidate[] }[] = [];
  for (const { topic, readers } of topics) {
    for (let partition = 0; partition < topic.partitions; partition += 1) {
      const holder = readers.find(({ held }) => held.get(topic.id)?.has(partition));
      const quota = isAlike ? (quotas.get(holder?.memberId ?? '') ?? 0) : Math.ceil(total / candidates.length);
      if (holder === undefined || loadOf(holder) >= quota) {
        free.push({ topicId: topic.id, partition, readers });
        continue;
      }
      give(building, holder.memberId, topic.id, partition);
      load.set(holder.memberId, loadOf(holder) + 1);
    }
  }
  for (const { topicId, partition, readers } of free) {
    const least = readers.reduce((best, one) => (loadOf(one) < loadOf(best) ? one : best));
    give(building, least.memberId, topicId, partition);
    load.set(least.memberId, loadOf(least) + 1);
  }
  return building;
}

/** Computes how many partitions each member may keep; the members with the most keep the remainder. */
function quotasOf(candidates: readonly Candidate[], total: number): ReadonlyMap<string, number> {
  const least = Math.floor(total / Math.max(candidates.length, 1));
  let more = total - least * candidates.length;
  const sizeOf = ({ held }: Candidate): number => [...held.values()].reduce((sum, { size }) => sum + size, 0);
  const quotas = new Map<string, number>();
  for (const candidate of candidates.toSorted((a, b) => sizeOf(b) - sizeOf(a))) {
    quotas.set(candidate.memberId, least + (more > 0 ? 1 : 0));
    more -= 1;
  }
  return quotas;
}
