import type { Client, TopicMetadata } from '../client/client.ts';
import { answered, itemErrorOf, type Located, type Outcome, questionOf } from '../client/question.ts';
import type { Target } from '../client/targets.ts';
import { noUuid } from '../protocol/codec.ts';
import { type CreatedTopic, createTopics as createTopicsApi } from '../protocol/create-topics.ts';
import { deleteTopics as deleteTopicsApi } from '../protocol/delete-topics.ts';
import { offsetTimes } from '../protocol/list-offsets.ts';
import { readTopicConfigs, type TopicConfigs } from './configs.ts';
import { absentTopics, withLostCreations } from './lost-creation.ts';
import { askOffsets, type OffsetAnswers, type OffsetQuery } from './offsets.ts';
import { readSizes } from './sizes.ts';
import { detailedTopicRow, partitionRow, partitionsInOrder, readSelection, topicRow } from './topic-listing.ts';
import type {
  CreatedTopicRow,
  CreateTopicsCall,
  DeletedTopicRow,
  DeleteTopicsCall,
  DescribeTopicsCall,
  DetailedTopicRow,
  PartitionOffsetsRow,
  TopicDescription,
  TopicSelection,
} from './topic-rows.ts';
import { untilReported } from './topic-visibility.ts';

/** How long the controller waits for the topics to be created or deleted, in milliseconds. */
const controllerTimeoutMs = 5000;

const alreadyExists = 36;

/** Creates topics with one request; returns rows in the order of the call. */
export async function createTopics(client: Client, call: CreateTopicsCall): Promise<CreatedTopicRow[]> {
  const { partitions, replicas, configs, dryRun } = call;
  const question = questionOf({
    ...{ api: createTopicsApi, what: (name: string) => `create topic "${name}"`, target: (): Target => 'controller' },
    keyOf: (name: string) => name,
    request: (items: readonly Located<string>[]) => ({
      topics: items.map(({ item: name }) => ({ name, partitions, replicas, configs })),
      timeoutMs: controllerTimeoutMs,
      validateOnly: dryRun,
    }),
    rows: ({ topics }) => topics.map((topic) => [topic.name, topic] as const),
  });
  const names = [...new Set(call.topics)];
  const absent: ReadonlySet<string> = dryRun ? new Set() : await absentTopics(client, names);
  const outcomes = await withLostCreations(client, await client.ask(question, names), { call, absent });
  const rows = answered(outcomes).map((outcome) => createdRow(outcome, call));
  if (!dryRun) await untilReported(client, namesOfDone(rows), 'created');
  return rows;
}

function createdRow(outcome: Outcome<string, CreatedTopic>, call: CreateTopicsCall): CreatedTopicRow {
  const { item: topic, row } = outcome;
  const exists = call.ifNotExists && row?.errorCode === alreadyExists;
  const error = exists ? null : itemErrorOf(outcome);
  return {
    topic,
    status: exists ? 'EXISTS' : error === null ? 'OK' : 'ERROR',
    // Brokers return an id for a dry run, too, but no topic will ever have it.
    topic_id: row === undefined || row.id === noUuid || call.dryRun ? null : row.id,
    partitions: countOf(row?.partitions),
    replicas: countOf(row?.replicas),
    dry_run: call.dryRun,
    error,
  };
}

function countOf(count: number | undefined): number | null {
  return count === undefined || count < 0 ? null : count;
}

/** Deletes topics, or checks in a dry run that they exist, with one request; returns rows sorted by name. */
export async function deleteTopics(client: Client, call: DeleteTopicsCall): Promise<DeletedTopicRow[]> {
  const names = [...new Set(call.topics)].sort();
  if (names.length === 0) return [];
  return call.dryRun ? findTopics(client, names) : removeTopics(client, names);
}

async function removeTopics(client: Client, names: readonly string[]): Promise<DeletedTopicRow[]> {
  const outcomes = answered(await client.ask(deletion, names));
  const rows = outcomes.map((outcome): DeletedTopicRow => {
    const error = itemErrorOf(outcome);
    const status = error === null ? 'OK' : 'ERROR';
    return { topic: outcome.item, status, partitions: null, dry_run: false, error };
  });
  await untilReported(client, namesOfDone(rows), 'deleted');
  return rows;
}

const deletion = questionOf({
  ...{ api: deleteTopicsApi, what: (name: string) => `delete topic "${name}"`, target: (): Target => 'controller' },
  keyOf: (name: string) => name,
  request: (items: readonly Located<string>[]) => ({
    topics: items.map(({ item }) => item),
    timeoutMs: controllerTimeoutMs,
  }),
  rows: ({ topics }) => topics.map((topic) => [topic.name, topic] as const),
});

function namesOfDone(rows: readonly (CreatedTopicRow | DeletedTopicRow)[]): string[] {
  return rows.filter(({ status }) => status === 'OK').map(({ topic }) => topic);
}

async function findTopics(client: Client, names: readonly string[]): Promise<DeletedTopicRow[]> {
  const { topics } = await readSelection(client, { topics: names, regex: false, internal: true });
  return topics.map(topicRow).map(({ name, partitions, error }) => ({
    topic: name,
    status: error === null ? 'OK' : 'ERROR',
    partitions: error === null ? partitions : null,
    dry_run: true,
    error,
  }));
}

/** Lists topics with one Metadata request, sorted by name. */
export async function listTopics(client: Client, selection: TopicSelection): Promise<DetailedTopicRow[]> {
  const { topics } = await readSelection(client, selection);
  return topics.map(detailedTopicRow);
}

/**
 * Describes topics with one Metadata request, one DescribeConfigs request for all topics, and one ListOffsets request
 * per leader for each kind of offset shown, and one DescribeLogDirs request per broker for sizes.
 */
export async function describeTopics(client: Client, call: DescribeTopicsCall): Promise<TopicDescription[]> {
  const selection = await readSelection(client, { topics: call.topics, regex: call.regex, internal: true });
  const { topics } = selection;
  const found = topics.filter(({ errorCode }) => errorCode === 0);
  const [configs, offsets, sizes] = await Promise.all([
    call.configs
      ? readTopicConfigs(
          client,
          found.map(({ name }) => name),
        )
      : undefined,
    call.partitions ? readMarks(client, found, call.stable) : undefined,
    call.sizes ? readSizes(client, { ...selection, topics: found }) : undefined,
  ]);
  return topics.map((topic) => ({
    summary: topicRow(topic),
    ...(configs && describedConfigs(configs.get(topic.name))),
    ...(offsets && { partitions: partitionsInOrder(topic).map((metadata) => offsetsRow(topic, metadata, offsets)) }),
    ...(sizes && { sizes: sizes.get(topic.name) ?? [] }),
  }));
}

function describedConfigs(answer: TopicConfigs | undefined): Pick<TopicDescription, 'configs' | 'configs_error'> {
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
): PartitionOffsetsRow {
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
    error: [...new Set(answers.flatMap((answer) => answer?.error ?? []))],
  };
}
