import { fetch, topicIdsFrom } from '../../../kafka/protocol/wire/apis/fetch.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster, Partition } from '../cluster-parts.ts';
import { endOfEpoch } from '../log/epochs.ts';
import { abortedFor, type LogSlice, readLog } from '../log/read.ts';
import { lastStableOffset, type ReplicaLog } from '../log/replica-log.ts';
import { waitFor } from '../replication/wait.ts';
import { type Handler, handler } from '../serve/handler.ts';
import { findServed, type Served } from '../topics/lookup.ts';
import {
  type Answered,
  byTopic,
  type FetchResponse,
  failure,
  type PartitionAnswer,
  type Question,
  questionsOf,
  type ReadTerms,
} from './question.ts';
import type { FetchContext, Sessions } from './sessions.ts';

const sessionsFrom = 7;
const endpointsFrom = 16;
/** The maximum size of a response, except for an oversized first batch (the brokers' `fetch.max.bytes`). */
const largestAnswer = 57_671_680;

/** The errors of a whole request. */
const sessionErrors: ReadonlySet<number> = new Set([
  codes.FETCH_SESSION_ID_NOT_FOUND,
  codes.INVALID_FETCH_SESSION_EPOCH,
]);

/** Fetch: reads records and waits for the requested minimum of bytes. */
export function fetchHandler(sessionsOf: (broker: number) => Sessions): Handler {
  return handler(fetch, {
    handle({ cluster, broker, version, connection }, request) {
      const sessionless = { ...request, sessionId: 0, sessionEpoch: -1 };
      const context = sessionsOf(broker).open(version >= sessionsFrom ? request : sessionless, version);
      if (typeof context === 'number') return { errorCode: context, sessionId: 0, responses: [] };
      const terms = { broker, version, readCommitted: request.isolationLevel === 1, rack: request.rackId };
      const maxBytes = Math.min(request.maxBytes, largestAnswer);
      const read = (): readonly Answered[] => readAll(cluster, terms, context.questions, maxBytes);
      return waitFor(cluster, {
        partitions: partitionsOf(cluster, context.questions),
        connection,
        timeoutMs: context.questions.length === 0 ? 0 : request.maxWaitMs,
        check() {
          const answers = read();
          return isEnough(answers, request.minBytes) ? conclude(cluster, terms, context, answers) : undefined;
        },
        late: () => conclude(cluster, terms, context, read()),
      });
    },
    refuse: (request, code, version) =>
      version >= sessionsFrom && sessionErrors.has(code)
        ? { errorCode: code, sessionId: 0, responses: [] }
        : {
            sessionId: 0,
            responses: byTopic(
              questionsOf(request).map((question) => ({ question, answer: failure(question.index, code) })),
            ),
          },
  });
}

function partitionsOf(cluster: Cluster, questions: readonly Question[]) {
  return questions.flatMap(({ topic, topicId, index }) => {
    const topicState = topic === '' ? cluster.topics.byId(topicId) : cluster.topics.get(topic);
    return topicState?.partitions[index] ?? [];
  });
}

/** Checks whether to respond now: enough bytes, or an error, a nearer replica or a diverging log to report. */
function isEnough(answers: readonly Answered[], minBytes: number): boolean {
  let bytes = 0;
  for (const { answer } of answers) {
    const { errorCode, preferredReadReplica = -1, divergingEpoch, records } = answer;
    if (errorCode !== codes.NONE || preferredReadReplica >= 0 || divergingEpoch !== undefined) return true;
    bytes += records?.length ?? 0;
  }
  return bytes >= minBytes;
}

function conclude(
  cluster: Cluster,
  { version }: ReadTerms,
  context: FetchContext,
  read: readonly Answered[],
): FetchResponse {
  const { sessionId, answers } = context.conclude(read);
  const leaders = new Set(answers.map(({ answer }) => answer.currentLeader?.leaderId ?? -1));
  const nodeEndpoints = cluster.brokers
    .filter(({ id }) => leaders.has(id))
    .map(({ id, host, port, rack }) => ({ nodeId: id, host, port, rack }));
  const helps = version >= endpointsFrom && nodeEndpoints.length > 0;
  return { sessionId, responses: byTopic(answers), nodeEndpoints: helps ? nodeEndpoints : undefined };
}

/** The first version in which a consumer with a rack may read from followers (KIP-392). */
const followerReadsFrom = 11;

/** Reads partitions in order until `maxBytes` are used up. The first batch is always whole, whatever its size. */
function readAll(
  cluster: Cluster,
  terms: ReadTerms,
  questions: readonly Question[],
  maxBytes: number,
): readonly Answered[] {
  let left = maxBytes;
  let isFirst = true;
  return questions.map((question) => {
    const limit = { bytes: Math.max(0, Math.min(question.maxBytes, left)), firstWhole: isFirst };
    const answer = readOne(cluster, terms, question, limit);
    const size = answer.records?.length ?? 0;
    if (size > 0) isFirst = false;
    left = Math.max(0, left - size);
    return { question, answer };
  });
}

interface Limit {
  readonly bytes: number;
  readonly firstWhole: boolean;
}

function readOne(cluster: Cluster, terms: ReadTerms, question: Question, limit: Limit): PartitionAnswer {
  question.name ??= cluster.topics.byId(question.topicId)?.name;
  const { name: topic } = question;
  if (topic === undefined) return failure(question.index, codes.UNKNOWN_TOPIC_ID);
  const current = cluster.topics.get(topic);
  if (terms.version >= topicIdsFrom && current !== undefined && current.id !== question.topicId) {
    return failure(question.index, codes.INCONSISTENT_TOPIC_ID);
  }
  const { index, leaderEpoch } = question;
  const anyReplica = terms.version >= followerReadsFrom;
  const served = findServed(cluster, terms.broker, { topic, partition: index, leaderEpoch, anyReplica });
  if (typeof served === 'number') return withLeader(failure(index, served), current?.partitions[index]);
  const { partition, log } = served;
  const marks = marksOf(question, log);
  const preferred = preferredReplica(cluster, terms, partition, question.offset);
  if (preferred !== undefined) return { ...marks, preferredReadReplica: preferred };
  const diverging = divergence(log, question);
  if (diverging !== undefined) return { ...marks, divergingEpoch: diverging };
  if (question.offset > log.endOffset || question.offset < log.startOffset) {
    return failure(index, codes.OFFSET_OUT_OF_RANGE);
  }
  return readServed(served, { terms, question, limit, marks });
}

function readServed(
  { log }: Served,
  {
    terms,
    question,
    limit,
    marks,
  }: {
    readonly terms: ReadTerms;
    readonly question: Question;
    readonly limit: Limit;
    readonly marks: PartitionAnswer;
  },
): PartitionAnswer {
  const { offset } = question;
  const end = terms.readCommitted ? lastStableOffset(log) : log.highWatermark;
  const slice: LogSlice = readLog(log, { offset, end }, limit.bytes, limit.firstWhole);
  if (slice.isFirstCut) return marks;
  if (!terms.readCommitted) return { ...marks, records: slice.records };
  const abortedTransactions = offset >= end ? [] : abortedFor(log, offset, slice.records.length);
  return { ...marks, records: slice.records, abortedTransactions };
}

function marksOf({ index }: Question, log: ReplicaLog): PartitionAnswer {
  return {
    partitionIndex: index,
    errorCode: codes.NONE,
    highWatermark: log.highWatermark,
    lastStableOffset: lastStableOffset(log),
    logStartOffset: log.startOffset,
    abortedTransactions: undefined,
    records: Buffer.alloc(0),
  };
}

/** Adds the current leader to an error about the wrong broker or an old epoch (KIP-951, from version 16). */
function withLeader(answer: PartitionAnswer, partition: Partition | undefined): PartitionAnswer {
  const isHelped = answer.errorCode === codes.NOT_LEADER_OR_FOLLOWER || answer.errorCode === codes.FENCED_LEADER_EPOCH;
  if (!isHelped || partition === undefined) return answer;
  return { ...answer, currentLeader: { leaderId: partition.leader, leaderEpoch: partition.leaderEpoch } };
}

/** Finds where the reader's log diverges from this one, by the epoch of its last record (KIP-595). */
function divergence(log: ReplicaLog, { lastFetchedEpoch, offset }: Question) {
  if (lastFetchedEpoch < 0) return undefined;
  const end = endOfEpoch(log.epochs, lastFetchedEpoch, log.endOffset);
  if (end === undefined || (end.epoch === lastFetchedEpoch && end.endOffset >= offset)) return undefined;
  return { epoch: end.epoch, endOffset: end.endOffset };
}

/** Selects the most advanced in-sync replica in the reader's rack; undefined when the leader is to be read. */
function preferredReplica(
  cluster: Cluster,
  { broker, version, rack }: ReadTerms,
  partition: Partition,
  offset: number,
): number | undefined {
  if (!cluster.settings.rackAware || version < followerReadsFrom || rack === '' || partition.leader !== broker) {
    return undefined;
  }
  const isNear = (id: number): boolean => cluster.brokers.find((one) => one.id === id)?.rack === rack;
  if (isNear(broker)) return undefined;
  let best: number | undefined;
  let bestEnd = -1;
  for (const id of partition.isr) {
    const end = partition.followers.get(id)?.end ?? -1;
    const start = partition.logs.get(id)?.startOffset ?? 0;
    if (start > offset) continue;
    if (isNear(id) && cluster.isUp(id) && end >= offset && end > bestEnd) {
      best = id;
      bestEnd = end;
    }
  }
  return best;
}
