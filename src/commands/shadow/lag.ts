import type { ShadowPartition, ShadowTopic } from '../../admin/shadow/link-rows.ts';
import type { Context } from '../../context.ts';
import { grouped } from '../../format/count.ts';

/** What the source has of topics and this cluster has not. */
interface Lag {
  /** The records of the partitions whose lag is known. */
  readonly records: bigint;
  /** The partitions whose lag is not known; a topic without partitions, which is not created yet, counts as one. */
  readonly unknown: number;
}

/** Whether a topic is a topic of its own now, and no copy: it has no lag. */
export function isIndependent({ state }: Pick<ShadowTopic, 'state'>): boolean {
  return state === 'FAILED_OVER' || state === 'PROMOTED';
}

/**
 * The copies of a link with all their partitions. The cluster leaves those out, without an error, whose broker does not
 * answer, that have no leader, or whose topic is not ACTIVE (redpanda commit 1b95a07c: src/v/cluster_link/service.cc:1671,
 * link.cc:67): nothing is known of them.
 */
export async function withAllPartitions(
  { admin }: Pick<Context, 'admin'>,
  topics: readonly ShadowTopic[],
): Promise<readonly ShadowTopic[]> {
  if (topics.every(isIndependent)) return topics;
  const placed = (await (await admin()).allPartitions()).filter(({ namespace }) => namespace === 'kafka');
  const numbers = Map.groupBy(placed, ({ topic }) => topic);
  return topics.map((topic) => {
    if (isIndependent(topic)) return topic;
    const reported = new Map(topic.partitions.map((one) => [one.partition, one]));
    const all = new Set([...reported.keys(), ...(numbers.get(topic.name) ?? []).map(({ partition }) => partition)]);
    const partitions = [...all]
      .sort((a, b) => a - b)
      .map((partition) => reported.get(partition) ?? unreported(partition));
    return { ...topic, partitions };
  });
}

function unreported(partition: number): ShadowPartition {
  return { partition, source_last_stable_offset: null, source_high_watermark: null, high_watermark: null, lag: null };
}

/** The lag of topics together. */
export function lagOf(topics: readonly Pick<ShadowTopic, 'state' | 'partitions'>[]): Lag {
  const lags = topics
    .filter((topic) => !isIndependent(topic))
    .flatMap(({ partitions }) => (partitions.length === 0 ? [null] : partitions.map(({ lag }) => lag)));
  return {
    records: lags.reduce<bigint>((sum, lag) => sum + BigInt(lag ?? 0), 0n),
    unknown: lags.filter((lag) => lag === null).length,
  };
}

/** The lag as one number; null if it is not known of some partition. */
export function totalLag(topics: readonly Pick<ShadowTopic, 'state' | 'partitions'>[]): bigint | null {
  const { records, unknown } = lagOf(topics);
  return unknown > 0 ? null : records;
}

/** For a question: `12 records`, or `12 records, and an unknown number in 1 partition`. */
export function tellLag({ records, unknown }: Lag): string {
  const known = grouped(Number(records), 'record');
  if (unknown === 0) return known;
  const where = `in ${grouped(unknown, 'partition')}`;
  return records === 0n ? `an unknown number of records ${where}` : `${known}, and an unknown number ${where}`;
}
