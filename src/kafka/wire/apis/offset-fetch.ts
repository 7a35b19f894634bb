import { api, type ReadRequestOf, type WrittenResponseOf } from '../api.ts';
import { between, nullable, since, struct, until } from '../fields.ts';
import { array, boolean, int16, int32, int64, string } from '../primitives.ts';

/** OffsetFetch (key 9): one group, or several since version 8. */
export const offsetFetch = api({
  name: 'OffsetFetch',
  key: 9,
  versions: [1, 9],
  client: [1, 10],
  flexibleFrom: 6,
  target: 'coordinator',
  repeatable: true,
  request: {
    groupId: until(7, string),
    topics: until(7, nullable(array(struct({ name: string, partitionIndexes: array(int32) })), 2)),
    groups: since(
      8,
      array(
        struct({
          groupId: string,
          memberId: since(9, nullable(string)),
          memberEpoch: since(9, int32, -1),
          topics: nullable(array(struct({ name: string, partitionIndexes: array(int32) }))),
        }),
      ),
    ),
    requireStable: since(7, boolean),
  },
  response: {
    throttleTimeMs: since(3, int32),
    topics: until(7, array(struct({ name: string, partitions: array(struct(partition(5))) }))),
    errorCode: between([2, 7], int16),
    groups: since(
      8,
      array(
        struct({
          groupId: string,
          topics: array(struct({ name: string, partitions: array(struct(partition(8))) })),
          errorCode: int16,
        }),
      ),
    ),
  },
});

function partition(leaderEpochSince: number) {
  return {
    partitionIndex: int32,
    committedOffset: int64,
    committedLeaderEpoch: since(leaderEpochSince, int32, -1),
    metadata: nullable(string),
    errorCode: int16,
  };
}

/** A group in an OffsetFetch request of version 8 or later. */
export type FetchedGroupRequest = ReadRequestOf<typeof offsetFetch>['groups'][number];
/** A group in an OffsetFetch response. */
export type FetchedGroup = NonNullable<WrittenResponseOf<typeof offsetFetch>['groups']>[number];
