import { type ItemError, itemErrorOf } from '../../../errors.ts';
import { partitionName } from '../../../format/partition-name.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { itemErrorOf as errorOfOutcome, questionOf } from '../../protocol/client/question.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { byPartition, groupByTopic, rowsByPartition } from '../../protocol/partitions/by-topic.ts';
import { askOffsets, type OffsetAnswer, type OffsetAnswers } from '../../protocol/partitions/offsets.ts';
import { readSelection } from '../../protocol/partitions/topic-selection.ts';
import { deleteRecords } from '../../protocol/wire/apis/delete-records.ts';
import { offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { Planned, TrimmedPartition, TrimPoint, TrimTarget } from './topic-rows.ts';

/** How long a leader waits for its followers, in milliseconds. */
const leaderTimeoutMs = 5000;

/** Finds out where partitions start now and would start; changes nothing. Sorts by topic and partition. */
export async function planTrim(client: Client, targets: readonly TrimTarget[]): Promise<Planned<TrimmedPartition>[]> {
  const names = [...new Set(targets.map(({ topic }) => topic))];
  const { topics } = await readSelection(client, { topics: names, regex: false, internal: true });
  const byName = new Map(topics.map((topic) => [topic.name, { topic, partitions: numbersOf(topic) }]));
  const items = targets.flatMap((target) => partitionsOf(target, byName.get(target.topic)));
  const byTopic = new Map(groupByTopic(items));
  const asked = topics.flatMap((topic) => narrowed(topic, byTopic.get(topic.name) ?? []));
  const time = targets.flatMap(({ to }) => (to.at === 'time' ? [to.timestamp] : []))[0];
  const ask = (at: bigint): Promise<OffsetAnswers> => askOffsets(client, asked, { time: at, isolation: 'uncommitted' });
  const [starts, ends, times] = await Promise.all([
    ask(offsetTimes.earliest),
    ask(offsetTimes.latest),
    time === undefined ? undefined : ask(BigInt(time)),
  ]);
  const rows = items.map((one): Planned<TrimmedPartition> => {
    if ('error' in one) return one;
    const of = (answers: OffsetAnswers | undefined) => answers?.get(one.topic)?.get(one.partition);
    return plannedTrim(one, { start: of(starts), end: of(ends), searched: of(times) });
  });
  return rows.sort(byPartition);
}

type Wanted = Planned<TrimmedPartition> | (TrimTarget & { readonly partition: number });

/** A topic with the numbers of its partitions. */
interface KnownTopic {
  readonly topic: TopicMetadata;
  readonly partitions: ReadonlySet<number>;
}

function numbersOf({ partitions }: TopicMetadata): ReadonlySet<number> {
  return new Set(partitions.map(({ partition }) => partition));
}

/** The partitions of a target, or the reason why there are none. */
function partitionsOf(target: TrimTarget, existing: KnownTopic | undefined): readonly Wanted[] {
  const { topic, partition } = target;
  const failed = (code: number) => [unknown(topic, partition ?? null, kafkaItemError(code))];
  if (existing === undefined || existing.topic.errorCode !== 0)
    return failed(existing?.topic.errorCode ?? codes.UNKNOWN_TOPIC_OR_PARTITION);
  if (partition === undefined) return [...existing.partitions].map((number) => ({ ...target, partition: number }));
  return existing.partitions.has(partition) ? [{ ...target, partition }] : failed(codes.UNKNOWN_TOPIC_OR_PARTITION);
}

/** A partition whose offsets are not known. */
function unknown(topic: string, partition: number | null, error: ItemError | null): Planned<TrimmedPartition> {
  return { topic, partition, prior_start_offset: null, new_start_offset: null, error };
}

/** The topic with the partitions that are wanted only. */
function narrowed(topic: TopicMetadata, wanted: readonly Wanted[]): readonly TopicMetadata[] {
  const numbers = new Set(wanted.map(({ partition }) => partition));
  const partitions = topic.partitions.filter(({ partition }) => numbers.has(partition));
  return partitions.length === 0 ? [] : [{ ...topic, partitions }];
}

/** The answers about one partition; `found` is the first record at or after the time. */
interface Answers {
  readonly start: OffsetAnswer | undefined;
  readonly end: OffsetAnswer | undefined;
  readonly searched: OffsetAnswer | undefined;
}

function plannedTrim(
  { topic, partition, to }: TrimTarget & { readonly partition: number },
  { start, end, searched }: Answers,
): Planned<TrimmedPartition> {
  const failure = [start, end, searched].find((answer) => answer?.error !== undefined)?.cause;
  if (failure !== undefined) return unknown(topic, partition, itemErrorOf(failure));
  if (start === undefined || end === undefined)
    return unknown(topic, partition, kafkaItemError(codes.UNKNOWN_TOPIC_OR_PARTITION));
  const prior = { topic, partition, prior_start_offset: start.offset };
  const offset = offsetOf(to, { start: start.offset, end: end.offset, searched: searched?.offset ?? -1n });
  if (offset > end.offset) {
    const text = `offset ${offset} is beyond the end of the partition, ${end.offset}`;
    return { ...prior, new_start_offset: null, error: kafkaItemError(codes.OFFSET_OUT_OF_RANGE, text) };
  }
  // A partition never starts earlier again.
  if (offset <= start.offset) return { ...prior, new_start_offset: start.offset, status: 'NOT_NEEDED', error: null };
  return { ...prior, new_start_offset: offset, error: null };
}

function offsetOf(
  to: TrimPoint,
  marks: { readonly start: bigint; readonly end: bigint; readonly searched: bigint },
): bigint {
  if (to.at === 'exact') return to.offset;
  if (to.at === 'end') return marks.end;
  if (to.at === 'afterStart') return marks.start + to.count < marks.end ? marks.start + to.count : marks.end;
  if (to.at === 'beforeEnd') return marks.end - to.count;
  return marks.searched < 0n ? marks.end : marks.searched;
}

/** Deletes the records before the planned offsets, with one request per leader; returns what became of each partition. */
export async function trim(client: Client, planned: readonly TrimmedPartition[]) {
  return (await client.ask(deletion, planned)).map((outcome) => {
    const error = errorOfOutcome(outcome);
    if (error !== null) return { new_start_offset: null, error };
    const reported = outcome.row?.lowWatermark ?? -1n;
    return { error, ...(reported >= 0n && { new_start_offset: reported }) };
  });
}

const deletion = questionOf({
  api: deleteRecords,
  what: ({ topic, partition }: TrimmedPartition) => `delete records of topic "${topic}" partition ${partition}`,
  target: ({ topic, partition }) => ({ topic, partition: partition ?? -1 }),
  keyOf: (item: TrimmedPartition) => partitionName(item),
  request: (items: readonly TrimmedPartition[]) => ({
    topics: groupByTopic(items).map(([name, rows]) => ({
      name,
      partitions: rows.map(({ partition, new_start_offset: offset }) => ({
        partitionIndex: partition ?? -1,
        offset: offset ?? 0n,
      })),
    })),
    timeoutMs: leaderTimeoutMs,
  }),
  rows: ({ topics }) => rowsByPartition(topics),
});
