import type { ReadRequestOf, WrittenResponseOf } from '../../../kafka/protocol/wire/api.ts';
import { isolationLevels, listOffsets, offsetTimes } from '../../../kafka/protocol/wire/apis/list-offsets.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster } from '../cluster-parts.ts';
import { readRecords } from '../log/records.ts';
import { lastStableOffset, type ReplicaLog } from '../log/replica-log.ts';
import { eachPartition, type Handler, handler } from '../serve/handler.ts';
import { findServed, type Served } from './lookup.ts';

type Request = ReadRequestOf<typeof listOffsets>;
type Response = WrittenResponseOf<typeof listOffsets>;
type Answer = Response['topics'][number]['partitions'][number];
type Question = Request['topics'][number]['partitions'][number];

/** The first version with OFFSET_NOT_AVAILABLE; older versions get LEADER_NOT_AVAILABLE. */
const offsetNotAvailableFrom = 5;

/** ListOffsets. */
export const listOffsetsHandler: Handler = handler(listOffsets, {
  handle({ cluster, broker, version }, request) {
    const ask = { cluster, broker, version, readCommitted: request.isolationLevel === isolationLevels.committed };
    return eachPartition(request.topics, (question, { name }) => answerTo(ask, name, question));
  },
  refuse: ({ topics }, code) => eachPartition(topics, ({ partitionIndex }) => failure(partitionIndex, code)),
});

function failure(partitionIndex: number, errorCode: number): Answer {
  return { partitionIndex, errorCode, timestamp: -1n, offset: -1, leaderEpoch: -1 };
}

interface Ask {
  readonly cluster: Cluster;
  readonly broker: number;
  readonly version: number;
  readonly readCommitted: boolean;
}

function answerTo(ask: Ask, topic: string, question: Question): Answer {
  const { partitionIndex, currentLeaderEpoch, timestamp } = question;
  const where = { topic, partition: partitionIndex, leaderEpoch: currentLeaderEpoch };
  const served = findServed(ask.cluster, ask.broker, where);
  if (typeof served === 'number') return failure(partitionIndex, served);
  const answer = find(served, ask, timestamp);
  if (typeof answer === 'number') return failure(partitionIndex, answer);
  return { partitionIndex, errorCode: codes.NONE, ...answer };
}

type LogPosition = Pick<Answer, 'timestamp' | 'offset' | 'leaderEpoch'>;

function find({ partition, log }: Served, { readCommitted, version }: Ask, time: bigint): LogPosition | number {
  const end = readCommitted ? lastStableOffset(log) : log.highWatermark;
  // The high watermark of a new leader may still be below the one that its predecessor reported.
  const isBehind = end < partition.epochStart;
  const behind = version >= offsetNotAvailableFrom ? codes.OFFSET_NOT_AVAILABLE : codes.LEADER_NOT_AVAILABLE;
  if (time === offsetTimes.latest) {
    return isBehind ? behind : { timestamp: -1n, offset: end, leaderEpoch: partition.leaderEpoch };
  }
  if (time === offsetTimes.earliest || time === offsetTimes.earliestLocal) {
    return { timestamp: -1n, offset: log.startOffset, leaderEpoch: startEpoch(log) };
  }
  if (time === offsetTimes.latestTiered) return { timestamp: -1n, offset: -1, leaderEpoch: -1 };
  const position = time === offsetTimes.maxTimestamp ? byMaxTimestamp(log) : byTimestamp(log, time);
  if (position !== undefined && position.offset < end) return position;
  return isBehind ? behind : { timestamp: -1n, offset: -1, leaderEpoch: -1 };
}

function startEpoch({ epochs, startOffset }: ReplicaLog): number {
  const [first] = epochs;
  return first !== undefined && first.startOffset <= startOffset ? first.epoch : -1;
}

function byMaxTimestamp(log: ReplicaLog): LogPosition | undefined {
  let most: bigint | undefined;
  for (const { maxTimestamp } of log.batches) if (most === undefined || maxTimestamp > most) most = maxTimestamp;
  return most === undefined ? undefined : byTimestamp(log, most);
}

function byTimestamp(log: ReplicaLog, time: bigint): LogPosition | undefined {
  for (const batch of log.batches) {
    if (batch.maxTimestamp < time) continue;
    const record = readRecords(batch).find((one) => one.timestamp >= time && one.offset >= log.startOffset);
    if (record !== undefined) {
      return { timestamp: record.timestamp, offset: record.offset, leaderEpoch: batch.leaderEpoch };
    }
  }
  return undefined;
}
