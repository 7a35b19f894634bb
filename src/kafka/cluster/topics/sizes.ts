import type { ItemError } from '../../../errors.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client, ClusterMetadata, TopicMetadata } from '../../protocol/client/client.ts';
import { itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import { isRedpandaId } from '../../protocol/client/redpanda.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import type { ResponseOf } from '../../protocol/wire/api.ts';
import { describeLogDirs } from '../../protocol/wire/apis/describe-log-dirs.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { PartitionSize, ReplicaSize } from './topic-rows.ts';

type Answer = ResponseOf<typeof describeLogDirs>;

/** What a broker reported: its replicas by partition, and the error of a directory that it cannot read (0: none). */
interface Report {
  readonly replicas: ReadonlyMap<string, Pick<ReplicaSize, 'bytes' | 'lag' | 'dir'>>;
  readonly brokenCode: number;
}

/** What the brokers reported, by broker id. */
type Reports = ReadonlyMap<number, Report | ItemError>;

/**
 * Asks the brokers that hold replicas of the topics for their sizes, each with one request. A broker that is not in the
 * cluster at the moment is not waited for.
 * @returns rows by topic, sorted by partition
 */
export async function readSizes(
  client: Client,
  { brokers, topics, clusterId }: Pick<ClusterMetadata, 'brokers' | 'topics'> & Partial<ClusterMetadata>,
): Promise<ReadonlyMap<string, readonly PartitionSize[]>> {
  const holders = new Set(topics.flatMap(({ partitions }) => partitions.flatMap(({ replicas }) => replicas)));
  const present = brokers.map(({ id }) => id).filter((id) => holders.has(id));
  const outcomes = await client.ask(sizeQuestion(topics), present);
  const isRedpanda = isRedpandaId(clusterId) === true;
  const reports: Reports = new Map(
    outcomes.flatMap((outcome) => {
      const { row } = outcome;
      const denial = isRedpanda && row !== undefined && isEmpty(row) ? notAllowed : null;
      const report = itemErrorOf(outcome) ?? denial ?? (row && reportOf(row));
      return report === undefined ? [] : [[outcome.item, report] as const];
    }),
  );
  return new Map(topics.map((topic) => [topic.name, sizesOf(topic, reports)]));
}

/** Whether an answer has no replica; Redpanda sends it to principals who may not describe the cluster, without an error. */
export function isEmpty({ results }: Answer): boolean {
  return results.every(({ topics }) => topics.length === 0);
}

/** The error of a broker of Redpanda that shows none of its replicas (`kafka/server/handlers/describe_log_dirs.cc`). */
export const notAllowed: ItemError | null = kafkaItemError(
  codes.CLUSTER_AUTHORIZATION_FAILED,
  'the principal needs describe on the cluster',
);

function sizeQuestion(topics: readonly TopicMetadata[]) {
  const wanted = topics.map(({ name: topic, partitions }) => ({
    topic,
    partitions: partitions.map(({ partition }) => partition),
  }));
  return questionOf({
    api: describeLogDirs,
    what: (node) => `read the log directories of broker ${node}`,
    target: (node: number) => ({ node }),
    // Each broker is asked about itself, so the whole answer is its row.
    keyOf: () => '',
    request: () => ({ topics: wanted }),
    rows: (response) => [['', response] as const],
  });
}

function sizesOf(topic: TopicMetadata, reports: Reports): readonly PartitionSize[] {
  const rows = topic.partitions.map(({ partition, leader, replicas: brokers }) => {
    const replicas = brokers
      .toSorted((a, b) => a - b)
      .map((broker) => replicaRow(topic.name, partition, [broker, reports.get(broker)]));
    return {
      partition,
      bytes: replicas.find(({ broker }) => broker === leader)?.bytes ?? null,
      total_bytes: replicas.reduce((sum, { bytes }) => sum + (bytes ?? 0n), 0n),
      replicas,
    };
  });
  return rows.sort((a, b) => a.partition - b.partition);
}

function reportOf({ results }: Answer): Report {
  const replicas = new Map<string, Pick<ReplicaSize, 'bytes' | 'lag' | 'dir'>>();
  for (const { logDir: dir, topics } of results) {
    for (const { name: topic, partitions } of topics) {
      for (const { partitionIndex, partitionSize: bytes, offsetLag: lag, isFutureKey } of partitions) {
        const name = partitionName({ topic, partition: partitionIndex });
        if (!isFutureKey && !replicas.has(name)) replicas.set(name, { bytes, lag, dir });
      }
    }
  }
  return { replicas, brokenCode: results.find(({ errorCode }) => errorCode !== 0)?.errorCode ?? 0 };
}

function replicaRow(
  topic: string,
  partition: number,
  [broker, report]: readonly [number, Report | ItemError | undefined],
): ReplicaSize {
  const failed = (error: ItemError | null): ReplicaSize => ({ broker, bytes: null, lag: null, dir: null, error });
  if (report === undefined) return failed(kafkaItemError(codes.BROKER_NOT_AVAILABLE));
  if (!('replicas' in report)) return failed(report);
  const replica = report.replicas.get(partitionName({ topic, partition }));
  if (replica !== undefined) return { broker, ...replica, error: null };
  return failed(kafkaItemError(report.brokenCode || codes.UNKNOWN_TOPIC_OR_PARTITION));
}
