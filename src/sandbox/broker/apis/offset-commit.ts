import { between, nullable, since, struct } from '../wire/fields.ts';
import { layout, type RequestOf, type ResponseOf } from '../wire/layout.ts';
import { array, int16, int32, int64, offset64, string } from '../wire/primitives.ts';

/** OffsetCommit (key 8). */
export const offsetCommit = layout({
  name: 'OffsetCommit',
  key: 8,
  min: 2,
  max: 9,
  flexibleFrom: 8,
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
            committedOffset: offset64,
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
export type OffsetCommitRequest = RequestOf<typeof offsetCommit>;
/** An OffsetCommit response. */
export type OffsetCommitResponse = ResponseOf<typeof offsetCommit>;
