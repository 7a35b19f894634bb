import { rephrased } from '../../../errors.ts';
import type { Client, TopicMetadata } from '../../protocol/client/client.ts';
import type { CodedRow, Outcome } from '../../protocol/client/question.ts';
import { kafkaErrorKind } from '../../protocol/errors.ts';
import type { ResponseOf } from '../../protocol/wire/api.ts';
import type { createTopics } from '../../protocol/wire/apis/create-topics.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import type { CreateTopicsCall, TopicCreation } from './topic-rows.ts';
import { untilReported } from './topic-visibility.ts';

/** What is known of a topic that was to be created; the numbers are -1 if the broker does not report them. */
export type CreatedTopic = Pick<
  ResponseOf<typeof createTopics>['topics'][number],
  'errorCode' | 'errorMessage' | 'topicId' | 'numPartitions' | 'replicationFactor' | 'configs'
>;

/** Topics as they are created, and what the cluster said of them before. */
export interface Creation {
  readonly call: CreateTopicsCall;
  /** Topics that did not exist when the command began. */
  readonly absent: ReadonlySet<string>;
}

/** Errors of a request that was sent and has no answer. */
const lostAnswers: ReadonlySet<string> = new Set(['CONNECTION_LOST', 'REQUEST_TIMEOUT']);

/** Those of the topics of which the cluster says that they do not exist. */
export async function absentTopics(client: Client, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { topics } = await client.metadata(names);
  return new Set(
    topics.filter(({ errorCode }) => errorCode === codes.UNKNOWN_TOPIC_OR_PARTITION).map(({ name }) => name),
  );
}

/**
 * Looks for topics whose creation has no certain answer. One that did not exist before, and now does as it was asked
 * for, is created. A topic that exists for another reason is reported with what is known about it: brokers forward the
 * request to the controller, and repeat it when the controller is gone, so that even the first answer may be
 * TOPIC_ALREADY_EXISTS.
 */
export async function withLostCreations(
  client: Client,
  outcomes: readonly Outcome<TopicCreation, CreatedTopic>[],
  { call, absent }: Creation,
): Promise<readonly Outcome<TopicCreation, CreatedTopic>[]> {
  const isMeant = (name: string): boolean => absent.has(name) || call.ifNotExists;
  const lost = outcomes.filter(isLost).map(({ item }) => item.topic);
  const topics = await untilReported(client, lost.filter(isMeant), 'created');
  return outcomes.map((outcome) => {
    const { item, row } = outcome;
    const name = item.topic;
    if (!isLost(outcome)) {
      return row?.errorCode === codes.TOPIC_ALREADY_EXISTS && absent.has(name) ? perhapsOurs(outcome, row) : outcome;
    }
    const topic = topics.get(name);
    if (topic === undefined || topic.errorCode !== 0 || topic.partitions.length === 0) return outcome;
    if (!absent.has(name)) return { item, row: rowOf(topic, codes.TOPIC_ALREADY_EXISTS), error: outcome.error };
    return isAsAsked(topic, item) ? { item, row: rowOf(topic, 0), error: undefined } : ofAnotherSize(outcome, topic);
  });
}

function isLost({ row, error }: Outcome<TopicCreation, CreatedTopic>): boolean {
  if (row !== undefined) return row.errorCode === codes.REQUEST_TIMED_OUT;
  return error !== undefined && lostAnswers.has(error.code) && !error.retryable;
}

function replicasOf({ partitions }: TopicMetadata): number {
  return Math.min(...partitions.map(({ replicas }) => replicas.length));
}

function rowOf(topic: TopicMetadata, errorCode: number): CreatedTopic {
  const { id: topicId = noUuid, partitions } = topic;
  const size = { numPartitions: partitions.length, replicationFactor: replicasOf(topic) };
  return { topicId, errorCode, errorMessage: undefined, configs: undefined, ...size };
}

function isAsAsked(topic: TopicMetadata, { partitions, replicas }: TopicCreation): boolean {
  const isOfSize = partitions < 0 || topic.partitions.length === partitions;
  return isOfSize && (replicas < 0 || replicasOf(topic) === replicas);
}

const mayBeOurs = 'it did not exist when this command began, so this command may have created it';

function perhapsOurs(
  outcome: Outcome<TopicCreation, CreatedTopic>,
  row: CreatedTopic & CodedRow,
): Outcome<TopicCreation, CreatedTopic> {
  const text = row.errorMessage || kafkaErrorKind(codes.TOPIC_ALREADY_EXISTS).sentence;
  return { ...outcome, row: { ...row, errorMessage: `${text.replace(/\.$/, '')}; ${mayBeOurs}` } };
}

function ofAnotherSize(
  outcome: Outcome<TopicCreation, CreatedTopic>,
  topic: TopicMetadata,
): Outcome<TopicCreation, CreatedTopic> {
  const { row, error } = outcome;
  const size = `partitions: ${topic.partitions.length}, replicas: ${replicasOf(topic)}`;
  const text = `the topic exists now (${size}); ${mayBeOurs}`;
  const message = `${row?.errorMessage || kafkaErrorKind(codes.REQUEST_TIMED_OUT).sentence}; ${text}`;
  return {
    ...outcome,
    row: row && { ...row, errorMessage: message },
    error: error && rephrased(error, `${error.message}; ${text}`),
  };
}
