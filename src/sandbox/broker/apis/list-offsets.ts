import { since, struct } from '../wire/fields.ts';
import { layout } from '../wire/layout.ts';
import { array, int8, int16, int32, int64, offset64, string } from '../wire/primitives.ts';

/** ListOffsets (key 2). */
export const listOffsets = layout({
  name: 'ListOffsets',
  key: 2,
  min: 1,
  max: 10,
  flexibleFrom: 6,
  request: {
    replicaId: int32,
    isolationLevel: since(2, int8),
    topics: array(
      struct({
        name: string,
        partitions: array(struct({ partitionIndex: int32, currentLeaderEpoch: since(4, int32, -1), timestamp: int64 })),
      }),
    ),
    timeoutMs: since(10, int32),
  },
  response: {
    throttleTimeMs: since(2, int32),
    topics: array(
      struct({
        name: string,
        partitions: array(
          struct({
            partitionIndex: int32,
            errorCode: int16,
            timestamp: int64,
            offset: offset64,
            leaderEpoch: since(4, int32, -1),
          }),
        ),
      }),
    ),
  },
});
