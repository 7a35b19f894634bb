import { api } from '../api.ts';
import { optional, since, struct } from '../fields.ts';
import { array, int16, int32, int64, string } from '../primitives.ts';

/** OffsetForLeaderEpoch (key 23, KIP-320). */
export const offsetForLeaderEpoch = api({
  name: 'OffsetForLeaderEpoch',
  key: 23,
  versions: [2, 4],
  flexibleFrom: 4,
  target: 'leader',
  repeatable: true,
  request: {
    replicaId: since(3, int32, -2),
    topics: array(
      struct({
        topic: string,
        partitions: array(struct({ partition: int32, currentLeaderEpoch: int32, leaderEpoch: int32 })),
      }),
    ),
  },
  response: {
    throttleTimeMs: optional(int32),
    topics: array(
      struct({
        topic: string,
        partitions: array(struct({ errorCode: int16, partition: int32, leaderEpoch: int32, endOffset: int64 })),
      }),
    ),
  },
});
