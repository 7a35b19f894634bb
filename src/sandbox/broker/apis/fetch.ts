import { between, nullable, since, struct, tagged, until } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { array, bytes, int8, int16, int32, int64, noUuid, offset64, string, uuid } from '../wire/primitives.ts';

/** Fetch (key 1): sessions since 7 (KIP-227), nearest replica since 11 (KIP-392), topic ids since 13 (KIP-516). */
export const fetch = layout({
  name: 'Fetch',
  key: 1,
  min: 4,
  max: 17,
  flexibleFrom: 12,
  request: {
    replicaId: until(14, int32, -1),
    maxWaitMs: int32,
    minBytes: int32,
    maxBytes: int32,
    isolationLevel: int8,
    sessionId: since(7, int32),
    sessionEpoch: since(7, int32, -1),
    topics: array(
      struct({
        topic: until(12, string),
        topicId: since(13, uuid, noUuid),
        partitions: array(
          struct({
            partition: int32,
            currentLeaderEpoch: since(9, int32, -1),
            fetchOffset: offset64,
            lastFetchedEpoch: since(12, int32, -1),
            logStartOffset: since(5, offset64, -1),
            partitionMaxBytes: int32,
          }),
        ),
      }),
    ),
    forgottenTopicsData: since(
      7,
      array(struct({ topic: between([7, 12], string), topicId: since(13, uuid, noUuid), partitions: array(int32) })),
    ),
    rackId: since(11, string),
  },
  response: {
    throttleTimeMs: since(1, int32),
    errorCode: since(7, int16),
    sessionId: since(7, int32),
    responses: array(
      struct({
        topic: until(12, string),
        topicId: since(13, uuid, noUuid),
        partitions: array(
          struct({
            partitionIndex: int32,
            errorCode: int16,
            highWatermark: offset64,
            lastStableOffset: since(4, offset64, -1),
            logStartOffset: since(5, offset64, -1),
            divergingEpoch: tagged(0, 12, struct({ epoch: int32, endOffset: offset64 })),
            currentLeader: tagged(1, 12, struct({ leaderId: int32, leaderEpoch: int32 })),
            abortedTransactions: nullable(array(struct({ producerId: int64, firstOffset: offset64 }))),
            preferredReadReplica: since(11, int32, -1),
            records: nullable(bytes),
          }),
        ),
      }),
    ),
    nodeEndpoints: tagged(0, 16, array(struct({ nodeId: int32, host: string, port: int32, rack: nullable(string) }))),
  },
});
