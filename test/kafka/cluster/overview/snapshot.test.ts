import { expect, test } from 'vitest';
import { unreachableError } from '../../../../src/errors.ts';
import { readSnapshot } from '../../../../src/kafka/cluster/overview/snapshot.ts';
import type { Client } from '../../../../src/kafka/protocol/client/client.ts';
import { fakeClient, topicOf } from '../groups/fake-groups.ts';

interface Groups {
  readonly groups?: readonly string[];
  readonly groupIds?: readonly string[];
}

const listed = [
  { groupId: 'old', protocolType: 'consumer', groupState: 'Empty', groupType: 'Classic' },
  { groupId: 'new', protocolType: 'consumer', groupState: 'Empty', groupType: 'Consumer' },
];
const described = {
  errorCode: 0,
  groupState: 'Empty',
  protocolType: '',
  protocolData: '',
  assignorName: '',
  members: [],
};

/** A cluster of one broker, with a group of each protocol. */
function cluster() {
  const asked: Record<string, readonly string[] | undefined> = {};
  const describe = (api: string, names: readonly string[] = []) => {
    asked[api] = names;
    return { groups: names.map((groupId) => ({ ...described, groupId })) };
  };
  const { client, sent } = fakeClient(
    {
      DescribeLogDirs: () => ({ errorCode: 0, results: [] }),
      ListGroups: () => ({ errorCode: 0, groups: listed }),
      DescribeGroups: ({ groups }: Groups) => describe('DescribeGroups', groups),
      ConsumerGroupDescribe: ({ groupIds }: Groups) => describe('ConsumerGroupDescribe', groupIds),
    },
    [topicOf('orders', 2)],
  );
  const tries: unknown[] = [];
  const watched: Client = {
    ...client,
    ask(question, items, how) {
      tries.push(how);
      return client.ask(question, items, how);
    },
    requestOnce: (api, request) => client.request(api, request),
  };
  return { client: watched, sent, asked, tries };
}

test('each group is asked for with the API of its type only, and nothing is asked for twice in a round', async () => {
  const { client, asked, tries, sent } = cluster();
  const { groups } = await readSnapshot(client);
  expect(groups.map(({ group, type }) => [group, type])).toEqual([
    ['new', 'consumer'],
    ['old', 'classic'],
  ]);
  expect(asked).toEqual({ DescribeGroups: ['old'], ConsumerGroupDescribe: ['new'] });
  // The next round is the retry: a broker that hangs must not hold up this one.
  expect(new Set(tries)).toEqual(new Set(['once']));
  expect(sent.filter((api) => api === 'Metadata')).toHaveLength(1);
});

test('a topic that a broker no longer has is no error: it was deleted since the metadata was read', async () => {
  const { client } = cluster();
  const { errors, topics } = await readSnapshot(client);
  expect(errors).toEqual([]);
  expect(topics[0]?.partitions[0]?.sizes?.bytes).toBeNull();
});

test('what cannot be read is named, and groups stay as they were', async () => {
  const { client } = cluster();
  const last = await readSnapshot(client);
  const down = unreachableError('down');
  const failing: Client = {
    ...client,
    ask: async (_, items) => items.map((item) => ({ item, row: undefined, error: down })),
    requestOnce: () => Promise.reject(down),
  };
  const now = await readSnapshot(failing, last);
  expect(now.groups).toEqual(last.groups);
  expect(now.groupsAtMs).toBe(last.groupsAtMs);
  expect(now.errors.map(({ part }) => part).sort()).toEqual(['brokers', 'groups', 'sizes']);
  expect(now.topics[0]?.partitions[0]).toMatchObject({ end: null, error: { message: 'down' } });
});
