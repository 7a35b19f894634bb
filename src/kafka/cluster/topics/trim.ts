import { partitionName } from '../../../format/partition-name.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import { itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import { kafkaItemError } from '../../protocol/errors.ts';
import { groupByTopic } from '../../protocol/partitions/by-topic.ts';
import { askOffsets, type OffsetAnswer, type OffsetAnswers } from '../../protocol/partitions/offsets.ts';
import { readSelection } from '../../protocol/partitions/topic-selection.ts';
import { deleteRecords } from '../../protocol/wire/apis/delete-records.ts';
import { offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import type { TrimPoint, TrimRow, TrimTarget } from './topic-rows.ts';

/** How long a leader waits for its followers, in milliseconds. */
const leaderTimeoutMs = 5000;

/** Finds out where partitions start now and would start; changes nothing. Sorts by topic and partition. */
export async function planTrim(client: Client, targets: readonly TrimTarget[]): Promise<TrimRow[]> {
  const names = [...new Set(targets.map(({ topic }) => topic))];
  const { topics } = await readSelection(client, { topics: names, regex: false, internal: true });
  const known = new Map(topics.map((topic) => [topic.name, { topic, partitions: numbersOf(topic) }]));
  const wanted = targets.flatMap((target) => partitionsOf(target, known.get(target.topic)));
  const byTopic = new Map(groupByTopic(wanted));
  const asked = topics.flatMap((topic) => narrowed(topic, byTopic.get(topic.name) ?? []));
  const time = targets.flatMap(({ to }) => (to.at === 'time' ? [to.timestamp] : []))[0];
  const ask = (at: bigint): Promise<OffsetAnswers> => askOffsets(client, asked, { time: at, isolation: 'uncommitted' });
  const [starts, ends, times] = await Promise.all([
    ask(offsetTimes.earliest),
    ask(offsetTimes.latest),
    time === undefined ? undefined : ask(BigInt(time)),
  ]);
  const rows = wanted.map((one): TrimRow => {
    if ('error' in one) return one;
    const of = (answers: OffsetAnswers | undefined) => answers?.get(one.topic)?.get(one.partition);
    return plannedRow(one, { start: of(starts), end: of(ends), found: of(times) });
  });
  return rows.sort((a, b) =>
    a.topic === b.topic ? (a.partition ?? 0) - (b.partition ?? 0) : a.topic < b.topic ? -1 : 1,
  );
}

type Wanted = TrimRow | (TrimTarget & { readonly partition: number });

/** A topic with the numbers of its partitions. */
interface KnownTopic {
  readonly topic: TopicMetadata;
  readonly partitions: ReadonlySet<number>;
}

function numbersOf({ partitions }: TopicMetadata): ReadonlySet<number> {
  return new Set(partitions.map(({ partition }) => partition));
}

/** The partitions of a target, or the reason why there are none. */
function partitionsOf(target: TrimTarget, known: KnownTopic | undefined): readonly Wanted[] {
  const { topic: name, partition } = target;
  const failed = (code: number): TrimRow => ({
    topic: name,
    partition: partition ?? null,
    prior_start_offset: null,
    new_start_offset: null,
    error: kafkaItemError(code),
  });
  if (known === undefined || known.topic.errorCode !== 0)
    return [failed(known?.topic.errorCode ?? codes.UNKNOWN_TOPIC_OR_PARTITION)];
  if (partition === undefined) return [...known.partitions].map((number) => ({ ...target, partition: number }));
  return [known.partitions.has(partition) ? { ...target, partition } : failed(codes.UNKNOWN_TOPIC_OR_PARTITION)];
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
  readonly found: OffsetAnswer | undefined;
}

function plannedRow({ topic, partition, to }: TrimTarget & { readonly partition: number }, answers: Answers): TrimRow {
  const { start, end, found } = answers;
  const failure = [start, end, found].find((answer) => answer?.error !== undefined)?.cause;
  if (failure !== undefined || start === undefined || end === undefined) {
    const error =
      failure === undefined ? kafkaItemError(codes.UNKNOWN_TOPIC_OR_PARTITION) : itemErrorOf(outcomeOf(failure));
    return { topic, partition, prior_start_offset: null, new_start_offset: null, error };
  }
  const offset = offsetOf(to, { start: start.offset, end: end.offset, found: found?.offset ?? -1n });
  const isTooHigh = offset > end.offset;
  const text = `offset ${offset} is beyond the end of the partition, ${end.offset}`;
  return {
    topic,
    partition,
    prior_start_offset: start.offset,
    // A partition never starts earlier again.
    new_start_offset: isTooHigh ? null : offset < start.offset ? start.offset : offset,
    error: isTooHigh ? kafkaItemError(codes.OFFSET_OUT_OF_RANGE, text) : null,
  };
}

function outcomeOf(error: NonNullable<OffsetAnswer['cause']>) {
  return { item: undefined, row: undefined, error };
}

function offsetOf(
  to: TrimPoint,
  marks: { readonly start: bigint; readonly end: bigint; readonly found: bigint },
): bigint {
  if (to.at === 'exact') return to.offset;
  if (to.at === 'end') return marks.end;
  if (to.at === 'afterStart') return marks.start + to.count < marks.end ? marks.start + to.count : marks.end;
  if (to.at === 'beforeEnd') return marks.end - to.count;
  return marks.found < 0n ? marks.end : marks.found;
}

/** A planned row with records to delete. */
type DueRow = TrimRow & { readonly partition: number };

function isDue(row: TrimRow): row is DueRow {
  const { partition, prior_start_offset: old, new_start_offset: start, error } = row;
  return partition !== null && error === null && start !== null && old !== null && start > old;
}

/** Deletes the records before the planned offsets, with one request per leader; rows with an error are kept as they are. */
export async function trim(client: Client, plan: readonly TrimRow[]): Promise<TrimRow[]> {
  const outcomes = await client.ask(deletion, plan.filter(isDue));
  const results = new Map<TrimRow, (typeof outcomes)[number]>(outcomes.map((outcome) => [outcome.item, outcome]));
  return plan.map((row) => {
    const outcome = results.get(row);
    if (outcome === undefined) return row;
    const error = itemErrorOf(outcome);
    const reported =
      outcome.row !== undefined && outcome.row.lowWatermark >= 0n ? outcome.row.lowWatermark : row.new_start_offset;
    return { ...row, new_start_offset: error === null ? reported : null, error };
  });
}

const deletion = questionOf({
  api: deleteRecords,
  what: ({ topic, partition }: DueRow) => `delete records of topic "${topic}" partition ${partition}`,
  target: ({ topic, partition }) => ({ topic, partition }),
  keyOf: (item: DueRow) => partitionName(item),
  request: (items: readonly DueRow[]) => ({
    topics: groupByTopic(items).map(([name, rows]) => ({
      name,
      partitions: rows.map(({ partition, new_start_offset: offset }) => ({
        partitionIndex: partition,
        offset: offset ?? 0n,
      })),
    })),
    timeoutMs: leaderTimeoutMs,
  }),
  rows: ({ topics }) =>
    topics.flatMap(({ name: topic, partitions }) =>
      partitions.map((row) => [partitionName({ topic, partition: row.partitionIndex }), row] as const),
    ),
});
