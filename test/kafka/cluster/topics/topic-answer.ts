import { metadata } from '../../../../src/kafka/protocol/wire/apis/metadata.ts';
import { answerOf } from '../../../services/answer.ts';
import type { ScriptedBroker } from '../../../services/scripted-broker.ts';

/** What a scripted broker reports about the topic `foo`. */
export interface ToldTopic {
  /** The leader of each partition; -1: none. */
  readonly leaders: readonly number[];
  readonly errorCode?: number;
  /** The leader epoch of every partition. */
  readonly epoch?: number;
  /** Of every partition, all of them in sync. */
  readonly replicas?: readonly number[];
}

/** Metadata v9: the brokers, numbered from 1, and the topic `foo`. */
export function topicAnswer(
  brokers: readonly Pick<ScriptedBroker, 'address'>[],
  { leaders, errorCode = 0, epoch = 2, replicas = [] }: ToldTopic,
): Buffer {
  const partitions = leaders.map((leaderId, partitionIndex) => ({
    errorCode: leaderId < 0 ? 5 : 0,
    partitionIndex,
    leaderId,
    leaderEpoch: epoch,
    replicaNodes: replicas,
    isrNodes: replicas,
  }));
  return answerOf(metadata, 9, {
    brokers: brokers.map(({ address: { host, port } }, at) => ({ nodeId: at + 1, host, port })),
    clusterId: 'scripted',
    controllerId: 1,
    topics: [{ errorCode, name: 'foo', partitions }],
  });
}
