import type { CliError } from '../../../errors.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import { sharedError } from '../../protocol/partitions/for-topics.ts';
import { noPartitionError } from '../../protocol/partitions/no-partition.ts';
import { askOffsets } from '../../protocol/partitions/offsets.ts';
import { offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import type { Bounds } from '../../records/filter/bounds.ts';
import type { OffsetPlace, OffsetRange } from './offset-words.ts';
import type { PartitionStart } from './position.ts';

/** What to read, before offsets are known. */
export interface PlanRequest {
  readonly topics: readonly TopicMetadata[];
  readonly range: OffsetRange;
  /** Whether the log ends at the last stable offset. */
  readonly readCommitted: boolean;
  /** Where all records are that are wanted. */
  readonly bounds?: Bounds | undefined;
  warn(line: string): void;
}

/** The actual offsets of one partition; undefined if not needed. */
interface Marks {
  readonly logStart: bigint | undefined;
  readonly logEnd: bigint | undefined;
  /** The first offset at or after the start time and the end time; -1 if no record is that late. */
  readonly startTime: bigint | undefined;
  readonly endTime: bigint | undefined;
}

/**
 * Resolves a range to offsets for every partition, with at most four requests to each leader. The retry rule applies to
 * partitions without a leader.
 * @throws CliError when the offsets of a partition cannot be read
 */
export async function planStarts(client: Client, request: PlanRequest): Promise<readonly PartitionStart[]> {
  const { topics, range, readCommitted } = request;
  const ask = async (time: bigint | undefined): Promise<(topic: string, partition: number) => bigint | undefined> => {
    if (time === undefined) return () => undefined;
    const isolation = readCommitted && time === offsetTimes.latest ? 'committed' : 'uncommitted';
    const answers = await askOffsets(client, topics, { time, isolation });
    return (topic, partition) => {
      const answer = answers.get(topic)?.get(partition);
      if (answer?.cause !== undefined) throw answer.cause;
      return answer?.offset;
    };
  };
  const [logStart, logEnd, startTime, endTime] = await Promise.all([
    ask(range.start.at === 'end' && range.end === undefined ? undefined : offsetTimes.earliest),
    ask(range.start.at === 'start' && range.end === undefined ? undefined : offsetTimes.latest),
    ask(timeOf(range.start)),
    ask(timeOf(range.end)),
  ]);
  const starts = topics.flatMap(({ name, id, partitions }) =>
    // Each partition once: two positions of one partition would wait for each other's records.
    [...new Set(partitions.map(({ partition }) => partition))].map((partition) => {
      const marks: Marks = {
        logStart: logStart(name, partition),
        logEnd: logEnd(name, partition),
        startTime: startTime(name, partition),
        endTime: endTime(name, partition),
      };
      const topicId = id === noUuid ? undefined : id;
      return { topic: name, topicId, partition, ...boundsOf(marks, { topic: name, partition }, request) };
    }),
  );
  if (request.bounds === undefined) return starts;
  warnOfNone(starts, request);
  return narrow(client, starts, request.bounds, topics);
}

/** Warns of conditions on partitions that are not read: an endless read would wait for them without a word. */
function warnOfNone(starts: readonly PartitionStart[], { bounds, warn }: PlanRequest): void {
  const allowed = bounds?.partitions;
  if (allowed === undefined || starts.length === 0) return;
  if (allowed.size === 0) warn('no record matches: the conditions leave no partition');
  for (const number of allowed) {
    const isRead = starts.some(({ partition }) => partition === number);
    if (!isRead) warn(`partition ${number} of the conditions is not one of those that are read`);
  }
}

/** Leaves out what lies before or after the bounds. */
async function narrow(
  client: Client,
  starts: readonly PartitionStart[],
  { partitions, minOffset = 0n, maxOffset, minTime = 0n }: Bounds,
  topics: readonly TopicMetadata[],
): Promise<readonly PartitionStart[]> {
  const chosen = starts.filter(({ partition }) => partitions?.has(partition) ?? true);
  // After the ends of the logs were asked for: what is written meanwhile is after them. Negative times have a meaning of
  // their own.
  const isTime = minTime > 0n && minTime < 2n ** 63n;
  const answers = isTime ? await askOffsets(client, topics, { time: minTime, isolation: 'uncommitted' }) : undefined;
  return chosen.map((start) => {
    const { topic, partition } = start;
    const answer = answers?.get(topic)?.get(partition);
    if (answer?.cause !== undefined) throw answer.cause;
    const end = start.end !== undefined && maxOffset !== undefined ? smaller(start.end, maxOffset + 1n) : start.end;
    // No record is so late: nothing up to the end, and nothing is known of what comes after it.
    const from = answer === undefined ? 0n : answer.offset >= 0n ? answer.offset : (end ?? 0n);
    const offset = larger(start.offset, from);
    // Without an end, the log may not reach the offset yet.
    return { ...start, end, offset: end === undefined ? offset : smaller(larger(offset, minOffset), end) };
  });
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

function timeOf(place: OffsetPlace | undefined): bigint | undefined {
  return place?.at === 'time' ? BigInt(place.timestamp) : undefined;
}

function boundsOf(
  marks: Marks,
  of: { topic: string; partition: number },
  { range, warn }: PlanRequest,
): Pick<PartitionStart, 'offset' | 'end'> {
  const { logStart = 0n, logEnd = 0n } = marks;
  const start = placeOffset(range.start, marks, marks.startTime);
  const offset = range.start.at === 'start' || range.start.at === 'end' ? start : clamp(start, logStart, logEnd);
  // A range ends where the log does, but what is gone from its start is missed.
  if (range.start.at === 'exact' && offset !== start && (range.end === undefined || start < logStart)) {
    warn(
      `topic "${of.topic}" partition ${of.partition} has offsets ${logStart} to ${logEnd}, not ${start}: reading from ${offset}`,
    );
  }
  if (range.end === undefined) return { offset, end: undefined };
  const end = placeOffset(range.end, marks, marks.endTime);
  return { offset, end: clamp(end, 0n, logEnd) };
}

function placeOffset(place: OffsetPlace, marks: Marks, timeOffset: bigint | undefined): bigint {
  const { logStart = 0n, logEnd = 0n } = marks;
  switch (place.at) {
    case 'start':
      return logStart;
    case 'end':
      return logEnd;
    case 'exact':
      return place.offset;
    case 'afterStart':
      return logStart + place.count;
    case 'beforeEnd':
      return logEnd - place.count;
    case 'time':
      return timeOffset === undefined || timeOffset < 0n ? logEnd : timeOffset;
  }
}

function clamp(offset: bigint, low: bigint, high: bigint): bigint {
  if (offset < low) return low;
  return offset > high ? high : offset;
}

/** Reads metadata of topics that must exist, each once, narrowed to partitions that must exist (empty: all). */
export async function existingTopics(
  client: Client,
  names: readonly string[],
  partitions: readonly number[],
): Promise<readonly TopicMetadata[]> {
  return withPartitions(await client.retry('Metadata', () => topicsOnce(client, names)), partitions);
}

/** Reads metadata of topics that must exist, each once, without retries. */
export async function topicsOnce(client: Client, names: readonly string[]): Promise<readonly TopicMetadata[]> {
  const { topics } = await client.metadata(names, 'once');
  const byName = new Map(topics.map((topic) => [topic.name, topic]));
  const errors: CliError[] = [];
  const usable = [...new Set(names)].flatMap((name) => {
    const topic = byName.get(name);
    const code = topic === undefined ? codes.UNKNOWN_TOPIC_OR_PARTITION : topic.errorCode;
    if (topic !== undefined && code === 0) return [topic];
    errors.push(topicError(name, code));
    return [];
  });
  // An unknown topic is not retried: a mistyped name must fail at once, not after 30 s.
  if (errors.length > 0) throw sharedError(errors);
  return usable;
}

function topicError(name: string, code: number): CliError {
  const hints = code === codes.UNKNOWN_TOPIC_OR_PARTITION ? ['see the topics with: weir topic list'] : [];
  return kafkaError(code, `unable to use topic "${name}": ${kafkaErrorText(code)}`, { target: name, hints });
}

/** Leaves only these partitions of every topic; an empty list leaves all. @throws CliError if a topic lacks one */
export function withPartitions(topics: readonly TopicMetadata[], numbers: readonly number[]): readonly TopicMetadata[] {
  if (numbers.length === 0) return topics;
  return topics.map((topic) => ({ ...topic, partitions: selectPartitions(topic, numbers) }));
}

function selectPartitions(topic: TopicMetadata, numbers: readonly number[]): TopicMetadata['partitions'] {
  return [...new Set(numbers)].map((number) => {
    const partition = topic.partitions.find((item) => item.partition === number);
    if (partition === undefined) throw noPartitionError(topic.name, number, topic.partitions.length);
    return partition;
  });
}
