import type { Client } from '../../protocol/client/client.ts';
import { answered, itemErrorOf, type Located, type Outcome, questionOf } from '../../protocol/client/question.ts';
import type { Target } from '../../protocol/client/targets.ts';
import { readSelection, type TopicSelection } from '../../protocol/partitions/topic-selection.ts';
import { createTopics as createTopicsApi } from '../../protocol/wire/apis/create-topics.ts';
import { deleteTopics as deleteTopicsApi } from '../../protocol/wire/apis/delete-topics.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import { absentTopics, type CreatedTopic, withLostCreations } from './lost-creation.ts';
import { detailedTopicRow, topicRow } from './topic-listing.ts';
import type {
  CreatedTopicRow,
  CreateTopicsCall,
  DeletedTopicRow,
  DeleteTopicsCall,
  DetailedTopicRow,
} from './topic-rows.ts';
import { untilReported } from './topic-visibility.ts';

/** How long the controller waits for the topics to be created or deleted, in milliseconds. */
const controllerTimeoutMs = 5000;

/** Creates topics with one request; returns rows in the order of the call. */
export async function createTopics(client: Client, call: CreateTopicsCall): Promise<CreatedTopicRow[]> {
  const { partitions, replicas, configs, dryRun } = call;
  const question = questionOf({
    api: { ...createTopicsApi, changes: !dryRun },
    what: (name: string) => `create topic "${name}"`,
    target: (): Target => 'controller',
    keyOf: (name: string) => name,
    request: (items: readonly Located<string>[]) => ({
      topics: items.map(({ item: name }) => ({
        name,
        numPartitions: partitions,
        replicationFactor: replicas,
        configs: configs.map(([key, value]) => ({ name: key, value })),
      })),
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
  const exists = call.ifNotExists && row?.errorCode === codes.TOPIC_ALREADY_EXISTS;
  const error = exists ? null : itemErrorOf(outcome);
  return {
    topic,
    status: exists ? 'EXISTS' : error === null ? 'OK' : 'ERROR',
    // Brokers return an id for a dry run, too, but no topic will ever have it.
    topic_id: row === undefined || row.topicId === noUuid || call.dryRun ? null : row.topicId,
    partitions: countOf(row?.numPartitions),
    replicas: countOf(row?.replicationFactor),
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
  api: deleteTopicsApi,
  what: (name: string) => `delete topic "${name}"`,
  target: (): Target => 'controller',
  keyOf: (name: string) => name,
  request: (items: readonly Located<string>[]) => ({
    topicNames: items.map(({ item }) => item),
    topics: items.map(({ item: name }) => ({ name, topicId: noUuid })),
    timeoutMs: controllerTimeoutMs,
  }),
  rows: ({ responses }) => responses.map((topic) => [topic.name ?? '', topic] as const),
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
