import { deleteGroups } from '../../../src/kafka/protocol/wire/apis/delete-groups.ts';
import { describeGroups } from '../../../src/kafka/protocol/wire/apis/describe-groups.ts';
import { listGroups } from '../../../src/kafka/protocol/wire/apis/list-groups.ts';
import { offsetDelete } from '../../../src/kafka/protocol/wire/apis/offset-delete.ts';
import { offsetFetch } from '../../../src/kafka/protocol/wire/apis/offset-fetch.ts';
import { beat, commit, join, joinWithId, leave, type Side, sync } from './side.ts';

/** A sequence of requests that returns the answers. */
export type Script = (side: Side) => Promise<readonly unknown[]>;

type Joined = Awaited<ReturnType<typeof join>>;

/** Reduces a JoinGroup response to the parts that are equal on both sides, which excludes ids. */
function told({ errorCode, generationId, protocolName, protocolType, skipAssignment, ...rest }: Joined) {
  const { leader, memberId, members } = rest;
  const isLeader = leader === memberId;
  const lists = members.map(({ groupInstanceId, metadata }) => [groupInstanceId, metadata.length]);
  return { errorCode, generationId, protocolName, protocolType, skipAssignment, isLeader, lists };
}

async function state(side: Side): Promise<unknown> {
  const asked = { groups: [side.group], includeAuthorizedOperations: false };
  const [group] = (await side.client.ask(describeGroups, asked)).groups;
  const { errorCode, groupState, protocolType, protocolData, members = [] } = group ?? {};
  const shown = members.map((one) => [one.groupInstanceId, one.memberMetadata.length, one.memberAssignment.toString()]);
  return { errorCode, groupState, protocolType, protocolData, shown: shown.sort() };
}

/** Waits for a state of the group, which a pending request causes. */
async function until(side: Side, wanted: string): Promise<void> {
  while (((await state(side)) as { groupState?: string }).groupState !== wanted);
}

async function syncedTold(answer: ReturnType<typeof sync>): Promise<unknown> {
  const { errorCode, protocolName, protocolType, assignment } = await answer;
  return { errorCode, protocolName, protocolType, assignment: assignment.toString() };
}

const oneMember: Script = async (side) => {
  const first = await join(side);
  const seen: unknown[] = [told(first), await commit(side), await beat(side, first.memberId, -1)];
  const joined = await join(side, first);
  const { memberId } = joined;
  seen.push(told(joined), await state(side), await commit(side, joined), await beat(side, memberId, 1));
  seen.push(await syncedTold(sync(side, { memberId, generationId: 0 })));
  seen.push(await syncedTold(sync(side, joined, { [memberId]: 'all' })), await state(side));
  seen.push(await syncedTold(sync(side, joined)), await beat(side, memberId, 1), await beat(side, memberId, 2));
  seen.push(await syncedTold(sync(side, { ...joined, protocolName: 'other' })));
  seen.push(await syncedTold(sync(side, { ...joined, version: 4 })));
  seen.push(await beat(side, 'nobody', 1), await commit(side, joined), await commit(side));
  seen.push(await commit(side, { memberId, generationId: 2 }), await commit(side, { memberId: 'x', generationId: 1 }));
  seen.push(await leave(side, { memberId: 'nobody' }, { memberId }, { memberId }), await state(side));
  seen.push(
    await beat(side, memberId, 1),
    await commit(side, joined),
    await commit(side),
    told(await join(side, joined)),
  );
  seen.push(
    await syncedTold(sync(side, joined)),
    told(await join(side, { version: 3 })),
    await beat(side, memberId, 2),
  );
  return seen;
};

const twoMembers: Script = async (side) => {
  const a = await joinWithId(side);
  const seen: unknown[] = [await syncedTold(sync(side, a, { [a.memberId]: 'all' }))];
  const other = side.another();
  const joining = joinWithId(side, {}, other);
  await until(side, 'PreparingRebalance');
  seen.push(await beat(side, a.memberId, 1), await commit(side, a), await syncedTold(sync(side, a)), await state(side));
  const again = await join(side, a);
  const b = await joining;
  seen.push(told(again), told(b), await beat(side, a.memberId, 2), await commit(side, again), await state(side));
  seen.push(await beat(side, a.memberId, 1), told(await join(side, { ...b, protocols: ['range'] })));
  const syncing = sync(side, b, {}, other);
  seen.push(
    await syncedTold(sync(side, again, { [a.memberId]: 'one', [b.memberId]: 'two' })),
    await syncedTold(syncing),
  );
  // A follower that rejoins unchanged gets the current generation; a leader that does starts a rebalance.
  seen.push(told(await join(side, b)), await beat(side, a.memberId, 2));
  const third = join(side, a, side.another());
  await until(side, 'PreparingRebalance');
  seen.push(await beat(side, b.memberId, 2), await leave(side, { memberId: b.memberId }), told(await third));
  seen.push(await leave(side, { memberId: a.memberId }), await state(side));
  return seen;
};

const staticMembers: Script = async (side) => {
  const groupInstanceId = 'i';
  const a = await join(side, { groupInstanceId });
  const held = { ...a, groupInstanceId };
  const seen: unknown[] = [told(a), await syncedTold(sync(side, held, { [a.memberId]: 'all' })), await state(side)];
  const back = await join(side, { groupInstanceId });
  seen.push(told(back), back.memberId === a.memberId, await state(side), await beat(side, a.memberId, 1, 'i'));
  seen.push(await syncedTold(sync(side, held)), await commit(side, held), told(await join(side, held)));
  seen.push(await beat(side, a.memberId, 1), await beat(side, back.memberId, 1, 'other'));
  const older = await join(side, { groupInstanceId, version: 8 });
  seen.push(told(older), older.leader === back.memberId, await syncedTold(sync(side, { ...older, groupInstanceId })));
  const changed = await join(side, { groupInstanceId, protocols: ['sticky'] });
  seen.push(told(changed), await leave(side, { memberId: '', groupInstanceId: 'none' }));
  seen.push(
    await leave(side, { memberId: older.memberId, groupInstanceId }),
    await leave(side, { memberId: '', groupInstanceId }),
  );
  seen.push(await state(side));
  return seen;
};

const refusals: Script = async (side) => {
  const seen: unknown[] = [];
  for (const sessionTimeoutMs of [5_999, 1_800_001]) seen.push(told(await join(side, { sessionTimeoutMs })));
  seen.push(told(await join(side, { groupId: '' })), told(await join(side, { memberId: 'made up' })));
  seen.push(told(await join(side, { protocols: [] })), told(await join(side, { protocolType: '' })));
  seen.push(await beat(side, 'nobody', 1), await syncedTold(sync(side, { memberId: 'x', generationId: 1 })));
  seen.push(await leave(side, { memberId: 'nobody' }), await state(side));
  for (const version of [8, 9]) seen.push(await commit(side, { memberId: 'x', generationId: 1 }, version));
  const a = await joinWithId(side, { protocols: ['range', 'sticky'] });
  seen.push(told(await join(side, { protocols: ['other'] })), told(await join(side, { protocolType: 'connect' })));
  const named = { groupInstanceId: 'nobody', memberId: a.memberId, generationId: 1 };
  seen.push(await syncedTold(sync(side, named)), await commit(side, named));
  return seen;
};

const votes: Script = async (side) => {
  const [first, second, third] = [side.client, side.another(), side.another()];
  const joins = [joinWithId(side, { protocols: ['range', 'sticky'] }, first)];
  const a = await joins[0];
  const later = [
    joinWithId(side, { protocols: ['sticky', 'range'] }, second),
    joinWithId(side, { protocols: ['sticky', 'range'] }, third),
  ];
  await until(side, 'PreparingRebalance');
  for (;;) {
    const asked = { groups: [side.group], includeAuthorizedOperations: false };
    const [group] = (await first.ask(describeGroups, asked)).groups;
    if (group?.members.length === 3) break;
  }
  const again = await join(side, { ...a, protocols: ['range', 'sticky'] });
  const all = [again, ...(await Promise.all(later))];
  return all.map(({ protocolName, generationId }) => [protocolName, generationId]);
};

const offsets: Script = async (side) => {
  const { client, group, topic } = side;
  const seen: unknown[] = [await commit(side), await commit(side, {}, 2)];
  const asked = [{ name: topic, partitionIndexes: [0, 1, 9] }];
  for (const version of [1, 2, 5, 7, 8, 9]) {
    for (const topics of version === 1 ? [asked] : [asked, undefined]) {
      const groups = [{ groupId: group, memberId: undefined, memberEpoch: -1, topics }];
      const answer = await client.ask(offsetFetch, { groupId: group, topics, groups, requireStable: true }, version);
      const found = version >= 8 ? answer.groups[0] : answer;
      seen.push([version, found?.errorCode, found?.topics.map(({ partitions }) => partitions)]);
    }
  }
  const groupId = `${group}-none`;
  const nowhere = { groupId, memberId: 'x', memberEpoch: 3, topics: asked };
  seen.push((await client.ask(offsetFetch, { groupId, groups: [nowhere] }, 9)).groups[0]?.topics[0]?.partitions);
  const listed = async () => (await client.ask(listGroups, {})).groups.filter((one) => one.groupId === group);
  seen.push((await listed()).map(({ protocolType, groupState, groupType }) => [protocolType, groupState, groupType]));
  const remove = async (name: string, partitionIndex: number) => {
    const answer = await client.ask(offsetDelete, {
      groupId: group,
      topics: [{ name, partitions: [{ partitionIndex }] }],
    });
    return [answer.errorCode, ...answer.topics.flatMap(({ partitions }) => partitions.map((one) => one.errorCode))];
  };
  seen.push(await remove(topic, 1), await remove(topic, 9), await remove('no such topic', 0));
  const a = await joinWithId(side);
  await sync(side, a, { [a.memberId]: 'all' });
  seen.push(await remove(topic, 0), await remove('no such topic', 0));
  const deleted = async (...names: readonly string[]) =>
    (await client.ask(deleteGroups, { groupsNames: names })).results.map(({ errorCode }) => errorCode);
  seen.push(
    await deleted(group),
    await deleted(groupId),
    await leave(side, a),
    await deleted(group),
    await deleted(group),
  );
  for (const version of [4, 5, 6]) {
    const [dead] = (await client.ask(describeGroups, { groups: [group] }, version)).groups;
    seen.push([dead?.errorCode, dead?.groupState]);
  }
  return seen;
};

/** The scripts that compare the classic protocol and offsets with Kafka. */
export const classicScripts: Readonly<Record<string, Script>> = {
  'one member, in the right and the wrong order': oneMember,
  'two members and the steps of a rebalance': twoMembers,
  'static members that return, are fenced and leave': staticMembers,
  'refused requests': refusals,
  'a protocol selected by votes': votes,
  'offsets, listings and deletions': offsets,
};
