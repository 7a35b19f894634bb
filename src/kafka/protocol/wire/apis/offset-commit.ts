import { api } from '../api.ts';
import { between, nullable, since, struct, until } from '../fields.ts';
import { array, int16, int32, int64, noUuid, string, uuid } from '../primitives.ts';

/** The first version that names topics by their ids (KIP-516). */
export const topicIdsFrom = 10;

/** OffsetCommit (key 8), by topic ids since version 10: the offsets of a topic never become another one's (KIP-516). */
export const offsetCommit = api({
  name: 'OffsetCommit',
  key: 8,
  versions: [2, topicIdsFrom],
  flexibleFrom: 8,
  target: ({ groupId }) => ({ group: groupId }),
  repeatable: true,
  request: {
    groupId: string,
    generationIdOrMemberEpoch: int32,
    memberId: string,
    groupInstanceId: since(7, nullable(string)),
    // By default the broker's.
    retentionTimeMs: between([2, 4], int64, -1n),
    topics: array(
      struct({
        name: until(topicIdsFrom - 1, string),
        topicId: since(topicIdsFrom, uuid, noUuid),
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
        name: until(topicIdsFrom - 1, string),
        topicId: since(topicIdsFrom, uuid, noUuid),
        partitions: array(struct({ partitionIndex: int32, errorCode: int16 })),
      }),
    ),
  },
});
