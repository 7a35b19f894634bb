import type { Client, ClusterMetadata, TopicMetadata } from '../../protocol/client/client.ts';
import {
  askOffsets,
  type OffsetAnswer,
  type OffsetAnswers,
  type OffsetQuery,
} from '../../protocol/partitions/offsets.ts';
import { partitionsInOrder, readSelection } from '../../protocol/partitions/topic-selection.ts';
import { offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';
import { createConfigReader, type TopicConfigs } from './configs.ts';
import { readSizes } from './sizes.ts';
import { partitionRow, topicRow } from './topic-listing.ts';
import type { DescribedPartition, DescribedTopic, DescribeTopicsCall } from './topic-rows.ts';

/** A topic has about 30 configs: the answers about this many take a megabyte or two. */
const topicsAtOnce = 500;

/**
 * Describes topics with one Metadata request, and for each 500 topics one DescribeConfigs request, one ListOffsets
 * request per leader for each kind of offset shown, and one DescribeLogDirs request per broker for sizes. Of what the
 * brokers answer about 500 topics, only the rows are kept.
 */
export async function describeTopics(client: Client, call: DescribeTopicsCall): Promise<DescribedTopic[]> {
  const selection = await readSelection(client, { topics: call.topics, regex: call.regex, internal: true });
  const describe = describer(client, call);
  const rows: DescribedTopic[] = [];
  for (let most = topicsAtOnce; rows.length < selection.topics.length; ) {
    const topics = selection.topics.slice(rows.length, rows.length + most);
    const { described, waited } = await describe({ ...selection, topics });
    for (const row of described) rows.push(row);
    // A broker that does not answer is waited for as long as retries last: only once more, for all other topics.
    if (waited) most = Number.POSITIVE_INFINITY;
  }
  return rows;
}

/** The rows of some topics, and whether a broker that did not answer was waited for. */
interface Described {
  readonly described: readonly DescribedTopic[];
  readonly waited: boolean;
}

function describer(client: Client, call: DescribeTopicsCall): (selection: ClusterMetadata) => Promise<Described> {
  const readConfigs = createConfigReader(client);
  return async (selection) => {
    const existing = selection.topics.filter(({ errorCode }) => errorCode === 0);
    const names = existing.map(({ name }) => name);
    const [configs, offsets, sizes] = await Promise.all([
      call.configs ? readConfigs(names) : undefined,
      call.partitions ? readMarks(client, existing, call.stable) : undefined,
      call.sizes ? readSizes(client, { ...selection, topics: existing }) : undefined,
    ]);
    const described = selection.topics.map((topic) => ({
      summary: topicRow(topic),
      ...describedConfigs(configs?.get(topic.name)),
      partitions: offsets ? partitionsInOrder(topic).map((metadata) => offsetsRow(topic, metadata, offsets)) : [],
      ...(sizes && { sizes: sizes.get(topic.name) ?? [] }),
    }));
    return { described, waited: described.some(isRetried) || (offsets !== undefined && isWaitedFor(offsets)) };
  };
}

function isRetried({ configs_error: error, sizes = [] }: DescribedTopic): boolean {
  return (
    error?.retryable === true || sizes.some(({ replicas }) => replicas.some((one) => one.error?.retryable === true))
  );
}

function isWaitedFor(marks: Marks): boolean {
  return Object.values(marks).some((answers: OffsetAnswers | undefined) =>
    answers?.values().some((partitions) => partitions.values().some(({ cause }) => cause?.retryable === true)),
  );
}

function describedConfigs(answer: TopicConfigs | undefined): Pick<DescribedTopic, 'configs' | 'configs_error'> {
  return { configs: answer?.configs ?? [], ...(answer?.error && { configs_error: answer.error }) };
}

/** The offsets of all partitions, by kind of offset. */
interface Marks {
  readonly logStart: OffsetAnswers;
  readonly lastStable: OffsetAnswers | undefined;
  readonly highWatermark: OffsetAnswers;
}

async function readMarks(client: Client, topics: readonly TopicMetadata[], stable: boolean): Promise<Marks> {
  // A partition without a leader is reported as such instead of waiting for one: the topic may be broken.
  const ask = (time: bigint, isolation: OffsetQuery['isolation']): Promise<OffsetAnswers> =>
    askOffsets(client, topics, { time, isolation, reportsLeaderless: true });
  const [logStart, lastStable, highWatermark] = await Promise.all([
    ask(offsetTimes.earliest, 'uncommitted'),
    stable ? ask(offsetTimes.latest, 'committed') : undefined,
    ask(offsetTimes.latest, 'uncommitted'),
  ]);
  return { logStart, lastStable, highWatermark };
}

function offsetsRow(
  topic: TopicMetadata,
  metadata: TopicMetadata['partitions'][number],
  { logStart, lastStable, highWatermark }: Marks,
): DescribedPartition {
  const of = (answers: OffsetAnswers | undefined) => answers?.get(topic.name)?.get(metadata.partition);
  const answers = [of(logStart), of(lastStable), of(highWatermark)];
  const [start, stable, high] = answers.map((answer) =>
    answer === undefined || answer.error !== undefined ? null : answer.offset,
  );
  return {
    ...partitionRow(metadata),
    log_start_offset: start ?? null,
    last_stable_offset: stable ?? null,
    high_watermark: high ?? null,
    records: typeof start === 'bigint' && typeof high === 'bigint' ? high - start : null,
    error: answers.some((answer) => answer?.error !== undefined) ? errorsOf(answers) : none,
  };
}

/** One for all: most partitions have no error. */
const none: readonly string[] = [];

function errorsOf(answers: readonly (OffsetAnswer | undefined)[]): readonly string[] {
  return [...new Set(answers.flatMap((answer) => answer?.error ?? []))];
}
