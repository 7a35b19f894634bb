import { optional, since, struct } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { array, int16, int32, offset64, string } from '../wire/primitives.ts';

/** OffsetForLeaderEpoch (key 23, KIP-320). */
export const offsetForLeaderEpoch = layout({
  name: 'OffsetForLeaderEpoch',
  key: 23,
  min: 2,
  max: 4,
  flexibleFrom: 4,
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
        partitions: array(struct({ errorCode: int16, partition: int32, leaderEpoch: int32, endOffset: offset64 })),
      }),
    ),
  },
});
