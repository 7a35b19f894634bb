import type { Clock } from '../../src/clock.ts';
import type { Api, Layout } from '../../src/kafka/protocol/wire/api.ts';
import { consumerGroupHeartbeat } from '../../src/kafka/protocol/wire/apis/consumer-group-heartbeat.ts';
import { fetch } from '../../src/kafka/protocol/wire/apis/fetch.ts';
import { heartbeat } from '../../src/kafka/protocol/wire/apis/heartbeat.ts';
import { offsetCommit } from '../../src/kafka/protocol/wire/apis/offset-commit.ts';
import { produce } from '../../src/kafka/protocol/wire/apis/produce.ts';
import { syncGroup } from '../../src/kafka/protocol/wire/apis/sync-group.ts';
import type { Fields, ReadOf } from '../../src/kafka/protocol/wire/fields.ts';
import { decodeResponse, readHeader } from '../../src/kafka/protocol/wire/frame.ts';
import { sourceOf } from '../../src/kafka/protocol/wire/source.ts';
import { batchLayout } from '../../src/sandbox/broker/log/batch.ts';
import { requestIn } from '../services/answer.ts';
import type { Exchange } from './network.ts';

/** Reports a client that keeps sending on a link although the broker has throttled it (KIP-219). */
export function watchThrottle(clock: Clock, told: (why: string) => void) {
  let until = 0;
  return {
    answered(request: Buffer | undefined, answer: Buffer): void {
      const layout = [produce, fetch].find(({ key }) => key === request?.readInt16BE(0));
      if (request === undefined || layout === undefined) return;
      const version = request.readInt16BE(2);
      const read = layout === produce ? readAnswer(produce, version, answer) : readAnswer(fetch, version, answer);
      until = clock.now() + (read.throttleTimeMs ?? 0);
    },
    sent(): void {
      if (clock.now() < until) told(`sends a request ${Math.round(until - clock.now())} ms before it may`);
    },
  };
}

/** The offset of a partition that a member asked its coordinator to commit. */
export interface AnsweredCommit {
  readonly client: string;
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** The coordinator's error code; 0 for an offset that it has taken. */
  readonly code: number;
}

/** Returns the offsets that an exchange was to commit; empty for other APIs. */
export function commitsOf({ client, request, answer }: Exchange): readonly AnsweredCommit[] {
  if (request.readInt16BE(0) !== offsetCommit.key) return [];
  const version = request.readInt16BE(2);
  const asked = readRequest(offsetCommit, request);
  const codes = new Map(
    readAnswer(offsetCommit, version, answer).topics.flatMap(({ name, partitions }) =>
      partitions.map(({ partitionIndex, errorCode }) => [`${name}/${partitionIndex}`, errorCode] as const),
    ),
  );
  return asked.topics.flatMap(({ name: topic, partitions }) =>
    partitions.map(({ partitionIndex: partition, committedOffset }) => ({
      ...{ client, group: asked.groupId, topic, partition, offset: Number(committedOffset) },
      code: codes.get(`${topic}/${partition}`) ?? -1,
    })),
  );
}

/** Returns the error code of a heartbeat of either protocol; undefined for other APIs. */
export function heartbeatCodeOf({ request, answer }: Exchange): number | undefined {
  const [key, version] = [request.readInt16BE(0), request.readInt16BE(2)];
  if (key === heartbeat.key) return readAnswer(heartbeat, version, answer).errorCode;
  if (key !== consumerGroupHeartbeat.key) return undefined;
  return readAnswer(consumerGroupHeartbeat, version, answer).errorCode;
}

/** Returns the error code of a SyncGroup; undefined for other APIs. */
export function syncCodeOf({ request, answer }: Exchange): number | undefined {
  if (request.readInt16BE(0) !== syncGroup.key) return undefined;
  return readAnswer(syncGroup, request.readInt16BE(2), answer).errorCode;
}

/** A batch that a leader has appended. */
export interface TakenBatch {
  readonly client: string;
  readonly topic: string;
  readonly partition: number;
  readonly baseOffset: number;
  readonly count: number;
  /** When the leader received it, on the clock. */
  readonly at: number;
}

/**
 * Returns the batches that were acknowledged in an exchange; empty for other APIs.
 * @param nameOf the name of the topic with an id
 */
export function batchesOf(
  { client, request, answer, at }: Exchange,
  nameOf: (id: string) => string,
): readonly TakenBatch[] {
  if (request.readInt16BE(0) !== produce.key) return [];
  const counts = new Map(
    readRequest(produce, request).topicData.flatMap(({ name, topicId, partitionData }) =>
      partitionData.map(({ index, records }) => [
        `${name}/${topicId}/${index}`,
        records?.readInt32BE(batchLayout.count) ?? 0,
      ]),
    ),
  );
  return readAnswer(produce, request.readInt16BE(2), answer).responses.flatMap(
    ({ name, topicId, partitionResponses }) =>
      partitionResponses
        .filter(({ errorCode }) => errorCode === 0)
        .map(({ index: partition, baseOffset }) => ({
          ...{ client, topic: name === '' ? nameOf(topicId) : name, partition, baseOffset: Number(baseOffset) },
          ...{ count: counts.get(`${name}/${topicId}/${partition}`) ?? 0, at },
        })),
  );
}

function readRequest<Request extends Fields>(
  api: Pick<Layout<Request>, 'request' | 'flexibleFrom'>,
  frame: Buffer,
): ReadOf<Request> {
  const source = sourceOf(frame);
  const { version } = readHeader(source);
  return requestIn(api, { version, body: frame.subarray(source.at) });
}

function readAnswer<Response>(api: Api<never, Response>, version: number, frame: Buffer): Response {
  return decodeResponse(api, version, frame.subarray(4));
}
