import type { ReadRequestOf } from '../../../kafka/protocol/wire/api.ts';
import { offsetForLeaderEpoch } from '../../../kafka/protocol/wire/apis/offset-for-leader-epoch.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import { endOfEpoch } from '../log/epochs.ts';
import { eachPartition, type Handler, handler, type RequestContext } from '../serve/handler.ts';
import { findServed } from './lookup.ts';

type Request = ReadRequestOf<typeof offsetForLeaderEpoch>;
type Question = Request['topics'][number]['partitions'][number];

/** OffsetForLeaderEpoch: returns the end offset of a leader epoch (KIP-320). */
export const offsetForLeaderEpochHandler: Handler = handler(offsetForLeaderEpoch, {
  handle: (context, { topics }) => eachPartition(topics, (question, { topic }) => answerTo(context, topic, question)),
  refuse: ({ topics }, code) => eachPartition(topics, ({ partition }) => failure(partition, code)),
});

function failure(partition: number, errorCode: number) {
  return { partition, errorCode, leaderEpoch: -1, endOffset: -1 };
}

function answerTo({ cluster, broker }: RequestContext, topic: string, question: Question) {
  const { partition, currentLeaderEpoch, leaderEpoch } = question;
  const served = findServed(cluster, broker, { topic, partition, leaderEpoch: currentLeaderEpoch });
  if (typeof served === 'number') return failure(partition, served);
  const end = endOfEpoch(served.log.epochs, leaderEpoch, served.log.endOffset);
  if (end === undefined) return failure(partition, codes.NONE);
  return { partition, errorCode: codes.NONE, leaderEpoch: end.epoch, endOffset: end.endOffset };
}
