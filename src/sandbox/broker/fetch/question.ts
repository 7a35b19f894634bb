import type { ReadRequestOf, WrittenResponseOf } from '../../../kafka/protocol/wire/api.ts';
import type { fetch } from '../../../kafka/protocol/wire/apis/fetch.ts';

/** A Fetch request. */
export type FetchRequest = ReadRequestOf<typeof fetch>;
/** A Fetch response. */
export type FetchResponse = WrittenResponseOf<typeof fetch>;
/** A partition in a Fetch response. */
export type PartitionAnswer = FetchResponse['responses'][number]['partitions'][number];

/** A Fetch of one partition. */
export interface Question {
  /** Empty when the topic is identified by its id. */
  readonly topic: string;
  readonly topicId: string;
  /** The topic's name, once a broker has found it by the id: a session keeps it, even if the topic is created again. */
  name: string | undefined;
  readonly index: number;
  readonly leaderEpoch: number;
  readonly offset: number;
  readonly lastFetchedEpoch: number;
  readonly maxBytes: number;
}

/** The parts of a request that apply to every partition. */
export interface ReadTerms {
  readonly broker: number;
  readonly version: number;
  readonly readCommitted: boolean;
  readonly rack: string;
}

/** Lists the partitions of a request in order. */
export function questionsOf({ topics }: Pick<FetchRequest, 'topics'>): readonly Question[] {
  return topics.flatMap(({ topic, topicId, partitions }) =>
    partitions.map((one) => ({
      topic,
      topicId,
      name: topic === '' ? undefined : topic,
      index: one.partition,
      leaderEpoch: one.currentLeaderEpoch,
      offset: Number(one.fetchOffset),
      lastFetchedEpoch: one.lastFetchedEpoch,
      maxBytes: one.partitionMaxBytes,
    })),
  );
}

/** The response for a partition, with its topic. */
export interface Answered {
  readonly question: Pick<Question, 'topic' | 'topicId' | 'index'>;
  readonly answer: PartitionAnswer;
}

/** Groups consecutive answers by topic. */
export function byTopic(answers: readonly Answered[]): FetchResponse['responses'] {
  const topics: { topic: string; topicId: string; partitions: PartitionAnswer[] }[] = [];
  for (const { question, answer } of answers) {
    const { topic, topicId } = question;
    const last = topics.at(-1);
    if (last?.topic === topic && last.topicId === topicId) last.partitions.push(answer);
    else topics.push({ topic, topicId, partitions: [answer] });
  }
  return topics;
}

/** Builds the response for a partition that cannot be read. */
export function failure(index: number, errorCode: number): PartitionAnswer {
  return {
    partitionIndex: index,
    errorCode,
    highWatermark: -1,
    records: Buffer.alloc(0),
    abortedTransactions: undefined,
  };
}
