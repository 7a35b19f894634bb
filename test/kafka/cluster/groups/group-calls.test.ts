import { expect, test } from 'vitest';
import { checkDeletable } from '../../../../src/kafka/cluster/groups/deletion.ts';
import { describeGroups } from '../../../../src/kafka/cluster/groups/descriptions.ts';
import { listGroups, matchingGroups } from '../../../../src/kafka/cluster/groups/listing.ts';
import { planOffsetDeletion } from '../../../../src/kafka/cluster/groups/offset-deletion.ts';
import { seekGroup } from '../../../../src/kafka/cluster/groups/seek.ts';
import { planSeek } from '../../../../src/kafka/cluster/groups/seek-plan.ts';
import { kafkaError } from '../../../../src/kafka/protocol/errors.ts';
import type { ReadRequestOf } from '../../../../src/kafka/protocol/wire/api.ts';
import type { listOffsets } from '../../../../src/kafka/protocol/wire/apis/list-offsets.ts';
import type { offsetCommit } from '../../../../src/kafka/protocol/wire/apis/offset-commit.ts';
import type { offsetFetch } from '../../../../src/kafka/protocol/wire/apis/offset-fetch.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { encodeAssignment } from '../../../../src/kafka/streams/groups/subscription.ts';
import { type Answers, fakeClient, topicOf } from './fake-groups.ts';

interface Names {
  readonly groups: readonly string[];
}
interface Ids {
  readonly groupIds: readonly string[];
}
const absent = (groupId: string) => ({ groupId, errorCode: 69, groupState: '', members: [] });
const empty = { errorCode: 0, groupState: 'Empty', protocolType: '', protocolData: '', members: [] };

type CommitRequest = ReadRequestOf<typeof offsetCommit>;
type FetchRequest = ReadRequestOf<typeof offsetFetch>;

const logs = ({ topics }: ReadRequestOf<typeof listOffsets>) => ({
  topics: topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.map(({ partitionIndex, timestamp }) => ({
      partitionIndex,
      errorCode: 0,
      timestamp: -1n,
      offset: timestamp === -2n ? 0n : 10n,
      leaderEpoch: 0,
    })),
  })),
});

const committed = (committedLeaderEpoch: number) => {
  const row = { partitionIndex: 0, committedOffset: 4n, committedLeaderEpoch, metadata: '', errorCode: 0 };
  return [{ name: 't', topicId: noUuid, partitions: [row] }];
};

const commits = ({ groups }: FetchRequest, leaderEpoch = -1) => ({
  groups: groups.map(({ groupId }) => ({ groupId, errorCode: 0, topics: committed(leaderEpoch) })),
});

/** The answer to a commit, with the same code for every partition. */
const commitAnswer = ({ topics }: CommitRequest, errorCode: number) => ({
  topics: topics.map(({ name, partitions }) => ({
    name,
    topicId: noUuid,
    partitions: partitions.map(({ partitionIndex }) => ({ partitionIndex, errorCode })),
  })),
});

const classic: Answers = {
  DescribeGroups: ({ groups }: Names) => ({ groups: groups.map((groupId) => ({ groupId, ...empty })) }),
  OffsetFetch: (request: FetchRequest) => commits(request),
  ListOffsets: logs,
};

test('500 groups are described with as many requests as one', async () => {
  const names = Array.from({ length: 500 }, (_, at) => `g${at}`);
  const { client, sent } = fakeClient(classic, [topicOf('t', 1)]);
  const rows = await describeGroups(client, { groups: names, regex: false });
  expect(rows).toHaveLength(500);
  expect(rows.every(({ total_lag: lag }) => lag === 6n)).toBe(true);
  const broker = 'one broker';
  expect(sent).toEqual([
    `DescribeGroups ${broker}`,
    `OffsetFetch ${broker}`,
    ...['Metadata', `ListOffsets ${broker}`, `ListOffsets ${broker}`],
  ]);
});

test('a broker without OffsetFetch version 8 is asked about one group at a time', async () => {
  const names = ['a', 'b'];
  const old: Answers = {
    ...classic,
    OffsetFetch({ groupId }: FetchRequest, min: number) {
      if (min >= 8) throw kafkaError(35, 'too old');
      expect(names).toContain(groupId);
      // The answer does not name its only group.
      return { errorCode: 0, topics: committed(-1), groups: [] };
    },
  };
  const { client, sent } = fakeClient(old, [topicOf('t', 1)]);
  const rows = await describeGroups(client, { groups: names, regex: false });
  expect(rows.map(({ total_lag: lag }) => lag)).toEqual([6n, 6n]);
  expect(sent.filter((one) => one.startsWith('OffsetFetch'))).toHaveLength(3);
});

test('a group that an old broker calls dead does not exist, also if the broker has no other APIs', async () => {
  const old: Answers = {
    ...classic,
    DescribeGroups: ({ groups }: Names) => ({
      groups: groups.map((groupId) => ({ groupId, ...empty, groupState: 'Dead' })),
    }),
  };
  const [row] = await describeGroups(fakeClient(old).client, { groups: ['a'], regex: false });
  expect(row).toMatchObject({ type: null, state: null, total_lag: null, error: { code: 'GROUP_ID_NOT_FOUND' } });
});

test('a share group has members and offsets, but no lag', async () => {
  const assignment = { topicPartitions: [{ topicName: 't', partitions: [1, 0] }] };
  const member = { memberId: 'm', clientId: 'c', clientHost: '/h', assignment };
  const share: Answers = {
    DescribeGroups: ({ groups }: Names) => ({ groups: groups.map(absent) }),
    ConsumerGroupDescribe: ({ groupIds }: Ids) => ({ groups: groupIds.map(absent) }),
    ShareGroupDescribe: ({ groupIds }: Ids) => ({
      groups: groupIds.map((groupId) => ({
        ...{ groupId, errorCode: 0, groupState: 'Stable', assignorName: 'simple', members: [member] },
      })),
    }),
    DescribeShareGroupOffsets: ({ groups }: { readonly groups: readonly { readonly groupId: string }[] }) => ({
      groups: groups.map(({ groupId }) => ({
        ...{ groupId, errorCode: 0 },
        topics: [
          {
            topicName: 't',
            partitions: [
              { partitionIndex: 0, startOffset: 7n, errorCode: 0 },
              { partitionIndex: 1, startOffset: -1n, errorCode: 0 },
            ],
          },
        ],
      })),
    }),
    ListOffsets: logs,
  };
  const { client } = fakeClient(share, [topicOf('t', 2)]);
  const [row] = await describeGroups(client, { groups: ['s'], regex: false });
  expect(row).toMatchObject({
    type: 'share',
    state: 'Stable',
    balancer: 'simple',
    members: 1,
    total_lag: null,
    error: null,
  });
  expect(row?.partitions).toMatchObject([
    { partition: 0, current_offset: 7n, log_end_offset: 10n, lag: null },
    { partition: 1, current_offset: null, log_end_offset: 10n, lag: null },
  ]);
  expect(row?.member_list).toMatchObject([{ member_id: 'm', assignment: [{ topic: 't', partitions: [0, 1] }] }]);
  const seeking = planSeek(client, {
    group: 's',
    target: { to: 'start' },
    topics: [],
    allowNewTopics: false,
    allowNewGroup: false,
  });
  await expect(seeking).rejects.toMatchObject({
    message: 'unable to seek group "s": a share group has start offsets instead of committed ones',
    ...{ code: 'SHARE_GROUP', target: 's', exitCode: 2 },
  });
  const deleting = planOffsetDeletion(client, {
    group: 's',
    topics: [{ topic: 't', partitions: undefined }],
  });
  await expect(deleting).rejects.toMatchObject({
    hints: [
      expect.stringContaining('group describe'),
      expect.stringContaining('kafka-share-groups.sh --reset-offsets'),
    ],
  });
});

/** A streams group, which brokers only list. */
function streamsWorld(state: string) {
  const absents = ({ groups = [], groupIds = [] }: Partial<Names & Ids>) => ({
    groups: [...groups, ...groupIds].map(absent),
  });
  return fakeClient(
    {
      ...{ DescribeGroups: absents, ConsumerGroupDescribe: absents, ShareGroupDescribe: absents },
      ListGroups: () => ({
        errorCode: 0,
        groups: [{ groupId: 's', protocolType: 'streams', groupState: state, groupType: 'Streams' }],
      }),
      ...{ OffsetFetch: commits, ListOffsets: logs },
    },
    [topicOf('t', 1)],
  );
}

test('a streams group has state, offsets and lag, but no number of members', async () => {
  const rows = await describeGroups(streamsWorld('Stable').client, { groups: ['s', 'x'], regex: false });
  expect(rows).toMatchObject([
    {
      ...{ group: 's', type: 'streams', state: 'Stable', coordinator: 1, members: null, total_lag: 6n, error: null },
      partitions: [{ topic: 't', partition: 0, current_offset: 4n, lag: 6n }],
    },
    { group: 'x', type: null, error: { code: 'GROUP_ID_NOT_FOUND' } },
  ]);
});

test('a streams group with members is not moved or deleted, an empty one may be', async () => {
  const call = { group: 's', target: { to: 'end' }, topics: [], allowNewTopics: false, allowNewGroup: false } as const;
  await expect(planSeek(streamsWorld('Stable').client, call)).rejects.toThrow(
    'it is a streams group in the state Stable',
  );
  expect((await planSeek(streamsWorld('Empty').client, call)).moves).toMatchObject([{ prior_offset: 4n }]);
  const codes = async (state: string) => {
    const [row] = await checkDeletable(streamsWorld(state).client, ['s']);
    return row?.error?.code;
  };
  expect([await codes('Stable'), await codes('Empty')]).toEqual(['NON_EMPTY_GROUP', undefined]);
});

test('the members of a group that is not of consumers have no partitions', async () => {
  const connect: Answers = {
    ...classic,
    DescribeGroups: ({ groups }: Names) => ({
      groups: groups.map((groupId, at) => ({
        ...{ groupId, ...empty, groupState: 'Stable', protocolType: at === 0 ? 'connect' : 'consumer' },
        members: [
          {
            memberId: 'm',
            groupInstanceId: undefined,
            clientId: 'c',
            clientHost: '/h',
            memberAssignment:
              at === 0 ? encodeAssignment([{ topic: 'nope', partitions: [0] }]) : Buffer.from('not an assignment'),
          },
        ],
      })),
    }),
  };
  const rows = await describeGroups(fakeClient(connect, [topicOf('t', 1)]).client, {
    groups: ['a', 'b'],
    regex: false,
  });
  expect(rows.map(({ member_list: members }) => members[0]?.assignment)).toEqual([[], []]);
});

test('a broker that cannot be asked has a row, and the groups of the others are listed', async () => {
  const answers: Answers = {
    ListGroups: () => ({
      errorCode: 0,
      groups: ['b', 'a'].map((groupId) => ({ groupId, protocolType: '', groupState: '', groupType: '' })),
    }),
  };
  const { client } = fakeClient(answers, [], [1, 2]);
  const asked = client.ask.bind(client);
  const half = {
    ...client,
    ask: (async (question, items) =>
      (await asked(question, items)).map((outcome, at) =>
        at === 0 ? outcome : { item: outcome.item, row: undefined, error: kafkaError(7, 'no answer') },
      )) as typeof client.ask,
  };
  const rows = await listGroups(half, { states: [], types: [] });
  expect(rows.map(({ broker, group, error }) => [broker, group, error?.code])).toEqual([
    [2, null, 'REQUEST_TIMED_OUT'],
    [1, 'a', undefined],
    [1, 'b', undefined],
  ]);
  await expect(matchingGroups(half, ['*'])).rejects.toThrow('unable to list the groups of broker 2: no answer');
  expect(await matchingGroups(client, ['[a]'])).toEqual(['a']);
  const filtered = listGroups(client, { states: ['Empty'], types: [] });
  await expect(filtered).rejects.toThrow('unable to select groups by state: broker 1 does not report it');
});

test('a group that gets members between plan and seek is not moved, and the reason is said', async () => {
  const answers: Answers = {
    ...classic,
    OffsetCommit: (request: CommitRequest) => commitAnswer(request, 25),
  };
  const { client } = fakeClient(answers, [topicOf('t', 1)]);
  const plan = await planSeek(client, {
    group: 'g',
    target: { to: 'end' },
    topics: [],
    allowNewTopics: false,
    allowNewGroup: false,
  });
  expect(await seekGroup(client, plan)).toMatchObject([
    {
      new_offset: 4n,
      error: { code: 'NON_EMPTY_GROUP', message: 'the group has members: stop them first', exit_code: 6 },
    },
  ]);
});

test('the offsets of another group are committed with their leader epochs', async () => {
  const epochs: number[] = [];
  const answers: Answers = {
    ...classic,
    OffsetFetch: (request: FetchRequest) => commits(request, 7),
    OffsetCommit(request: CommitRequest) {
      for (const { partitions } of request.topics)
        epochs.push(...partitions.map(({ committedLeaderEpoch }) => committedLeaderEpoch));
      return commitAnswer(request, 0);
    },
  };
  const { client } = fakeClient(answers, [topicOf('t', 1)]);
  const plan = await planSeek(client, {
    group: 'g',
    target: { to: 'group', group: 'other' },
    topics: [],
    allowNewTopics: false,
    allowNewGroup: false,
  });
  expect(await seekGroup(client, plan)).toMatchObject([{ new_offset: 4n, error: null }]);
  expect(epochs).toEqual([7]);
});

test('a topic that is created again between plan and seek gets no offsets of the old one', async () => {
  const [old, current] = ['oldoldoldoldoldoldoldo', 'newnewnewnewnewnewnewn'];
  const ids: string[] = [];
  const answers: Answers = {
    ...classic,
    Metadata: () => ({ topics: [{ name: 't', topicId: ids[0] }] }),
    OffsetCommit(request: CommitRequest) {
      const { topics } = commitAnswer(request, 0);
      expect(request.topics.map(({ topicId }) => topicId)).toEqual(topics.map(() => old));
      return { topics: topics.map((topic) => ({ ...topic, name: '', topicId: old })) };
    },
  };
  const { client, sent } = fakeClient(answers, [{ ...topicOf('t', 1), id: old }]);
  const plan = await planSeek(client, {
    group: 'g',
    target: { to: 'end' },
    topics: [],
    allowNewTopics: false,
    allowNewGroup: false,
  });
  ids[0] = current;
  await expect(seekGroup(client, plan)).rejects.toMatchObject({
    message: 'unable to seek group "g": topic "t" was deleted and created again after the offsets were planned',
    code: 'TOPIC_RECREATED',
    exitCode: 6,
  });
  expect(sent.filter((one) => one.startsWith('OffsetCommit'))).toEqual([]);
  ids[0] = old;
  expect(await seekGroup(client, plan)).toMatchObject([{ new_offset: 10n, error: null }]);
});
