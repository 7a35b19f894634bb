import { partitionName } from '../../../format/partition-name.ts';
import type { Client } from '../../protocol/client/client.ts';
import { questionOf } from '../../protocol/client/question.ts';
import type { PartitionTarget } from '../../protocol/client/targets.ts';
import { groupByTopic, rowsByPartition } from '../../protocol/partitions/by-topic.ts';
import { isolationLevels, listOffsets } from '../../protocol/wire/apis/list-offsets.ts';

/** A partition and the offset of its oldest unread record. */
export interface Unread extends PartitionTarget {
  readonly offset: bigint;
}

/** The first age that is tried, in milliseconds, and how much older each next one is. */
const firstAgeMs = 1000;
const growth = 4;
/** The search ends when the age is known to the second, or to five percent. */
const precise = 0.05;

/** A search for one record: it is older than `low` and not older than `high`, in milliseconds. */
interface Search {
  readonly item: Unread;
  readonly low: number;
  readonly high: number | undefined;
  readonly ageMs: number | undefined;
}

/**
 * Finds how old unread records are, in milliseconds, by `ageKey`; records that cannot be found are absent. Brokers find
 * offsets by time, not the time of an offset: each round asks all leaders for the offsets at a time, about fifteen rounds
 * in all, however many records are searched for. The result may be five percent too high.
 */
export async function unreadAges(
  client: Client,
  items: readonly Unread[],
  nowMs: number,
): Promise<ReadonlyMap<string, number>> {
  const ages = new Map<string, number>();
  const byKey = new Map(items.map((item) => [ageKey(item), item]));
  let open: readonly Search[] = [...byKey.values()].map((item) => {
    return { item, low: 0, high: undefined, ageMs: undefined };
  });
  while (open.length > 0) {
    const layers = layersOf(open, nowMs);
    const outcomes = (await Promise.all(layers.map((layer) => client.ask(question, layer)))).flat();
    open = outcomes.flatMap(({ item: { searches }, row, error }) => {
      if (row === undefined || error !== undefined) return [];
      return searches.flatMap((search) => {
        const next = narrowed(search, row, nowMs);
        if (next.ageMs === undefined) return nextAge(next) < nowMs ? [next] : [];
        ages.set(ageKey(search.item), next.ageMs);
        return [];
      });
    });
  }
  return ages;
}

/** The key of a record in the result of `unreadAges`. */
export function ageKey({ topic, partition, offset }: Unread): string {
  return `${topic}/${partition}/${offset}`;
}

/** What is asked about a partition in a round, and the searches that the answer narrows. */
interface Asked extends PartitionTarget {
  readonly time: bigint;
  readonly searches: readonly Search[];
}

/** The questions of a round. A request may name a partition once only: another time in it goes into another layer. */
function layersOf(open: readonly Search[], nowMs: number): readonly (readonly Asked[])[] {
  const timeOf = (search: Search): bigint => BigInt(Math.floor(nowMs - nextAge(search)));
  const layers: Asked[][] = [];
  for (const partitionSearches of Map.groupBy(open, ({ item }) => partitionName(item)).values()) {
    [...Map.groupBy(partitionSearches, timeOf)].forEach(([time, searches], at) => {
      const [first] = searches;
      if (first === undefined) return;
      layers[at] ??= [];
      layers[at].push({ topic: first.item.topic, partition: first.item.partition, time, searches });
    });
  }
  return layers;
}

function nextAge({ low, high }: Search): number {
  if (high !== undefined) return (low + high) / 2;
  return low === 0 ? firstAgeMs : low * growth;
}

/** What the first record at or after a time says about the record that is searched for. */
function narrowed(
  search: Search,
  { offset, timestamp }: { readonly offset: bigint; readonly timestamp: bigint },
  nowMs: number,
): Search {
  const age = nextAge(search);
  if (offset === search.item.offset) return { ...search, ageMs: Math.max(0, nowMs - Number(timestamp)) };
  const isYounger = offset >= 0n && offset < search.item.offset;
  const next = isYounger ? { ...search, high: age } : { ...search, low: age };
  const { low, high } = next;
  return high !== undefined && high - low <= Math.max(firstAgeMs, high * precise) ? { ...next, ageMs: high } : next;
}

const question = questionOf({
  reportsLeaderless: true,
  api: listOffsets,
  what: ({ topic, partition }) => `find unread records of topic "${topic}" partition ${partition}`,
  target: ({ topic, partition }: Asked) => ({ topic, partition }),
  keyOf: (asked: Asked) => partitionName(asked),
  request: (items: readonly Asked[], leaderEpochOf) => ({
    isolationLevel: isolationLevels.uncommitted,
    topics: groupByTopic(items).map(([name, topicItems]) => ({
      name,
      partitions: topicItems.map((item) => ({
        partitionIndex: item.partition,
        currentLeaderEpoch: leaderEpochOf(item),
        timestamp: item.time,
      })),
    })),
  }),
  rows: ({ topics }) => rowsByPartition(topics),
});
