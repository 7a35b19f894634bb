import { api, type RequestOf, type ResponseOf } from '../api.ts';
import { between, nullable, since, struct, until } from '../fields.ts';
import { array, boolean, int16, int32, int64, noUuid, string, uuid } from '../primitives.ts';

/** The first version that names topics by their ids (KIP-516). */
export const topicIdsFrom = 10;

const requestedTopics = array(
  struct({
    name: until(topicIdsFrom - 1, string),
    topicId: since(topicIdsFrom, uuid, noUuid),
    partitionIndexes: array(int32),
  }),
);

const topics = array(
  struct({
    name: until(topicIdsFrom - 1, string),
    topicId: since(topicIdsFrom, uuid, noUuid),
    partitions: array(
      struct({
        partitionIndex: int32,
        committedOffset: int64,
        committedLeaderEpoch: since(5, int32, -1),
        metadata: nullable(string),
        errorCode: int16,
      }),
    ),
  }),
);

/** OffsetFetch (key 9): one group, or several since version 8; by topic ids since version 10 (KIP-516). */
export const offsetFetch = api({
  name: 'OffsetFetch',
  key: 9,
  versions: [1, topicIdsFrom],
  flexibleFrom: 6,
  target: 'coordinator',
  repeatable: true,
  errorCode: ({ errorCode, groups: [group, ...others] }) => (others.length === 0 ? (group?.errorCode ?? errorCode) : 0),
  request: {
    groupId: until(7, string),
    // Null: every partition that has a committed offset.
    topics: until(7, nullable(requestedTopics, 2)),
    groups: since(
      8,
      array(
        struct({
          groupId: string,
          memberId: since(9, nullable(string)),
          memberEpoch: since(9, int32, -1),
          topics: nullable(requestedTopics),
        }),
      ),
    ),
    // Whether to wait for pending transactions instead of returning offsets that they may overwrite.
    requireStable: since(7, boolean),
  },
  response: {
    throttleTimeMs: since(3, int32),
    topics: until(7, topics),
    errorCode: between([2, 7], int16),
    groups: since(8, array(struct({ groupId: string, topics, errorCode: int16 }))),
  },
});

/** The groups in an answer; before version 8 it has one, without its name. */
export function fetchedGroups({
  groups,
  errorCode,
  topics: onlyTopics,
}: ResponseOf<typeof offsetFetch>): ResponseOf<typeof offsetFetch>['groups'] {
  return groups.length > 0 ? groups : [{ groupId: '', errorCode, topics: onlyTopics }];
}

/** A request about groups; before version 8 it holds only the first one. */
export function offsetFetchRequest({
  groups,
  requireStable,
}: {
  readonly groups: NonNullable<RequestOf<typeof offsetFetch>['groups']>;
  readonly requireStable: boolean;
}): RequestOf<typeof offsetFetch> {
  const [first] = groups;
  return { groupId: first?.groupId, topics: first?.topics, groups, requireStable };
}

/** The API for topics whose ids are not known. */
export const offsetFetchByName = { ...offsetFetch, max: 8 };
