import { CliError, exitCodes } from '../errors.ts';
import type { Client, TopicMetadata } from './client/client.ts';
import { kafkaErrorKind, kafkaErrorName } from './errors.ts';
import { type ListOffsetsRequest, type ListOffsetsResponse, listOffsets } from './protocol/list-offsets.ts';

/** Which offset is asked for, of every partition alike. */
export interface OffsetQuery {
  /** One of `offsetTimes`, or milliseconds since the epoch. */
  readonly time: bigint;
  /** `committed`: the latest offset is the last stable one. */
  readonly isolation: 'uncommitted' | 'committed';
}

/** The answer for one partition: an offset (-1: no record matches), or the name of what went wrong. */
export interface OffsetAnswer {
  readonly offset: bigint;
  readonly timestamp: bigint;
  readonly error: string | undefined;
  /** Why the leader could not be asked at all; undefined where it answered. */
  readonly cause?: CliError;
}

/** The answers by topic and partition. */
export type OffsetAnswers = ReadonlyMap<string, ReadonlyMap<number, OffsetAnswer>>;

interface Question {
  readonly topic: string;
  readonly partition: number;
  readonly leader: number;
  readonly leaderEpoch: number;
}

type Answers = Map<string, Map<number, OffsetAnswer>>;
type Moved = Map<string, Set<number>>;

const leaderNotAvailable = 5;

/**
 * Asks the leaders of all partitions of `topics` for one offset each, with one request per leader.
 * A partition whose leader has moved is asked again by the retry rule; what stays wrong is told per partition.
 */
export async function askOffsets(
  client: Client,
  topics: readonly TopicMetadata[],
  query: OffsetQuery,
): Promise<OffsetAnswers> {
  const answers: Answers = new Map(topics.map(({ name }) => [name, new Map()]));
  let open = questionsOf(topics);
  let isRepeat = false;
  const attempt = async (): Promise<void> => {
    if (isRepeat) open = await withNewLeaders(client, open);
    isRepeat = true;
    const moved = await askOnce(client, open, query, answers);
    open = open.filter(({ topic, partition }) => moved.get(topic)?.has(partition));
    if (open.length > 0) throw stillOpen(open, answers);
  };
  try {
    await client.retry('ListOffsets', attempt);
  } catch (error) {
    // When time is up, the last answers stand in the table, each with its own error.
    if (!(error instanceof CliError && error.code === someOpen)) throw error;
  }
  return answers;
}

const someOpen = 'OFFSETS_OPEN';

/** Tells the retry rule that partitions are left to ask; shown only when the command's time is up. */
function stillOpen(open: readonly Question[], answers: Answers): CliError {
  const [first] = open;
  const where = first === undefined ? '' : `${first.topic}/${first.partition}`;
  const why = first === undefined ? '' : answers.get(first.topic)?.get(first.partition)?.error;
  const message = `the offsets of ${open.length} partitions could not be read, of ${where} because of ${why}`;
  return new CliError(exitCodes.unreachable, message, { code: someOpen, retryable: true });
}

function questionsOf(topics: readonly TopicMetadata[]): Question[] {
  return topics.flatMap(({ name, partitions }) =>
    partitions.map(({ partition, leader, leaderEpoch }) => ({ topic: name, partition, leader, leaderEpoch })),
  );
}

async function withNewLeaders(client: Client, questions: readonly Question[]): Promise<Question[]> {
  const names = [...new Set(questions.map(({ topic }) => topic))];
  const { topics } = await client.metadata(names);
  const leaders = new Map(
    topics.map(({ name, partitions }) => [name, new Map(partitions.map((told) => [told.partition, told]))]),
  );
  return questions.map((question) => {
    const told = leaders.get(question.topic)?.get(question.partition);
    return { ...question, leader: told?.leader ?? -1, leaderEpoch: told?.leaderEpoch ?? -1 };
  });
}

/** Asks every leader at the same time; returns the partitions worth another try. */
async function askOnce(
  client: Client,
  questions: readonly Question[],
  query: OffsetQuery,
  answers: Answers,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const moved: Moved = new Map();
  const asked = [...Map.groupBy(questions, ({ leader }) => leader)].map(async ([leader, own]) => {
    if (leader < 0) return note(answers, own, kafkaErrorName(leaderNotAvailable));
    try {
      const response = await client.requestOnce(listOffsets, requestOf(own, query), { node: leader });
      take(response, answers, moved);
    } catch (error) {
      if (!(error instanceof CliError) || client.options.deadline.signal.aborted) throw error;
      note(answers, own, error.code, error);
      // A leader that is gone is not asked again: the next try looks who has followed it.
      if (error.retryable) for (const question of own) leaveOpen(moved, question);
    }
  });
  await Promise.all(asked);
  return moved;
}

function requestOf(questions: readonly Question[], { time, isolation }: OffsetQuery): ListOffsetsRequest {
  const topics = [...Map.groupBy(questions, ({ topic }) => topic)].map(([name, own]) => ({
    name,
    partitions: own.map(({ partition, leaderEpoch }) => ({ partition, leaderEpoch, time })),
  }));
  return { isolation, topics };
}

function take(response: ListOffsetsResponse, answers: Answers, moved: Moved): void {
  for (const { name, partitions } of response.topics) {
    for (const { partition, errorCode, offset, timestamp } of partitions) {
      const error = errorCode === 0 ? undefined : kafkaErrorName(errorCode);
      answers.get(name)?.set(partition, { offset, timestamp, error });
      if (kafkaErrorKind(errorCode).retriable) leaveOpen(moved, { topic: name, partition });
    }
  }
}

function leaveOpen(moved: Moved, { topic, partition }: Pick<Question, 'topic' | 'partition'>): void {
  moved.set(topic, (moved.get(topic) ?? new Set()).add(partition));
}

function note(answers: Answers, questions: readonly Question[], error: string, cause?: CliError): void {
  const answer = { offset: -1n, timestamp: -1n, error, ...(cause && { cause }) };
  for (const { topic, partition } of questions) {
    answers.get(topic)?.set(partition, answer);
  }
}
