import { type ItemError, itemErrorOf } from '../../../errors.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { askOffsets, type OffsetAnswer, type OffsetAnswers } from '../../protocol/partitions/offsets.ts';
import { offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';

/** The first and the next offset of a partition's log; null for one that could not be read. */
export interface LogEnds {
  readonly start: bigint | null;
  readonly end: bigint | null;
  /** Why an offset is missing. */
  readonly error: ItemError | null;
}

/** The logs of topics. */
export interface TopicLogs {
  /** The topics that exist. */
  readonly topics: readonly TopicMetadata[];
  /** The id of a topic; undefined if the topic cannot be read, or the broker reports no ids. */
  id(topic: string): string | undefined;
  /** The partitions of a topic, in order; empty if the topic cannot be read. */
  partitions(topic: string): readonly number[];
  /** The ends of a log; with an error if the topic or the partition does not exist. */
  ends(topic: string, partition: number): LogEnds;
}

/** Reads where the logs of topics begin and end: one Metadata request, and two requests to each leader. */
export async function readLogs(client: Client, names: readonly string[]): Promise<TopicLogs> {
  const { topics } = names.length === 0 ? { topics: [] } : await client.metadata([...new Set(names)]);
  const [starts, ends] = await Promise.all([askEnds(client, topics, 'earliest'), askEnds(client, topics, 'latest')]);
  return logsOf(topics, starts, ends);
}

/** Asks the leaders where the logs of the topics that can be read begin or end, with one request to each leader. */
export function askEnds(
  client: Client,
  topics: readonly TopicMetadata[],
  end: 'earliest' | 'latest',
): Promise<OffsetAnswers> {
  const query = { time: offsetTimes[end], isolation: 'uncommitted', reportsLeaderless: true } as const;
  return askOffsets(client, topics.filter(isReadable), query);
}

function isReadable({ errorCode }: TopicMetadata): boolean {
  return errorCode === 0;
}

/** The logs of topics, from what the leaders have answered about their two ends. */
export function logsOf(topics: readonly TopicMetadata[], starts: OffsetAnswers, ends: OffsetAnswers): TopicLogs {
  const byName = new Map(topics.map((topic) => [topic.name, topic]));
  return {
    topics: topics.filter(isReadable),
    id: (topic) => idOf(byName.get(topic)),
    partitions: (topic) => [...(ends.get(topic)?.keys() ?? [])].sort((a, b) => a - b),
    ends(topic, partition) {
      const [start, end] = [starts, ends].map((answers) => answers.get(topic)?.get(partition));
      if (start === undefined || end === undefined) {
        const error = kafkaItemError(byName.get(topic)?.errorCode || codes.UNKNOWN_TOPIC_OR_PARTITION);
        return { start: null, end: null, error };
      }
      return { start: offsetOf(start), end: offsetOf(end), error: errorOf(start) ?? errorOf(end) };
    },
  };
}

function idOf(topic: TopicMetadata | undefined): string | undefined {
  return topic?.id === noUuid ? undefined : topic?.id;
}

function offsetOf({ offset, error }: OffsetAnswer): bigint | null {
  return error === undefined ? offset : null;
}

function errorOf({ cause }: OffsetAnswer): ItemError | null {
  return cause === undefined ? null : itemErrorOf(cause);
}
