import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaveGroup } from '../../../../src/kafka/protocol/wire/apis/leave-group.ts';
import type { GroupMembership, MembershipOptions } from '../../../../src/kafka/streams/groups/member.ts';
import { createMembership } from '../../../../src/kafka/streams/groups/membership.ts';
import { describeGroupMembers } from '../../../commands/topic/group-state.ts';
import { clientOf, type TestClient } from '../../../services/scripted-client.ts';
import { services } from '../../../services/services.ts';
import { run } from '../../../world.ts';

const topic = `membership-${process.pid}`;
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
const clients: TestClient[] = [];
let groups = 0;

beforeAll(async () => {
  await run(`topic create ${topic} -p 4`, world());
});

afterAll(async () => {
  for (const client of clients) await client[Symbol.asyncDispose]();
  await run(`topic delete ${topic}`, world());
});

function newGroup(): string {
  groups += 1;
  return `${topic}-${groups}`;
}

/** A separate client: a broker answers a connection in order, so an open JoinGroup delays later requests. */
function newClient(): TestClient {
  const client = clientOf([services().plaintext]);
  clients.push(client);
  return client;
}

/** Longer than a test may take: whatever waits for a timeout of the group fails. */
const longMs = 300_000;

/** A member with frequent heartbeats; `changed` resolves at its next change. */
function member(group: string, more: Partial<MembershipOptions> = {}) {
  const change = Promise.withResolvers<void>();
  const membership = createMembership(newClient(), {
    ...{ group, instanceId: undefined, balancers: ['cooperative-sticky', 'range'], sessionTimeoutMs: longMs },
    ...{ rebalanceTimeoutMs: longMs, heartbeatMs: 100, topics: () => [topic], onChange: change.resolve },
    ...more,
  });
  return { membership, changed: change.promise };
}

const all = [{ topic, partitions: [0, 1, 2, 3] }];

/** What the group has committed for the four partitions. */
async function offsetsOf(membership: GroupMembership): Promise<readonly bigint[]> {
  const answers = await membership.committed([0, 1, 2, 3].map((partition) => ({ topic, partition })));
  return answers.map(({ offset }) => offset);
}

describe('a member of a group', () => {
  it('gets every partition when it is alone, commits, and finds its commits again', async () => {
    const { membership } = member(newGroup());
    expect(await membership.join()).toEqual({ share: all, held: [] });
    expect(membership.watched).toEqual(new Map([[topic, 4]]));
    expect(await offsetsOf(membership)).toEqual([-1n, -1n, -1n, -1n]);
    expect(await membership.commit([{ topic, partition: 2, offset: 0n, leaderEpoch: -1 }])).toMatchObject({
      refused: undefined,
    });
    expect(await offsetsOf(membership)).toEqual([-1n, -1n, 0n, -1n]);
    await membership.leave();
  });

  it('learns of a rebalance by its heartbeat, and gives up half without losing the rest', async () => {
    const group = newGroup();
    const first = member(group);
    await first.membership.join();
    const second = member(group);
    const joining = second.membership.join();
    await first.changed;
    expect(first.membership.needsRejoin).toBe(true);
    const { share, held } = await first.membership.join();
    expect(held).toEqual(all);
    expect(share.flatMap(({ partitions }) => partitions)).toHaveLength(2);
    expect(first.membership.needsRejoin).toBe(true);
    // A second rebalance assigns the partitions that were given up.
    expect((await joining).share).toEqual([]);
    const rejoining = first.membership.join();
    await second.changed;
    const [left, right] = await Promise.all([rejoining, second.membership.join()]);
    expect(left.share).toEqual(share);
    expect(right.share.flatMap(({ partitions }) => partitions)).toHaveLength(2);
    await Promise.all([first.membership.leave(), second.membership.leave()]);
  });

  it('with a static name returns to its share without a rebalance of the others', async () => {
    const group = newGroup();
    const first = member(group, { instanceId: 'one', balancers: ['range'] });
    await first.membership.join();
    const second = member(group, { instanceId: 'two', balancers: ['range'] });
    const joining = second.membership.join();
    await first.changed;
    const [, { share: before }] = await Promise.all([first.membership.join(), joining]);
    await second.membership.leave();
    const again = member(group, { instanceId: 'two', balancers: ['range'] });
    expect((await again.membership.join()).share).toEqual(before);
    expect(first.membership.needsRejoin).toBe(false);
    await Promise.all([first.membership.leave(), again.membership.leave()]);
  });

  it('that was replaced by another one of the same static name reports it', async () => {
    const group = newGroup();
    const first = member(group, { instanceId: 'same' });
    await first.membership.join();
    const second = member(group, { instanceId: 'same' });
    await second.membership.join();
    await first.changed;
    expect(first.membership.failure).toMatchObject({
      code: 'FENCED_INSTANCE_ID',
      hints: ['use another --instance-id: a member already uses same'],
    });
    await second.membership.leave();
  });

  it('cannot join a group with another balancer, and says what to do', async () => {
    const group = newGroup();
    const first = member(group, { balancers: ['range'] });
    await first.membership.join();
    const second = member(group, { balancers: ['roundrobin'] });
    await expect(second.membership.join()).rejects.toMatchObject({
      code: 'INCONSISTENT_GROUP_PROTOCOL',
      hints: ['use --balancer to choose a balancer that the other members of the group use'],
    });
    await first.membership.leave();
  });

  it('that the group has removed loses its commit and joins again', async () => {
    const group = newGroup();
    const { membership } = member(group, { heartbeatMs: 60_000 });
    await membership.join();
    const client = newClient();
    const [memberId = ''] = await describeGroupMembers(client, group);
    await client.request(leaveGroup, { groupId: group, members: [{ memberId, reason: 'test' }] }, { group });
    expect(await membership.commit([{ topic, partition: 0, offset: 0n, leaderEpoch: -1 }])).toMatchObject({
      committed: [],
      refused: 'lost',
    });
    expect(membership.needsRejoin).toBe(true);
    expect(await membership.join()).toEqual({ share: all, held: [] });
    await membership.leave();
  });

  it('leaves while its JoinGroup waits for the others, so that they need not wait for the session timeout', async () => {
    const group = newGroup();
    const first = member(group);
    await first.membership.join();
    const second = member(group);
    const joining = second.membership.join();
    const failure = expect(joining).rejects.toMatchObject({ code: 'CLOSED' });
    await first.changed;
    await second.membership.leave();
    expect(await first.membership.join()).toEqual({ share: all, held: all });
    await failure;
    expect(await describeGroupMembers(newClient(), group)).toHaveLength(1);
    await first.membership.leave();
  });
});
