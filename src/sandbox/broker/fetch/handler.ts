import { fetch } from '../../../kafka/protocol/wire/apis/fetch.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster } from '../cluster-parts.ts';
import { waitFor } from '../replication/wait.ts';
import { type Handler, handler } from '../serve/handler.ts';
import {
  type Answered,
  byTopic,
  type FetchResponse,
  failure,
  type Question,
  questionsOf,
  type ReadTerms,
} from './question.ts';
import { readAll } from './read.ts';
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
