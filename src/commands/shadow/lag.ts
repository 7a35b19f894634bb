import type { ShadowPartition, ShadowTopic } from '../../admin/shadow/link-rows.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { grouped } from '../../format/count.ts';

/** What the source has of topics and this cluster has not. */
interface Lag {
  /** The records of the partitions whose lag is known. */
  readonly records: bigint;
  /** The partitions whose lag is not known; a topic without partitions, which is not created yet, counts as one. */
  readonly unknown: number;
}

/** A topic of a link. */
export interface Copy extends ShadowTopic {
  /** Null if it may have partitions that the link does not report. */
  readonly lag?: null;
}

type Measured = Pick<ShadowTopic, 'state' | 'partitions'> & { readonly lag?: bigint | null };

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
  context: Pick<Context, 'admin' | 'notice'>,
  topics: readonly ShadowTopic[],
): Promise<readonly Copy[]> {
  if (topics.every(isIndependent)) return topics;
  const placed = await partitionsOf(context);
  if (placed === undefined) return topics.map((topic) => ({ ...topic, lag: null }));
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

/** Undefined if the brokers fail: the list needs a report of each broker, and one that hangs gives none. */
async function partitionsOf(context: Pick<Context, 'admin' | 'notice'>) {
  try {
    const all = await (await context.admin()).allPartitions();
    return all.filter(({ namespace }) => namespace === 'kafka');
  } catch (error) {
    if (!(error instanceof CliError && serverCodes.has(error.code))) throw error;
    context.notice(`the number of partitions is not known: ${error.message}`);
    return undefined;
  }
}

const serverCodes: ReadonlySet<string> = new Set(['SERVER_ERROR', 'UNAVAILABLE', 'SERVER_TIMEOUT']);

function unreported(partition: number): ShadowPartition {
  return { partition, source_last_stable_offset: null, source_high_watermark: null, high_watermark: null, lag: null };
}

/** The lag of topics together. */
export function lagOf(topics: readonly Measured[]): Lag {
  const lags = topics
    .filter((topic) => !isIndependent(topic))
    .flatMap(({ partitions, lag: all }) => {
      const known = partitions.map(({ lag }) => lag);
      const hasOthers = partitions.length === 0 || (all === null && !known.includes(null));
      return hasOthers ? [...known, null] : known;
    });
  return {
    records: lags.reduce<bigint>((sum, lag) => sum + BigInt(lag ?? 0), 0n),
    unknown: lags.filter((lag) => lag === null).length,
  };
}

/** The lag as one number; null if it is not known of some partition. */
export function totalLag(topics: readonly Measured[]): bigint | null {
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
