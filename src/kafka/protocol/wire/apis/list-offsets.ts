import { api } from '../api.ts';
import { optional, since, struct } from '../fields.ts';
import { array, int8, int16, int32, int64, string } from '../primitives.ts';

/** Times with a special meaning; others are milliseconds since the epoch. */
export const offsetTimes = {
  /** The high watermark; with `committed` isolation, the last stable offset. */
  latest: -1n,
  /** The log start. */
  earliest: -2n,
  /** The record with the highest timestamp (from version 7). */
  maxTimestamp: -3n,
  /** The first offset on the broker's own disks (KIP-405, from version 8). */
  earliestLocal: -4n,
  /** The last offset in remote storage (from version 9). */
  latestTiered: -5n,
} as const;

/** Whether the offsets or records of open and aborted transactions count. */
export const isolationLevels = { uncommitted: 0, committed: 1 } as const;

/** ListOffsets (key 2). The client does not speak version 10, which adds a timeout that its requests should not have. */
export const listOffsets = api({
  name: 'ListOffsets',
  key: 2,
  versions: [1, 10],
  client: [1, 9],
  flexibleFrom: 6,
  target: 'leader',
  repeatable: true,
  request: {
    // By default a client.
    replicaId: optional(int32, -1),
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
