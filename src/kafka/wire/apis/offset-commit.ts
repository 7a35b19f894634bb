import { api, type ReadRequestOf, type WrittenResponseOf } from '../api.ts';
import { between, nullable, since, struct } from '../fields.ts';
import { array, int16, int32, int64, string } from '../primitives.ts';

/** OffsetCommit (key 8). */
export const offsetCommit = api({
  name: 'OffsetCommit',
  key: 8,
  versions: [2, 9],
  client: [2, 10],
  flexibleFrom: 8,
  target: ({ groupId }) => ({ group: groupId }),
  repeatable: true,
  request: {
    groupId: string,
    generationIdOrMemberEpoch: int32,
    memberId: string,
    groupInstanceId: since(7, nullable(string)),
    retentionTimeMs: between([2, 4], int64),
    topics: array(
      struct({
        name: string,
        partitions: array(
          struct({
            partitionIndex: int32,
            committedOffset: int64,
            committedLeaderEpoch: since(6, int32, -1),
            committedMetadata: nullable(string),
          }),
        ),
      }),
    ),
  },
  response: {
    throttleTimeMs: since(3, int32),
    topics: array(
      struct({
        name: string,
        partitions: array(struct({ partitionIndex: int32, errorCode: int16 })),
      }),
    ),
  },
});

/** A decoded OffsetCommit request. */
export type OffsetCommitRequest = ReadRequestOf<typeof offsetCommit>;
/** An OffsetCommit response. */
export type OffsetCommitResponse = WrittenResponseOf<typeof offsetCommit>;
