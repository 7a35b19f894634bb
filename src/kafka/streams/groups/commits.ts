import { partitionName } from '../../../format/partition-name.ts';
import type { Retry } from '../../../net/retry.ts';
import type { Client } from '../../protocol/client/client.ts';
import { aboutTopics } from '../../protocol/client/cluster-metadata.ts';
import { answered, questionOf } from '../../protocol/client/question.ts';
import { kafkaError, kafkaErrorKind, kafkaErrorText } from '../../protocol/errors.ts';
import { groupByTopic } from '../../protocol/partitions/by-topic.ts';
import { metadata } from '../../protocol/wire/apis/metadata.ts';
import { offsetCommit, topicIdsFrom } from '../../protocol/wire/apis/offset-commit.ts';
import {
  fetchedGroups,
  offsetFetch,
  offsetFetchByName,
  offsetFetchRequest,
} from '../../protocol/wire/apis/offset-fetch.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import type { TopicPartition } from './subscription.ts';
import { type Verdict, verdictOf } from './verdicts.ts';

/** The next offset to read in one partition, with the leader epoch of the last record read (-1: unknown). */
export interface PartitionOffset extends TopicPartition {
  readonly offset: bigint;
  readonly leaderEpoch: number;
  /** The id of the topic to which the offset belongs; undefined if it is unknown. */
  readonly topicId?: string | undefined;
}

/** The committing member and its generation; '' and -1 for a group without members. */
export interface Committer {
  readonly group: string;
  readonly generation: number;
  readonly memberId: string;
  readonly instanceId: string | undefined;
}

/** Who commits for a group without being a member of it. */
export function outsider(group: string): Committer {
  return { group, generation: -1, memberId: '', instanceId: undefined };
}

/** The result of committing one offset; error code 0: committed. */
export interface CommitAnswer {
  readonly item: PartitionOffset;
  readonly errorCode: number;
}

/** The offset that the group has committed for one partition; -1 for none. */
export interface CommittedOffset extends PartitionOffset {
  readonly errorCode: number;
}

/**
 * Commits offsets once; returns an error code for each, UNKNOWN_TOPIC_ID where another topic has taken the name. Before
 * version 10, requests have no topic ids. The coordinator is therefore asked for the ids first, so that only a topic that
 * is created again between these two requests can get an offset of the deleted one.
 * @throws CliError when the coordinator cannot be asked, or returns a retriable error
 */
export async function commitOffsets(
  client: Client,
  committer: Committer,
  items: readonly PartitionOffset[],
): Promise<readonly CommitAnswer[]> {
  const { group } = committer;
  const ids = await topicIds(client, group, items);
  const isOther = ({ topic, topicId }: PartitionOffset): boolean =>
    topicId !== undefined && ids.has(topic) && ids.get(topic) !== topicId;
  const current = items.filter((item) => !isOther(item));
  const outcomes = answered(await client.ask(commitQuestion(committer, current), current, 'once'));
  const answers = [
    ...items.filter(isOther).map((item) => ({ item, errorCode: codes.UNKNOWN_TOPIC_ID })),
    ...outcomes.map(({ item, row }) => ({ item, errorCode: row?.errorCode ?? codes.UNKNOWN_SERVER_ERROR })),
  ];
  const later = answers.find(mayChange);
  if (later !== undefined) throw commitError(later, group);
  return answers;
}

/** Reads the ids of topics as the coordinator of a group knows them; brokers before Kafka 2.8 report none. */
async function topicIds(
  client: Client,
  group: string,
  items: readonly TopicPartition[],
): Promise<ReadonlyMap<string, string>> {
  if (items.length === 0) return new Map();
  const names = [...new Set(items.map(({ topic }) => topic))];
  const { topics } = await client.requestOnce(metadata, aboutTopics(names), { group });
  return new Map(topics.filter(({ topicId }) => topicId !== noUuid).map(({ name = '', topicId }) => [name, topicId]));
}

/** The API for topics whose ids are not known. */
const commitByName = { ...offsetCommit, max: topicIdsFrom - 1 };

/**
 * Asks the coordinator to commit the offsets of `items`, by topic ids if these are known and the broker supports that.
 * @param changes whether the commit is the change that a command is for: a signal reports then what may have been changed
 */
export function commitQuestion(committer: Committer, items: readonly PartitionOffset[] = [], changes = false) {
  const nameOf = new Map(items.map(({ topic, topicId }) => [topicId, topic]));
  const api = items.length > 0 && !nameOf.has(undefined) ? offsetCommit : commitByName;
  return questionOf({
    api: { ...api, changes },
    what: (item: PartitionOffset) => commitOf(item, committer.group),
    target: () => ({ group: committer.group }),
    keyOf: (item: PartitionOffset) => partitionName(item),
    request: (items: readonly PartitionOffset[]) => ({
      groupId: committer.group,
      generationIdOrMemberEpoch: committer.generation,
      memberId: committer.memberId,
      groupInstanceId: committer.instanceId,
      topics: groupByTopic(items).map(([name, rows]) => ({
        name,
        topicId: rows[0]?.topicId,
        partitions: rows.map(({ partition, offset, leaderEpoch }) => ({
          partitionIndex: partition,
          committedOffset: offset,
          committedLeaderEpoch: leaderEpoch,
        })),
      })),
    }),
    rows: ({ topics }) => rowsByName(topics, nameOf),
  });
}

/** An answer's topics, named by their ids where it has no names. */
interface AnsweredTopic<Row> {
  readonly name: string;
  readonly topicId: string;
  readonly partitions: readonly Row[];
}

/** The rows of an answer by topic and partition. */
function rowsByName<Row extends { readonly partitionIndex: number }>(
  topics: readonly AnsweredTopic<Row>[],
  nameOf: ReadonlyMap<string | undefined, string>,
) {
  return topics.flatMap(({ name, topicId, partitions }) => {
    const topic = topicId === noUuid ? name : (nameOf.get(topicId) ?? '');
    return partitions.map((row) => [partitionName({ topic, partition: row.partitionIndex }), row] as const);
  });
}

function commitOf({ topic, partition }: TopicPartition, group: string): string {
  return `commit the offset of topic "${topic}" partition ${partition} for group "${group}"`;
}

/** The result of a commit for its member. */
export interface JudgedCommit {
  readonly committed: readonly PartitionOffset[];
  /** Partitions that the coordinator does not know; their topic may have been deleted. */
  readonly unknown: readonly PartitionOffset[];
  readonly verdict: Verdict | undefined;
  /** The error code that the verdict is based on. */
  readonly errorCode: number;
}

/** Sorts the answers of a commit. @throws CliError for errors other than those of the membership or of unknown topics */
export function judgeCommit(answers: readonly CommitAnswer[], group: string): JudgedCommit {
  const answersWith = (test: (code: number) => boolean): readonly CommitAnswer[] =>
    answers.filter(({ errorCode }) => test(errorCode));
  const moved = answersWith((code) => verdictOf(code) !== undefined)[0];
  const isHarmless = (code: number): boolean =>
    code === 0 || isUnknownTopic(code) || verdictOf(code) !== undefined || code === codes.FENCED_INSTANCE_ID;
  const final = answersWith((code) => !isHarmless(code))[0];
  if (final !== undefined) throw commitError(final, group);
  const fenced = answersWith((code) => code === codes.FENCED_INSTANCE_ID)[0];
  return {
    committed: answersWith((code) => code === 0).map(({ item }) => item),
    unknown: answersWith(isUnknownTopic).map(({ item }) => item),
    verdict: verdictOf(moved?.errorCode ?? 0),
    errorCode: fenced?.errorCode ?? moved?.errorCode ?? 0,
  };
}

function isUnknownTopic(code: number): boolean {
  return code === codes.UNKNOWN_TOPIC_OR_PARTITION || code === codes.UNKNOWN_TOPIC_ID;
}

function commitError({ item, errorCode }: CommitAnswer, group: string): Error {
  const message = `unable to ${commitOf(item, group)}: ${kafkaErrorText(errorCode)}`;
  return kafkaError(errorCode, message, { target: item.topic });
}

/**
 * Reads the committed offsets of partitions, with the ids of their topics; returns an offset or an error code for each.
 * The retry rule applies to offsets that an open transaction may still change.
 * @throws CliError for an error of the whole group
 */
export async function committedOffsets(
  client: Client,
  group: string,
  items: readonly TopicPartition[],
  retry: Retry = client.retry,
): Promise<readonly CommittedOffset[]> {
  const committed: CommittedOffset[] = [];
  let left = items;
  let open: readonly CommittedOffset[] = [];
  if (items.length === 0) return committed;
  try {
    await retry(`OffsetFetch of group "${group}"`, async () => {
      open = [];
      const answers = Map.groupBy(await fetchCommitted(client, group, left), mayChange);
      committed.push(...(answers.get(false) ?? []));
      open = answers.get(true) ?? [];
      left = open;
      const [first] = open;
      if (first !== undefined) throw fetchError(first, group);
    });
  } catch (error) {
    if (open.length === 0 || client.options.deadline.signal.aborted) throw error;
  }
  return [...committed, ...open];
}

/** Whether the answer to the same request may change. */
function mayChange({ errorCode }: { readonly errorCode: number }): boolean {
  return kafkaErrorKind(errorCode).retriable && !isUnknownTopic(errorCode);
}

async function fetchCommitted(
  client: Client,
  group: string,
  items: readonly TopicPartition[],
): Promise<readonly CommittedOffset[]> {
  // Before the offsets: if the topic is replaced in between, its offsets do not count for this id.
  const ids = await topicIds(client, group, items);
  const identified = items.map(({ topic, partition }) => ({ topic, partition, topicId: ids.get(topic) }));
  const outcomes = await client.ask(committedQuestion(group, identified), identified, 'once');
  return outcomes.map(({ item: { topic, topicId, partition }, row, error }) => {
    // An item without a row means that the request failed for the whole group.
    if (row === undefined && error !== undefined) throw error;
    const { committedOffset: offset, committedLeaderEpoch: leaderEpoch, errorCode } = row ?? missing;
    return { topic, topicId, partition, offset, leaderEpoch, errorCode };
  });
}

interface IdentifiedPartition extends TopicPartition {
  readonly topicId: string | undefined;
}

function committedQuestion(group: string, asked: readonly IdentifiedPartition[]) {
  const nameOf = new Map(asked.map(({ topic, topicId }) => [topicId, topic]));
  return questionOf({
    api: nameOf.has(undefined) ? offsetFetchByName : offsetFetch,
    what: () => `read the offsets of group "${group}"`,
    target: () => ({ group }),
    keyOf: (item: IdentifiedPartition) => partitionName(item),
    request(items: readonly IdentifiedPartition[]) {
      const topics = groupByTopic(items).map(([name, rows]) => ({
        name,
        topicId: rows[0]?.topicId,
        partitionIndexes: rows.map(({ partition }) => partition),
      }));
      return offsetFetchRequest({ groups: [{ groupId: group, topics }], requireStable: true });
    },
    rows: (response) => rowsByName(fetchedGroups(response)[0]?.topics ?? [], nameOf),
  });
}

const missing = { committedOffset: -1n, committedLeaderEpoch: -1, errorCode: codes.UNKNOWN_SERVER_ERROR };

/** Makes the error for a committed offset that could not be read. */
export function fetchError({ topic, partition, errorCode }: CommittedOffset, group: string): Error {
  const what = `unable to read the offset of topic "${topic}" partition ${partition} for group "${group}"`;
  return kafkaError(errorCode, `${what}: ${kafkaErrorText(errorCode)}`, { target: topic });
}
