import type { CliError } from '../../errors.ts';
import type { Client, TopicMetadata } from '../client/client.ts';
import { type Located, questionOf } from '../client/question.ts';
import type { PartitionTarget } from '../client/targets.ts';
import { kafkaErrorName } from '../errors.ts';
import { type ListedOffset, type ListOffsetsRequest, listOffsets } from '../protocol/list-offsets.ts';

/** Which offset is asked for, of every partition alike. */
export interface OffsetQuery {
  /** One of `offsetTimes`, or milliseconds since the epoch. */
  readonly time: bigint;
  /** `committed`: the latest offset is the last stable one. */
  readonly isolation: 'uncommitted' | 'committed';
  /** A partition without a leader is reported at once; left out, it is asked about again by the retry rule. */
  readonly reportsLeaderless?: boolean;
}

/** The answer for one partition: an offset (-1: no record matches), or what went wrong. */
export interface OffsetAnswer {
  readonly offset: bigint;
  readonly timestamp: bigint;
  /** The protocol's name of the error, or the code of what kept the leader from being asked. */
  readonly error: string | undefined;
  /** The same as it is reported. */
  readonly cause?: CliError;
}

/** The answers by topic and partition. */
export type OffsetAnswers = ReadonlyMap<string, ReadonlyMap<number, OffsetAnswer>>;

/**
 * Asks the leaders of all partitions of `topics` for one offset each, with one request per leader.
 * A partition whose leader has moved is asked about again by the retry rule; what stays wrong is reported per partition.
 */
export async function askOffsets(
  client: Client,
  topics: readonly TopicMetadata[],
  query: OffsetQuery,
): Promise<OffsetAnswers> {
  const items = topics.flatMap(({ name: topic, partitions }) =>
    partitions.map(({ partition }) => ({ topic, partition })),
  );
  const outcomes = await client.ask(offsetQuestion(query), items);
  const answers = new Map<string, Map<number, OffsetAnswer>>(topics.map(({ name }) => [name, new Map()]));
  for (const { item, row, error } of outcomes) {
    answers.get(item.topic)?.set(item.partition, {
      offset: row?.offset ?? -1n,
      timestamp: row?.timestamp ?? -1n,
      error: error === undefined ? undefined : row?.errorCode ? kafkaErrorName(row.errorCode) : error.code,
      ...(error && { cause: error }),
    });
  }
  return answers;
}

function offsetQuestion({ time, isolation, reportsLeaderless = false }: OffsetQuery) {
  return questionOf({
    reportsLeaderless,
    api: listOffsets,
    what: ({ topic, partition }: PartitionTarget) => `read the offsets of topic "${topic}" partition ${partition}`,
    target: (item) => item,
    keyOf: nameOf,
    request: (items: readonly Located<PartitionTarget>[]): ListOffsetsRequest => ({
      isolation,
      topics: [...Map.groupBy(items, ({ item }) => item.topic)].map(([name, own]) => ({
        name,
        partitions: own.map(({ item: { partition }, leaderEpoch }) => ({ partition, leaderEpoch, time })),
      })),
    }),
    rows: ({ topics }) =>
      topics.flatMap(({ name: topic, partitions }) =>
        partitions.map((row): readonly [string, ListedOffset] => [nameOf({ topic, partition: row.partition }), row]),
      ),
  });
}

function nameOf({ topic, partition }: PartitionTarget): string {
  return `${topic}/${partition}`;
}
