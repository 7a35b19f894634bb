import { consumerGroupDescribe } from '../../../src/kafka/protocol/wire/apis/consumer-group-describe.ts';
import { describeGroups } from '../../../src/kafka/protocol/wire/apis/describe-groups.ts';
import { offsetFetch } from '../../../src/kafka/protocol/wire/apis/offset-fetch.ts';
import type { Script } from './classic-scripts.ts';
import { type Beat, beat, commit, consumerBeat, join, type Side, sync } from './side.ts';

/** Sends a heartbeat and returns the error code, the epoch and the number of assigned partitions. */
async function told(side: Side, memberId: string, said: Beat = {}): Promise<unknown> {
  const { errorCode, memberEpoch, share } = await consumerBeat(side, memberId, said);
  return [errorCode, memberEpoch, share?.length];
}

async function state({ client, group }: Side): Promise<unknown> {
  const asked = { groupIds: [group], includeAuthorizedOperations: false };
  const [found] = (await client.ask(consumerGroupDescribe, asked)).groups;
  const count = (one: { readonly topicPartitions: readonly { readonly partitions: readonly number[] }[] }) =>
    one.topicPartitions.reduce((sum, { partitions }) => sum + partitions.length, 0);
  const members = found?.members.map((one) => [
    ...[one.memberId, one.instanceId, one.memberEpoch, one.subscribedTopicNames.length, one.memberType],
    ...[count(one.assignment), count(one.targetAssignment)],
  ]);
  const { errorCode, groupState, groupEpoch, assignmentEpoch, assignorName } = found ?? {};
  return { errorCode, groupState, groupEpoch, assignmentEpoch, assignorName, members: members?.sort() };
}

const sharing: Script = async (side) => {
  const seen: unknown[] = [await state(side), await told(side, 'a'), await state(side)];
  seen.push(await told(side, 'a', { memberEpoch: 1 }), await told(side, 'b'), await state(side));
  const revoke = await consumerBeat(side, 'a', { memberEpoch: 1, owned: [0, 1, 2, 3] });
  seen.push([revoke.errorCode, revoke.memberEpoch, revoke.share?.length], await state(side));
  seen.push(await told(side, 'b', { memberEpoch: 2 }), await told(side, 'a', { memberEpoch: 1 }));
  seen.push(await told(side, 'a', { memberEpoch: 1, owned: revoke.share }), await told(side, 'b', { memberEpoch: 2 }));
  seen.push(await state(side), await told(side, 'b', { memberEpoch: 2 }));
  seen.push(await told(side, 'b', { memberEpoch: -1 }), await state(side), await told(side, 'a', { memberEpoch: 2 }));
  seen.push(await state(side), await told(side, 'a', { memberEpoch: -1 }), await state(side), await told(side, 'c'));
  seen.push(await state(side));
  return seen;
};

const refusals: Script = async (side) => {
  const all: readonly Beat[] = [
    { assignor: 'none' },
    { owned: [0] },
    { owned: undefined },
    { rebalanceTimeoutMs: -1 },
    { topics: undefined },
    { memberEpoch: -3 },
    { memberEpoch: -2 },
    { memberEpoch: 1 },
    { memberEpoch: -1 },
    { regex: '(' },
  ];
  const seen: unknown[] = [];
  for (const said of all) seen.push(await told(side, 'a', said));
  seen.push(await told(side, ''), await told(side, '', { memberEpoch: 1, version: 0 }), await told(side, 'a'));
  seen.push(await told(side, 'x', { memberEpoch: 1 }), await told(side, 'a', { memberEpoch: 2 }));
  seen.push(await told(side, 'a', { memberEpoch: 1, topics: [side.topic, 'u'] }));
  seen.push(await told(side, 'a', { memberEpoch: 1 }), await told(side, 'a', { memberEpoch: 1, owned: [0] }));
  seen.push(await told(side, 'a', { memberEpoch: 2, topics: [side.topic] }));
  seen.push(await told(side, 'a', { memberEpoch: 1, owned: [0] }), await told(side, 'a'), await state(side));
  seen.push(await told(side, 'a', { memberEpoch: -1 }), await told(side, 'a', { memberEpoch: -1 }), await state(side));
  return seen;
};

const staticMembers: Script = async (side) => {
  const instanceId = 'i';
  const seen: unknown[] = [await told(side, 'a', { instanceId }), await told(side, 'b', { instanceId })];
  seen.push(await told(side, 'b', { instanceId, memberEpoch: 1 }), await told(side, 'x', { memberEpoch: 1 }));
  seen.push(await told(side, 'a', { instanceId, memberEpoch: -2 }), await state(side), await told(side, 'c'));
  seen.push(await told(side, 'b', { instanceId }), await state(side));
  seen.push(await told(side, 'a', { instanceId, memberEpoch: 1 }), await told(side, 'a', { memberEpoch: 1 }));
  seen.push(
    await told(side, 'a', { instanceId, memberEpoch: -1 }),
    await told(side, 'b', { instanceId, memberEpoch: -1 }),
  );
  seen.push(await state(side), await told(side, 'c', { memberEpoch: 2 }), await state(side));
  return seen;
};

/** A static member that did not receive the answer to its join. */
const staticRejoin: Script = async (side) => {
  const instanceId = 'i';
  const seen: unknown[] = [await told(side, 'a', { instanceId }), await told(side, 'a', { instanceId })];
  seen.push(await told(side, 'b', { instanceId, memberEpoch: -2 }), await state(side));
  seen.push(await told(side, 'a', { instanceId, memberEpoch: -2 }), await told(side, 'a', { instanceId }));
  seen.push(await told(side, 'a', { instanceId, memberEpoch: -1 }), await state(side));
  return seen;
};

const commits: Script = async (side) => {
  const { client, group, topic } = side;
  const seen: unknown[] = [await commit(side), await told(side, 'a')];
  for (const version of [8, 9]) seen.push(await commit(side, { memberId: 'a', generationId: 1 }, version));
  seen.push(
    await commit(side, { memberId: 'a', generationId: 0 }),
    await commit(side, { memberId: 'a', generationId: 2 }),
  );
  seen.push(await commit(side), await commit(side, { memberId: 'x', generationId: 1 }));
  const fetched = async (memberId: string | undefined, memberEpoch: number) => {
    const topics = [{ name: topic, partitionIndexes: [0] }];
    const answer = await client.ask(offsetFetch, { groups: [{ groupId: group, memberId, memberEpoch, topics }] }, 9);
    return [answer.groups[0]?.errorCode, answer.groups[0]?.topics[0]?.partitions[0]?.committedOffset];
  };
  seen.push(await fetched('a', 1), await fetched('a', 2), await fetched('x', 1), await fetched(undefined, -1));
  seen.push(await told(side, 'a', { memberEpoch: -1 }), await commit(side), await fetched('a', 1));
  return seen;
};

const bothProtocols: Script = async (side) => {
  const described = async () => {
    const [found] = (await side.client.ask(describeGroups, { groups: [side.group] })).groups;
    return [found?.errorCode, found?.groupState];
  };
  const seen: unknown[] = [await commit(side), await state(side), await described(), await told(side, 'a')];
  seen.push(
    await described(),
    await beat(side, 'a', 1),
    (await sync(side, { memberId: 'x', generationId: 1 })).errorCode,
  );
  seen.push(await told(side, 'a', { memberEpoch: -1 }));
  const { errorCode, memberId } = await join(side);
  const joined = await join(side, { memberId });
  await sync(side, joined, { [memberId]: 'all' });
  seen.push(errorCode, joined.errorCode, joined.generationId, await described(), await state(side));
  seen.push(await told(side, 'a', { memberEpoch: 1 }), await told(side, 'a', { memberEpoch: -1 }));
  return seen;
};

/** The scripts that compare the consumer protocol with Kafka. */
export const consumerScripts: Readonly<Record<string, Script>> = {
  'two members that share partitions and leave': sharing,
  'refused requests and epochs': refusals,
  'static members': staticMembers,
  'a static member that joins twice': staticRejoin,
  'commits with and without members': commits,
  'one group with both protocols in turn': bothProtocols,
};
