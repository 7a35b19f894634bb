import type { CliError } from '../../../errors.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client } from '../client/client.ts';
import { type CodedRow, questionOf } from '../client/question.ts';
import type { PartitionTarget } from '../client/targets.ts';
import { kafkaErrorName } from '../errors.ts';
import type { RequestOf, ResponseOf } from '../wire/api.ts';
import { isolationLevels, listOffsets, offsetTimes } from '../wire/apis/list-offsets.ts';
import { codes } from '../wire/error-codes.ts';
import { groupByTopic } from './by-topic.ts';

/** Which offset to ask for; the same for every partition. */
export interface OffsetQuery {
  /** One of `offsetTimes`, or milliseconds since the epoch. */
  readonly time: bigint;
  /** `committed`: the latest offset is the last stable one. */
  readonly isolation: 'uncommitted' | 'committed';
  /** Reports a partition without a leader at once; by default the retry rule applies to it. */
  readonly reportsLeaderless?: boolean;
}

/** Partitions of a topic; the metadata of a topic is such a thing. */
interface AskedTopic {
  readonly name: string;
  readonly partitions: readonly { readonly partition: number }[];
}

/** The answer for one partition: an offset (-1: no record matches) or an error. */
export interface OffsetAnswer {
  readonly offset: bigint;
  readonly timestamp: bigint;
  /** The protocol's name of the error, or the code of the failure to reach the leader. */
  readonly error: string | undefined;
  /** The error to report. */
  readonly cause?: CliError;
}

/** Answers by topic and partition. */
export type OffsetAnswers = ReadonlyMap<string, ReadonlyMap<number, OffsetAnswer>>;

/**
 * Asks the leaders of all partitions of `topics` for one offset each, with one request per leader. The retry rule
 * applies to partitions whose leader has moved; errors that remain are reported per partition.
 */
export async function askOffsets(
  client: Client,
  topics: readonly AskedTopic[],
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

/** An earlier version would take the number for a time. */
const newestOffsets = { ...listOffsets, min: 7 };

function offsetQuestion({ time, isolation, reportsLeaderless = false }: OffsetQuery) {
  return questionOf({
    reportsLeaderless,
    api: time === offsetTimes.maxTimestamp ? newestOffsets : listOffsets,
    what: ({ topic, partition }: PartitionTarget) => `read the offsets of topic "${topic}" partition ${partition}`,
    target: (item) => item,
    keyOf: (one: PartitionTarget) => partitionName(one),
    request: (items: readonly PartitionTarget[], leaderEpochOf): RequestOf<typeof listOffsets> => ({
      isolationLevel: isolationLevels[isolation],
      topics: groupByTopic(items).map(([name, topicItems]) => ({
        name,
        partitions: topicItems.map((item) => ({
          partitionIndex: item.partition,
          currentLeaderEpoch: leaderEpochOf(item),
          timestamp: time,
        })),
      })),
    }),
    rows: ({ topics }) =>
      topics.flatMap(({ name: topic, partitions }) =>
        partitions.map((row) => [partitionName({ topic, partition: row.partitionIndex }), checked(row, time)] as const),
      ),
  });
}

type ListedOffset = ResponseOf<typeof listOffsets>['topics'][number]['partitions'][number];

/** A log has two ends: only a search by time may find nothing. To DeleteRecords, -1 would mean every record. */
function checked(row: ListedOffset, time: bigint): ListedOffset & CodedRow {
  const mayBeNone = time >= 0n || time === offsetTimes.maxTimestamp;
  if (mayBeNone || row.offset >= 0n || row.errorCode !== 0) return row;
  return { ...row, errorCode: codes.UNKNOWN_SERVER_ERROR, errorMessage: `the broker reports the offset ${row.offset}` };
}
