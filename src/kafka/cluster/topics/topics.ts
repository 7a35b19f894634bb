import type { ItemError } from '../../../errors.ts';
import { leftOutText } from '../../protocol/client/ask.ts';
import type { Client } from '../../protocol/client/client.ts';
import { answered, itemErrorOf, type Outcome, questionOf } from '../../protocol/client/question.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import { readSelection, type TopicSelection } from '../../protocol/partitions/topic-selection.ts';
import { createTopics as createTopicsApi } from '../../protocol/wire/apis/create-topics.ts';
import { deleteTopics as deleteTopicsApi } from '../../protocol/wire/apis/delete-topics.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import { absentTopics, type CreatedTopic, withLostCreations } from './lost-creation.ts';
import { ignoredKeys } from './topic-config-words.ts';
import { detailedTopicRow, topicRow } from './topic-listing.ts';
import type { CreateTopicsCall, DetailedTopic, NewTopic, Planned, TopicCreation } from './topic-rows.ts';
import { untilReported } from './topic-visibility.ts';

/** How long the controller waits for the topics to be created or deleted, in milliseconds. */
const controllerTimeoutMs = 5000;

/** What became of a topic, or would; one that may exist already needs nothing. */
type Created = Planned<NewTopic> & {
  /** The keys of configs that the cluster has accepted without an effect. */
  readonly ignored: readonly string[];
};

/** Creates topics with one request; returns what became of each, in the order of the call. */
export async function createTopics(client: Client, call: CreateTopicsCall): Promise<Created[]> {
  const names = call.topics.map(({ topic }) => topic);
  const absent = await absentTopics(client, names);
  const outcomes = await client.ask(creation(false), call.topics);
  const rows = answered(await withLostCreations(client, outcomes, { call, absent })).map((one) =>
    createdRow(one, call),
  );
  await untilReported(client, namesOfDone(rows), 'created');
  return rows;
}

/** Lets the controller check topics without creating them. */
export async function validateTopics(client: Client, call: CreateTopicsCall): Promise<Created[]> {
  const outcomes = answered(await client.ask(creation(true), call.topics));
  // Brokers return an id here, too, but no topic will ever have it.
  return outcomes.map((outcome) => ({ ...createdRow(outcome, call), topic_id: null }));
}

function creation(validateOnly: boolean) {
  return questionOf({
    api: { ...createTopicsApi, changes: !validateOnly },
    what: ({ topic }: TopicCreation) => `create topic "${topic}"`,
    keyOf: ({ topic }: TopicCreation) => topic,
    request: (items: readonly TopicCreation[]) => ({
      topics: items.map(({ topic, partitions, replicas, configs }) => ({
        name: topic,
        numPartitions: partitions,
        replicationFactor: replicas,
        configs: configs.map(([key, value]) => ({ name: key, value })),
      })),
      timeoutMs: controllerTimeoutMs,
      validateOnly,
    }),
    rows: ({ topics }) => topics.map((topic) => [topic.name, topic] as const),
  });
}

function createdRow(outcome: Outcome<TopicCreation, CreatedTopic>, { ifNotExists }: CreateTopicsCall): Created {
  const { row } = outcome;
  const { topic, configs } = outcome.item;
  const exists = ifNotExists && row?.errorCode === codes.TOPIC_ALREADY_EXISTS;
  const listed = row?.errorCode === 0 ? (row.configs ?? []).map(({ name }) => name) : [];
  const keys = configs.map(([key]) => key);
  return {
    topic,
    topic_id: row === undefined || row.topicId === noUuid ? null : row.topicId,
    partitions: countOf(row?.numPartitions),
    replicas: countOf(row?.replicationFactor),
    // Before version 5 the answer has no configs, and without permission to read them either.
    ignored: listed.length === 0 ? [] : ignoredKeys(keys, new Set(listed)),
    status: exists ? 'NOT_NEEDED' : undefined,
    error: exists ? null : itemErrorOf(outcome),
  };
}

function countOf(count: number | undefined): number | null {
  return count === undefined || count < 0 ? null : count;
}

/** Deletes topics with one request; returns the error of each, in their order. */
export async function deleteTopics(client: Client, topics: readonly string[]): Promise<{ error: ItemError | null }[]> {
  const outcomes = await client.ask(deletion, topics);
  const isProtected = outcomes.some(isLeftOut) && (await client.isRedpanda()) === true;
  const shown = isProtected ? outcomes.map(withProtection) : outcomes;
  const rows = answered(shown).map((outcome) => ({ topic: outcome.item, error: itemErrorOf(outcome) }));
  await untilReported(client, namesOfDone(rows), 'deleted');
  return rows;
}

function isLeftOut({ row, error }: Outcome<string, unknown>): boolean {
  return row === undefined && error?.message.endsWith(leftOutText) === true;
}

/** Redpanda before 26.1 leaves protected topics out of the answer (`kafka/server/server.cc`), and keeps them. */
function withProtection<Row>(outcome: Outcome<string, Row>): Outcome<string, Row> {
  if (!isLeftOut(outcome)) return outcome;
  const code = codes.TOPIC_AUTHORIZATION_FAILED;
  const why = kafkaErrorText(code, 'the cluster protects it (property kafka_nodelete_topics)');
  return { ...outcome, error: kafkaError(code, `unable to delete topic "${outcome.item}": ${why}`) };
}

const deletion = questionOf({
  api: deleteTopicsApi,
  what: (name: string) => `delete topic "${name}"`,
  keyOf: (name: string) => name,
  request: (items: readonly string[]) => ({
    topicNames: items,
    topics: items.map((name) => ({ name, topicId: noUuid })),
    timeoutMs: controllerTimeoutMs,
  }),
  rows: ({ responses }) => responses.map((topic) => [topic.name ?? '', topic] as const),
});

function namesOfDone(rows: readonly Pick<Created, 'topic' | 'status' | 'error'>[]): string[] {
  return rows.filter(({ status, error }) => status === undefined && error === null).map(({ topic }) => topic);
}

/** The numbers of partitions of topics, in the order of the names; null and an error for one that cannot be described. */
export async function topicSizes(client: Client, names: readonly string[]) {
  if (names.length === 0) return [];
  const { topics } = await readSelection(client, { topics: names, regex: false, internal: true });
  const byName = new Map(topics.map((topic) => [topic.name, topicRow(topic)]));
  return names.map((topic) => {
    const { partitions, error } = byName.get(topic) ?? { partitions: null, error: null };
    return { topic, partitions: error === null ? partitions : null, error };
  });
}

/** Lists topics with one Metadata request, sorted by name. */
export async function listTopics(client: Client, selection: TopicSelection): Promise<DetailedTopic[]> {
  const { topics } = await readSelection(client, selection);
  return topics.map(detailedTopicRow);
}
