import { api } from '../api.ts';
import { between, nullable, since, struct, tagged, until } from '../fields.ts';
import { array, int8, int16, int32, int64, noUuid, records, string, uuid } from '../primitives.ts';

/** The first version that names topics by their ids (KIP-516). */
export const topicIdsFrom = 13;

/** Fetch (key 1): sessions since 7 (KIP-227), nearest replica since 11 (KIP-392), topic ids since 13 (KIP-516). */
export const fetch = api({
  name: 'Fetch',
  key: 1,
  versions: [4, 17],
  client: [4, topicIdsFrom],
  flexibleFrom: 12,
  target: 'leader',
  repeatable: true,
  timeoutMs: ({ maxWaitMs }) => maxWaitMs,
  request: {
    replicaId: until(14, int32, -1),
    maxWaitMs: int32,
    minBytes: int32,
    maxBytes: int32,
    isolationLevel: int8,
    sessionId: since(7, int32),
    // 0 opens a session and closes the one of `sessionId`; -1 is outside any session; others count its requests.
    sessionEpoch: since(7, int32, -1),
    topics: array(
      struct({
        topic: until(topicIdsFrom - 1, string),
        topicId: since(topicIdsFrom, uuid, noUuid),
        partitions: array(
          struct({
            partition: int32,
            currentLeaderEpoch: since(9, int32, -1),
            fetchOffset: int64,
            // With an epoch here, brokers would report truncation in the answer.
            lastFetchedEpoch: since(12, int32, -1),
            logStartOffset: since(5, int64, -1n),
            partitionMaxBytes: int32,
            replicaDirectoryId: tagged(0, 17, uuid),
          }),
        ),
      }),
    ),
    forgottenTopicsData: since(
      7,
      array(
        struct({
          topic: between([7, topicIdsFrom - 1], string),
          topicId: since(topicIdsFrom, uuid, noUuid),
          partitions: array(int32),
        }),
      ),
    ),
    rackId: since(11, string),
    clusterId: tagged(0, 12, nullable(string)),
    replicaState: tagged(1, 15, struct({ replicaId: int32, replicaEpoch: int64 })),
  },
  response: {
    throttleTimeMs: since(1, int32),
    errorCode: since(7, int16),
    sessionId: since(7, int32),
    responses: array(
      struct({
        topic: until(topicIdsFrom - 1, string),
        topicId: since(topicIdsFrom, uuid, noUuid),
        partitions: array(
          struct({
            partitionIndex: int32,
            errorCode: int16,
            highWatermark: int64,
            lastStableOffset: since(4, int64, -1n),
            logStartOffset: since(5, int64, -1n),
            divergingEpoch: tagged(0, 12, struct({ epoch: int32, endOffset: int64 })),
            currentLeader: tagged(1, 12, struct({ leaderId: int32, leaderEpoch: int32 })),
            snapshotId: tagged(2, 12, struct({ endOffset: int64, epoch: int32 })),
            abortedTransactions: nullable(array(struct({ producerId: int64, firstOffset: int64 }))),
            preferredReadReplica: since(11, int32, -1),
            records: nullable(records),
          }),
        ),
      }),
    ),
    nodeEndpoints: tagged(0, 16, array(struct({ nodeId: int32, host: string, port: int32, rack: nullable(string) }))),
  },
});
