import { expect, test } from 'vitest';
import { createRounds } from '../../../../src/kafka/cluster/overview/rounds.ts';
import type { Client } from '../../../../src/kafka/protocol/client/client.ts';
import { noUuid } from '../../../../src/kafka/protocol/wire/primitives.ts';
import { fakeClient, topicOf } from '../groups/fake-groups.ts';

test('the rates of a group are those of six rounds, because groups commit in jumps', async () => {
  let committedOffset = 0n;
  const commit = () => [{ partitionIndex: 0, committedOffset, committedLeaderEpoch: -1, errorCode: 0 }];
  const end = { errorCode: 0, partitionIndex: 0, offset: 1000n, leaderEpoch: 0, timestamp: -1n };
  const group = { groupState: 'Stable', protocolType: 'consumer', protocolData: '', members: [] };
  const { client, clock } = fakeClient(
    {
      DescribeLogDirs: () => ({ errorCode: 0, results: [] }),
      ListGroups: () => ({ errorCode: 0, groups: [{ ...group, groupId: 'g', groupType: 'Classic' }] }),
      DescribeGroups: () => ({ groups: [{ ...group, groupId: 'g', errorCode: 0 }] }),
      OffsetFetch: () => {
        const topics = [{ name: 't', topicId: noUuid, partitions: commit() }];
        return { groups: [{ groupId: 'g', errorCode: 0, topics }] };
      },
      ListOffsets: () => ({ topics: [{ name: 't', partitions: [end] }] }),
    },
    [topicOf('t', 1)],
  );
  const watched: Client = { ...client, requestOnce: (api, request) => client.request(api, request) };
  const rounds = createRounds(watched);
  const rates: unknown[] = [];
  for (let round = 0; round < 9; round += 1) {
    rates.push((await rounds.next()).groups[0]?.read_rate);
    committedOffset = 60n;
    await clock.runFor(1000);
  }
  expect(rates).toEqual([null, 60, 30, 20, 15, 12, 10, 0, 0]);
});
