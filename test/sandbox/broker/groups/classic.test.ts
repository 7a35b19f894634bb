import { afterEach, describe, expect, test } from 'vitest';
import { describeGroups } from '../../../../src/kafka/protocol/wire/apis/describe-groups.ts';
import { leaveGroup } from '../../../../src/kafka/protocol/wire/apis/leave-group.ts';
import { syncGroup } from '../../../../src/kafka/protocol/wire/apis/sync-group.ts';
import { codes } from '../../../../src/kafka/protocol/wire/error-codes.ts';
import { beat, type Joining, join, sync } from './classic-member.ts';
import { expectNoDefects, groupStage, loadMs, type Stage } from './stage.ts';

let stage: Stage;
afterEach(() => expectNoDefects(stage));

async function begin(...args: Parameters<typeof groupStage>): Promise<void> {
  stage = await groupStage(...args);
}

/** Joins a member that is alone in the first generation. */
async function alone(joining: Joining = {}) {
  const client = stage.client();
  const first = joining.groupInstanceId === undefined ? (await join(client, joining)).memberId : '';
  const joined = await stage.clock.runUntil(join(client, { ...joining, memberId: first }));
  await sync(client, joined, { [joined.memberId]: 'all' });
  return { client, ...joined };
}

describe('joining', () => {
  test('a member without an id gets one and must join again with it', async () => {
    await begin();
    const answer = await join(stage.client());
    expect(answer).toMatchObject({ errorCode: codes.MEMBER_ID_REQUIRED, generationId: -1 });
    expect(answer.memberId).toMatch(/^raw-/);
  });

  test('the first join waits until three seconds after the last new member and then completes for all', async () => {
    await begin();
    const [a, b] = [stage.client(), stage.client()];
    const beginning = stage.clock.now();
    const first = join(a, { memberId: (await join(a)).memberId });
    await stage.clock.runFor(2_000);
    const second = join(b, { memberId: (await join(b)).memberId });
    await stage.clock.runFor(1_500);
    const joinedFirst = await stage.clock.runUntil(first);
    const joinedSecond = await second;
    expect(stage.clock.now() - beginning).toBe(6_000);
    expect(joinedFirst).toMatchObject({
      errorCode: 0,
      generationId: 1,
      protocolName: 'range',
      leader: joinedFirst.memberId,
    });
    expect(joinedFirst.members.map(({ memberId }) => memberId)).toEqual([joinedFirst.memberId, joinedSecond.memberId]);
    expect(joinedSecond).toMatchObject({ generationId: 1, leader: joinedFirst.memberId, members: [] });
  });

  test('a protocol that some members do not support is refused, as is another protocol type', async () => {
    await begin();
    await alone();
    const client = stage.client();
    const other = await join(client, { protocols: ['sticky'] });
    expect(other.errorCode).toBe(codes.INCONSISTENT_GROUP_PROTOCOL);
    expect((await join(client, { protocolType: 'connect' })).errorCode).toBe(codes.INCONSISTENT_GROUP_PROTOCOL);
  });

  test('the protocol with the most votes is selected', async () => {
    await begin({ initialRebalanceDelayMs: 10 });
    const clients = [stage.client(), stage.client(), stage.client()];
    const orders = [
      ['range', 'sticky'],
      ['sticky', 'range'],
      ['sticky', 'range'],
    ];
    const joins = [];
    for (const [index, client] of clients.entries()) {
      const { memberId } = await join(client);
      joins.push(join(client, { memberId, protocols: orders[index] ?? [] }));
    }
    const answers = await stage.clock.runUntil(Promise.all(joins));
    expect(answers.map(({ protocolName }) => protocolName)).toEqual(['sticky', 'sticky', 'sticky']);
  });

  test.each([
    ['a session timeout that is too short', { sessionTimeoutMs: 5_999 }, codes.INVALID_SESSION_TIMEOUT],
    ['a session timeout that is too long', { sessionTimeoutMs: 1_800_001 }, codes.INVALID_SESSION_TIMEOUT],
    ['an unknown member id', { memberId: 'made up' }, codes.UNKNOWN_MEMBER_ID],
    ['no protocols', { protocols: [] }, codes.INCONSISTENT_GROUP_PROTOCOL],
  ])('%s is refused', async (_what, joining, code) => {
    await begin();
    expect((await join(stage.client(), joining)).errorCode).toBe(code);
  });

  test('a full group accepts no more members', async () => {
    await begin({ groupMaxSize: 1 });
    await alone();
    const client = stage.client();
    expect(await join(client)).toMatchObject({ errorCode: codes.GROUP_MAX_SIZE_REACHED, memberId: '' });
  });
});

describe('a rebalance', () => {
  test('a second member makes the first one rejoin, and both sync in the next generation', async () => {
    await begin();
    const a = await alone();
    const client = stage.client();
    const second = join(client, { memberId: (await join(client)).memberId });
    await stage.clock.settle();
    expect((await beat(a.client, a.memberId, 1)).errorCode).toBe(codes.REBALANCE_IN_PROGRESS);
    const again = await join(a.client, a);
    const b = await second;
    expect([again.generationId, b.generationId]).toEqual([2, 2]);
    const waiting = sync(client, b);
    await stage.clock.settle();
    await sync(a.client, again, { [again.memberId]: 'one half', [b.memberId]: 'the other' });
    expect((await waiting).assignment.toString()).toBe('the other');
    expect((await beat(client, b.memberId, 2)).errorCode).toBe(0);
  });

  test('a member that does not rejoin in time is removed', async () => {
    await begin();
    const a = await alone();
    const client = stage.client();
    const second = join(client, { memberId: (await join(client)).memberId });
    const keepAlive = async () => {
      for (let rounds = 0; rounds < 20; rounds += 1) {
        await stage.clock.sleep(5_000);
        await beat(a.client, a.memberId, 1);
      }
    };
    void keepAlive();
    const b = await stage.clock.runUntil(second);
    expect(b).toMatchObject({ generationId: 2, leader: b.memberId });
    expect((await beat(a.client, a.memberId, 2)).errorCode).toBe(codes.UNKNOWN_MEMBER_ID);
  });

  test('a member that does not sync in time is removed', async () => {
    await begin();
    const a = await alone();
    const client = stage.client();
    const second = join(client, { memberId: (await join(client)).memberId, sessionTimeoutMs: 300_000 });
    const again = await join(a.client, a);
    const b = await second;
    await sync(a.client, again, {});
    await stage.clock.runFor(9_000);
    await beat(a.client, a.memberId, 2);
    for (let rounds = 0; rounds < 6; rounds += 1) {
      await stage.clock.runFor(9_000);
      await beat(a.client, a.memberId, 2);
    }
    expect((await beat(client, b.memberId, 2)).errorCode).toBe(codes.UNKNOWN_MEMBER_ID);
  });

  test('a member without heartbeats for its session timeout is removed', async () => {
    await begin();
    const a = await alone();
    await stage.clock.runFor(9_999);
    expect((await beat(a.client, a.memberId, 1)).errorCode).toBe(0);
    await stage.clock.runFor(10_001);
    expect((await beat(a.client, a.memberId, 1)).errorCode).toBe(codes.UNKNOWN_MEMBER_ID);
    const described = await a.client.ask(describeGroups, { groups: ['g'], includeAuthorizedOperations: false });
    expect(described.groups[0]).toMatchObject({ groupState: 'Empty', protocolType: 'consumer', members: [] });
  });

  test('a sync or heartbeat of another generation is refused', async () => {
    await begin();
    const a = await alone();
    expect((await beat(a.client, a.memberId, 0)).errorCode).toBe(codes.ILLEGAL_GENERATION);
    expect((await sync(a.client, { memberId: a.memberId, generationId: 2 })).errorCode).toBe(codes.ILLEGAL_GENERATION);
    const named = { groupId: 'g', memberId: a.memberId, generationId: 1, protocolType: 'consumer', assignments: [] };
    for (const protocolName of ['sticky', undefined]) {
      const answer = await a.client.ask(syncGroup, { ...named, protocolName });
      expect(answer.errorCode).toBe(codes.INCONSISTENT_GROUP_PROTOCOL);
    }
    expect((await a.client.ask(syncGroup, { ...named, protocolType: undefined }, 4)).errorCode).toBe(0);
  });

  test('a member that has left cannot rejoin with its id', async () => {
    await begin();
    const a = await alone();
    const left = await a.client.ask(leaveGroup, {
      groupId: 'g',
      members: [{ memberId: a.memberId }, { memberId: 'nobody' }],
    });
    expect(left.members.map(({ errorCode }) => errorCode)).toEqual([0, codes.UNKNOWN_MEMBER_ID]);
    expect((await join(a.client, a)).errorCode).toBe(codes.UNKNOWN_MEMBER_ID);
  });
});

describe('absent members', () => {
  test('a member that joins and then sends nothing is removed when its session expires', async () => {
    await begin();
    const client = stage.client();
    const { memberId } = await stage.clock.runUntil(join(client, { memberId: (await join(client)).memberId }));
    await stage.clock.runFor(10_000);
    expect((await beat(client, memberId, 1)).errorCode).toBe(codes.UNKNOWN_MEMBER_ID);
  });

  test('a new member does not wait for the others forever', async () => {
    await begin({ newMemberJoinTimeoutMs: 1_000 });
    await alone();
    const client = stage.client();
    const waiting = join(client, { memberId: (await join(client)).memberId });
    await stage.clock.runFor(1_000);
    expect((await waiting).errorCode).toBe(codes.UNKNOWN_MEMBER_ID);
  });

  test('a rebalance waits for a member with a new id until it leaves', async () => {
    await begin();
    const a = await alone();
    const second = join(stage.client(), { memberId: (await join(stage.client())).memberId });
    const { memberId: pending } = await join(stage.client());
    const again = join(a.client, a);
    await stage.clock.settle();
    const other = stage.client();
    expect((await beat(other, a.memberId, 1)).errorCode).toBe(codes.REBALANCE_IN_PROGRESS);
    await other.ask(leaveGroup, { groupId: 'g', members: [{ memberId: pending }] });
    expect([(await again).generationId, (await second).generationId]).toEqual([2, 2]);
  });

  test('a sync while the others are rejoining is answered with REBALANCE_IN_PROGRESS', async () => {
    await begin();
    const a = await alone();
    void join(stage.client(), { memberId: (await join(stage.client())).memberId });
    await stage.clock.settle();
    expect((await sync(a.client, a)).errorCode).toBe(codes.REBALANCE_IN_PROGRESS);
  });

  test('a static member that does not rejoin keeps its place until its session expires', async () => {
    await begin();
    const old = await alone({ groupInstanceId: 'i', sessionTimeoutMs: 300_000 });
    const client = stage.client();
    const second = join(client, { memberId: (await join(client)).memberId });
    const joined = await stage.clock.runUntil(second);
    expect(joined.members.map(({ groupInstanceId }) => groupInstanceId)).toEqual(['i', undefined]);
    expect(joined.leader).not.toBe(old.memberId);
  });
});

describe('static members', () => {
  test('one that returns without an id keeps its assignment without a rebalance and fences the old one', async () => {
    await begin();
    const old = await alone({ groupInstanceId: 'i' });
    const client = stage.client();
    const back = await join(client, { groupInstanceId: 'i' });
    expect(back).toMatchObject({ errorCode: 0, generationId: 1, skipAssignment: true, leader: back.memberId });
    expect((await sync(client, back)).assignment.toString()).toBe('all');
    expect((await beat(old.client, old.memberId, 1, 'i')).errorCode).toBe(codes.FENCED_INSTANCE_ID);
    expect((await beat(client, back.memberId, 1, 'i')).errorCode).toBe(0);
  });

  test('an older client that returns as the leader is shown the former one, so that it assigns nothing', async () => {
    await begin();
    const old = await alone({ groupInstanceId: 'i' });
    const back = await join(stage.client(), { groupInstanceId: 'i', version: 8 });
    expect(back).toMatchObject({ leader: old.memberId, members: [], skipAssignment: false });
  });

  test('one is removed by its instance id alone', async () => {
    await begin();
    const { client } = await alone({ groupInstanceId: 'i' });
    const members = [{ memberId: '', groupInstanceId: 'i' }];
    expect((await client.ask(leaveGroup, { groupId: 'g', members })).members[0]?.errorCode).toBe(0);
  });
});

describe('a coordinator that moves', () => {
  test('the new one loads, then keeps members and generation and restarts every session', async () => {
    await begin();
    const a = await alone();
    await stage.clock.runFor(9_000);
    expect((await beat(stage.otherClient(), a.memberId, 1)).errorCode).toBe(codes.NOT_COORDINATOR);
    await stage.killCoordinator();
    expect(a.client.isClosed).toBe(true);
    const client = stage.client();
    expect((await beat(client, a.memberId, 1)).errorCode).toBe(codes.COORDINATOR_LOAD_IN_PROGRESS);
    await stage.clock.runFor(9_000);
    expect((await beat(client, a.memberId, 1)).errorCode).toBe(0);
  });

  test('a waiting join is interrupted, and the new one continues with the previous generation', async () => {
    await begin();
    const a = await alone();
    const other = stage.client();
    const second = expect(join(other, { memberId: (await join(other)).memberId })).rejects.toThrow('closed');
    await stage.clock.settle();
    await stage.killCoordinator();
    await second;
    await stage.clock.runFor(loadMs);
    expect((await beat(stage.client(), a.memberId, 1)).errorCode).toBe(0);
  });

  test('a session that expires without a coordinator does not count', async () => {
    await begin({ failoverDelayMs: 60_000 });
    const a = await alone();
    await stage.killCoordinator();
    await stage.clock.runFor(61_000);
    expect((await beat(stage.client(), a.memberId, 1)).errorCode).toBe(0);
  });
});
