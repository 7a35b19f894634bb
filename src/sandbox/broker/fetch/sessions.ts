import type { Clock } from '../../../clock.ts';
import { topicIdsFrom } from '../../../kafka/protocol/wire/apis/fetch.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import { type Answered, type FetchRequest, type Question, questionsOf } from './question.ts';

/** The state of a partition in a session: its request and the values last sent to the client. */
interface Remembered {
  question: Question;
  highWatermark: number | bigint;
  logStartOffset: number | bigint;
}

interface Session {
  readonly id: number;
  readonly usesTopicIds: boolean;
  epoch: number;
  lastUsed: number;
  /** Keyed by topic and partition, in the order in which they are read. */
  readonly partitions: Map<string, Remembered>;
}

/** The partitions that a Fetch request reads and the construction of its response. */
export interface FetchContext {
  readonly questions: readonly Question[];
  /** Removes answers that the client already knows; returns the session's id, or 0 for none. */
  conclude(answers: readonly Answered[]): { readonly sessionId: number; readonly answers: readonly Answered[] };
}

/** The fetch sessions of one broker (KIP-227). */
export interface Sessions {
  /** Returns the context for a request, or an error code. */
  open(request: FetchRequest, version: number): FetchContext | number;
  /** Drops all sessions, so that clients get FETCH_SESSION_ID_NOT_FOUND. */
  evictAll(): void;
}

const initialEpoch = 0;
const finalEpoch = -1;
/** The idle time after which a session can be evicted for a new one (`min.incremental.fetch.session.eviction.ms`). */
const evictionMs = 120_000;

/** Creates an empty store of at most `limit` sessions. */
export function createSessions(clock: Clock, limit: () => number): Sessions {
  const sessions = new Map<number, Session>();
  return {
    evictAll: () => sessions.clear(),
    open(request, version) {
      const { sessionId, sessionEpoch } = request;
      const usesTopicIds = version >= topicIdsFrom;
      if (sessionEpoch !== initialEpoch && sessionEpoch !== finalEpoch) {
        return next(sessions, request, usesTopicIds, clock.now());
      }
      sessions.delete(sessionId);
      const questions = questionsOf(request);
      if (sessionEpoch === finalEpoch) return sessionless(questions);
      return {
        questions,
        conclude(answers) {
          const session = add(sessions, { clock, limit: limit(), usesTopicIds });
          if (session !== undefined) remember(session, questions, answers);
          return { sessionId: session?.id ?? 0, answers };
        },
      };
    },
  };
}

function sessionless(questions: readonly Question[]): FetchContext {
  return { questions, conclude: (answers) => ({ sessionId: 0, answers }) };
}

/** Returns the context for the next request of a session, or an error code. */
function next(
  sessions: Map<number, Session>,
  request: FetchRequest,
  usesTopicIds: boolean,
  now: number,
): FetchContext | number {
  const { sessionId, sessionEpoch } = request;
  const session = sessions.get(sessionId);
  if (session === undefined) return codes.FETCH_SESSION_ID_NOT_FOUND;
  if (session.epoch !== sessionEpoch) return codes.INVALID_FETCH_SESSION_EPOCH;
  if (session.usesTopicIds !== usesTopicIds) return codes.FETCH_SESSION_TOPIC_ID_ERROR;
  update(session, request);
  if (session.partitions.size === 0) {
    sessions.delete(sessionId);
    return sessionless([]);
  }
  session.lastUsed = now;
  session.epoch = session.epoch === 0x7fffffff ? 1 : session.epoch + 1;
  return {
    questions: [...session.partitions.values()].map(({ question }) => question),
    conclude: (answers) => ({ sessionId, answers: answers.filter((one) => isNews(session, one)) }),
  };
}

function keyOf({ topic, topicId, index }: Pick<Question, 'topic' | 'topicId' | 'index'>): string {
  return `${topic === '' ? topicId : topic}/${index}`;
}

function add(
  sessions: Map<number, Session>,
  { clock, limit, usesTopicIds }: { readonly clock: Clock; readonly limit: number; readonly usesTopicIds: boolean },
): Session | undefined {
  const now = clock.now();
  if (sessions.size >= limit) {
    const oldest = [...sessions.values()].toSorted((a, b) => a.lastUsed - b.lastUsed)[0];
    if (oldest === undefined || oldest.lastUsed + evictionMs > now) return undefined;
    sessions.delete(oldest.id);
  }
  let id = 0;
  while (id === 0 || sessions.has(id)) id = 1 + Math.floor(clock.random() * 0x7ffffffe);
  const session: Session = { id, usesTopicIds, epoch: 1, lastUsed: now, partitions: new Map() };
  sessions.set(id, session);
  return session;
}

function remember(session: Session, questions: readonly Question[], answers: readonly Answered[]): void {
  questions.forEach((question, place) => {
    const {
      errorCode,
      highWatermark,
      logStartOffset = -1,
    } = answers[place]?.answer ?? { errorCode: -1, highWatermark: -1 };
    const storedMark = errorCode === codes.NONE ? highWatermark : -1;
    session.partitions.set(keyOf(question), { question, highWatermark: storedMark, logStartOffset });
  });
}

function update(session: Session, request: FetchRequest): void {
  for (const { topic, topicId, partitions } of request.forgottenTopicsData) {
    for (const index of partitions) session.partitions.delete(keyOf({ topic, topicId, index }));
  }
  for (const question of questionsOf(request)) {
    const entry = session.partitions.get(keyOf(question));
    if (entry === undefined)
      session.partitions.set(keyOf(question), { question, highWatermark: -1, logStartOffset: -1 });
    else entry.question = { ...question, name: entry.question.name };
  }
}

/** Checks whether an answer has news for the client: records, a new watermark or log start, an error or a replica. */
function isNews(session: Session, { question, answer }: Answered): boolean {
  const entry = session.partitions.get(keyOf(question));
  if (entry === undefined) return false;
  const { errorCode, highWatermark, logStartOffset = -1, preferredReadReplica = -1, records, divergingEpoch } = answer;
  const hasRecords = (records?.length ?? 0) > 0;
  const isFailed = errorCode !== codes.NONE || divergingEpoch !== undefined;
  const isOther = entry.highWatermark !== highWatermark || entry.logStartOffset !== logStartOffset;
  entry.highWatermark = isFailed ? -1 : highWatermark;
  entry.logStartOffset = logStartOffset;
  if (hasRecords) {
    // A partition that returned records moves to the end of the order.
    session.partitions.delete(keyOf(question));
    session.partitions.set(keyOf(question), entry);
  }
  return hasRecords || isFailed || isOther || preferredReadReplica >= 0;
}
