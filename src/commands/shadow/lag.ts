import type { ShadowTopic } from '../../admin/shadow/link-rows.ts';
import { grouped } from '../../format/count.ts';

/** What the source has of topics and this cluster has not. */
interface Lag {
  /** The records of the partitions whose lag is known. */
  readonly records: bigint;
  /** The partitions whose lag is not known; a topic of which the link reports no partition counts as one. */
  readonly unknown: number;
}

/** Whether a topic is a topic of its own now, and no copy: it has no lag. */
export function isIndependent({ state }: Pick<ShadowTopic, 'state'>): boolean {
  return state === 'FAILED_OVER' || state === 'PROMOTED';
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
