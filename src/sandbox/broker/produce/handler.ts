import type { ReadRequestOf, WrittenResponseOf } from '../../../kafka/protocol/wire/api.ts';
import { produce } from '../../../kafka/protocol/wire/apis/produce.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import { noUuid } from '../../../kafka/protocol/wire/primitives.ts';
import type { Cluster } from '../cluster-parts.ts';
import { batchLayout, readBatch } from '../log/batch.ts';
import { waitFor } from '../replication/wait.ts';
import { type Answer, type Handler, handler, hangUp, noAnswer } from '../serve/handler.ts';
import { minInsyncReplicas } from '../topic-configs.ts';
import { type Appended, appendRecords } from './append.ts';
import type { Refusal } from './validate.ts';

type Request = ReadRequestOf<typeof produce>;
type Response = WrittenResponseOf<typeof produce>;
type Outcome = Appended | Refusal;

/** One partition of a request. */
interface Item {
  readonly name: string;
  readonly topicId: string;
  readonly index: number;
  outcome: Outcome;
}

/** Produce: appends records and waits for the replicas that the acks require. */
export const produceHandler: Handler = handler(produce, {
  handle({ cluster, broker, version, connection }, request) {
    const isUnnamed = request.transactionalId === undefined && hasTransactional(request);
    const items = eachPartition(request, (topic, index, records) => {
      // As in Kafka, where the authorization of the missing transactional id fails.
      if (isUnnamed) return { code: codes.TRANSACTIONAL_ID_AUTHORIZATION_FAILED };
      if (![-1, 0, 1].includes(request.acks)) return { code: codes.INVALID_REQUIRED_ACKS };
      const name = topic.name !== '' ? topic.name : cluster.topics.byId(topic.topicId)?.name;
      if (name === undefined) return { code: codes.UNKNOWN_TOPIC_ID };
      const { acks, transactionalId } = request;
      return appendRecords(cluster, broker, { topic: name, index, records, acks, transactionalId, version });
    });
    if (request.acks !== -1) return answer(request, items);
    return waitFor(cluster, {
      connection,
      partitions: items.flatMap(({ outcome }) => ('partition' in outcome ? [outcome.partition] : [])),
      timeoutMs: request.timeoutMs,
      check() {
        for (const item of items) item.outcome = replicated(cluster, item.outcome) ?? item.outcome;
        return items.every(({ outcome }) => isSettled(outcome)) ? answer(request, items) : undefined;
      },
      late() {
        for (const item of items) if (!isSettled(item.outcome)) item.outcome = { code: codes.REQUEST_TIMED_OUT };
        return answer(request, items);
      },
    });
  },
  refuse: (request, code) =>
    answer(
      request,
      eachPartition(request, () => ({ code })),
    ),
});

function hasTransactional({ topicData }: Request): boolean {
  return topicData.some(({ partitionData }) =>
    partitionData.some(
      ({ records }) =>
        records !== undefined && records.length >= batchLayout.records && readBatch(records).isTransactional,
    ),
  );
}

function eachPartition(
  request: Request,
  call: (topic: Request['topicData'][number], index: number, records: Buffer | undefined) => Outcome,
): Item[] {
  return request.topicData.flatMap((topic) =>
    topic.partitionData.map(({ index, records }) => ({
      name: topic.name,
      topicId: topic.topicId,
      index,
      outcome: call(topic, index, records),
    })),
  );
}

/** Returns the final outcome of appended records; undefined while they are not replicated. */
function replicated(cluster: Cluster, outcome: Outcome): Outcome | undefined {
  if (!('partition' in outcome) || isSettled(outcome)) return undefined;
  const { partition, log, leaderEpoch, lastOffset } = outcome;
  if (partition.offline.has(partition.leader)) return { code: codes.KAFKA_STORAGE_ERROR };
  if (partition.leaderEpoch !== leaderEpoch || partition.isDeleted) return { code: codes.NOT_LEADER_OR_FOLLOWER };
  if (log.highWatermark <= lastOffset) return undefined;
  const isEnough = partition.isr.length >= minInsyncReplicas(cluster, partition);
  return isEnough ? ({ ...outcome, isReplicated: true } as Appended) : { code: codes.NOT_ENOUGH_REPLICAS_AFTER_APPEND };
}

function isSettled(outcome: Outcome): boolean {
  return !('partition' in outcome) || 'isReplicated' in outcome;
}

/** Builds the response. Without acks there is none; a failure then closes the connection to alert the producer. */
function answer(request: Request, items: readonly Item[]): Answer<Response> {
  if (request.acks !== 0) return responseOf(items);
  return items.some(({ outcome }) => !('partition' in outcome)) ? hangUp : noAnswer;
}

function responseOf(items: readonly Item[]): Response {
  const responses: {
    name: string;
    topicId: string;
    partitionResponses: Response['responses'][number]['partitionResponses'][number][];
  }[] = [];
  for (const { name, topicId, index, outcome } of items) {
    let last = responses.at(-1);
    if (last === undefined || last.name !== name || last.topicId !== (topicId || noUuid)) {
      last = { name, topicId, partitionResponses: [] };
      responses.push(last);
    }
    last.partitionResponses.push({ index, ...partitionResponse(outcome) });
  }
  return { responses };
}

function partitionResponse(outcome: Outcome) {
  if ('partition' in outcome) {
    const { baseOffset, appendTime, log } = outcome;
    return { errorCode: codes.NONE, baseOffset, logAppendTimeMs: appendTime, logStartOffset: log.startOffset };
  }
  const { code, message, records, logStartOffset } = outcome;
  return { errorCode: code, baseOffset: -1, logStartOffset, errorMessage: message, recordErrors: records };
}
