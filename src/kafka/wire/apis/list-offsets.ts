import { api } from '../api.ts';
import { since, struct } from '../fields.ts';
import { array, int8, int16, int32, int64, string } from '../primitives.ts';

/** ListOffsets (key 2). */
export const listOffsets = api({
  name: 'ListOffsets',
  key: 2,
  versions: [1, 10],
  client: [1, 9],
  flexibleFrom: 6,
  target: 'leader',
  repeatable: true,
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
            offset: int64,
            leaderEpoch: since(4, int32, -1),
          }),
        ),
      }),
    ),
  },
});
