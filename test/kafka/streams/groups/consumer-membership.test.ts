import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consumerGroupDescribe } from '../../../../src/kafka/protocol/wire/apis/consumer-group-describe.ts';
import { consumerGroupHeartbeat } from '../../../../src/kafka/protocol/wire/apis/consumer-group-heartbeat.ts';
import { createConsumerMembership } from '../../../../src/kafka/streams/groups/consumer-membership.ts';
import type { ConsumerMembershipOptions, GroupMembership } from '../../../../src/kafka/streams/groups/member.ts';
import { createMembership } from '../../../../src/kafka/streams/groups/membership.ts';
import { quickIntervals } from '../../../quick-intervals.ts';
import { clientOf, type TestClient } from '../../../services/scripted-client.ts';
import { services } from '../../../services/services.ts';
import { run } from '../../../world.ts';

quickIntervals();

const topic = `membership-848-${process.pid}`;
const world = () => ({ env: { WEIR_BROKERS: services().plaintext } });
const clients: TestClient[] = [];
let groups = 0;

beforeAll(async () => {
  await run(`topic create ${topic} -p 4`, world());
  // The coordinator learns of a new topic shortly after the brokers, and assigns nothing until then.
  const scout = member(newGroup());
  while ((await scout.membership.join()).share.length === 0) await scout.changed();
  await scout.membership.leave();
});

afterAll(async () => {
  for (const client of clients) await client[Symbol.asyncDispose]();
  await run(`topic delete ${topic}`, world());
});

function newGroup(): string {
  groups += 1;
  return `${topic}-${groups}`;
}

function newClient(): TestClient {
  const client = clientOf([services().plaintext]);
  clients.push(client);
  return client;
}

interface TestMember {
  readonly membership: GroupMembership;
  /** Resolves at the next change. */
  changed(): Promise<void>;
}

/** A member of the consumer protocol. */
function member(group: string, more: Partial<ConsumerMembershipOptions> = {}): TestMember {
  return watched((onChange) =>
    createConsumerMembership(newClient(), {
      // The coordinator removes a member that gives up its partitions later than the rebalance timeout.
      ...{ group, instanceId: undefined, sessionTimeoutMs: 45_000, rebalanceTimeoutMs: 300_000 },
      ...{ assignor: undefined, rack: '', topics: () => [topic], onChange },
      ...more,
    }),
  );
}

function watched(create: (onChange: () => void) => GroupMembership): TestMember {
  let change = Promise.withResolvers<void>();
  const membership = create(() => change.resolve());
  const changed = (): Promise<void> => {
    change = Promise.withResolvers<void>();
    return membership.needsRejoin ? Promise.resolve() : change.promise;
  };
  return { membership, changed };
}

const all = [{ topic, partitions: [0, 1, 2, 3] }];

/** Creates a topic that no other test reads or writes. */
async function ownTopic(group: string): Promise<string> {
  const name = `${group}-own`;
  await run(`topic create ${name} -p 4`, world());
  return name;
}

/** What the group has committed for the four partitions. */
async function offsetsOf(membership: GroupMembership): Promise<readonly bigint[]> {
  const answers = await membership.committed([0, 1, 2, 3].map((partition) => ({ topic, partition })));
  return answers.map(({ offset }) => offset);
}

async function membersOf(group: string): Promise<readonly { readonly memberType: number; readonly share: number }[]> {
  const { groups: described } = await newClient().request(consumerGroupDescribe, { groupIds: [group] }, { group });
  return (described[0]?.members ?? []).map(({ memberType, assignment }) => ({
    memberType,
    share: assignment.topicPartitions.flatMap(({ partitions }) => partitions).length,
  }));
}

describe('a member of the consumer protocol', () => {
  it('gets every partition when it is alone, commits, and finds its commits again', async () => {
    const group = newGroup();
    const { membership } = member(group);
    expect(await membership.join()).toEqual({ share: all, held: [] });
    expect(await membership.commit([{ topic, partition: 2, offset: 5n, leaderEpoch: -1 }])).toMatchObject({
      refused: undefined,
    });
    expect(await offsetsOf(membership)).toEqual([-1n, -1n, 5n, -1n]);
    expect(await membersOf(group)).toEqual([{ memberType: 1, share: 4 }]);
    await membership.leave();
    expect(await membersOf(group)).toEqual([]);
  });

  it('gives up half to a second one, and both keep committing', async () => {
    const group = newGroup();
    const first = member(group);
    await first.membership.join();
    const second = member(group);
    expect((await second.membership.join()).share).toEqual([]);
    await first.changed();
    // The epoch has been raised since the last commit.
    expect(await first.membership.commit([{ topic, partition: 0, offset: 1n, leaderEpoch: -1 }])).toMatchObject({
      refused: undefined,
    });
    const { share, held } = await first.membership.join();
    expect(held).toEqual(all);
    expect(share.flatMap(({ partitions }) => partitions)).toHaveLength(2);
    await second.changed();
    const other = await second.membership.join();
    expect([...share, ...other.share].flatMap(({ partitions }) => partitions).sort()).toEqual([0, 1, 2, 3]);
    expect(await second.membership.commit([{ topic, partition: 3, offset: 1n, leaderEpoch: -1 }])).toMatchObject({
      refused: undefined,
    });
    await Promise.all([first.membership.leave(), second.membership.leave()]);
  });

  it('that the group has removed loses its commit and joins again', async () => {
    const group = newGroup();
    const { membership } = member(group);
    await membership.join();
    const client = newClient();
    const { groups: described } = await client.request(consumerGroupDescribe, { groupIds: [group] }, { group });
    const memberId = described[0]?.members[0]?.memberId ?? '';
    const leaving = {
      groupId: group,
      memberId,
      memberEpoch: -1,
      rebalanceTimeoutMs: 1000,
      subscribedTopicNames: [],
      topicPartitions: [],
    };
    await client.request(consumerGroupHeartbeat, leaving, { group });
    expect(await membership.commit([{ topic, partition: 0, offset: 1n, leaderEpoch: -1 }])).toMatchObject({
      committed: [],
      refused: 'lost',
    });
    expect(membership.needsRejoin).toBe(true);
    expect(await membership.join()).toEqual({ share: all, held: [] });
    await membership.leave();
  });

  it('with a static name returns to its share, which was not assigned to others', async () => {
    const group = newGroup();
    const first = member(group, { instanceId: 'one' });
    await first.membership.join();
    const second = member(group, { instanceId: 'two' });
    await second.membership.join();
    await first.changed();
    await first.membership.join();
    await second.changed();
    const { share } = await second.membership.join();
    expect(share.flatMap(({ partitions }) => partitions)).toHaveLength(2);
    await second.membership.leave();
    // Its place is kept: the other member takes nothing over.
    expect((await membersOf(group)).map((row) => row.share)).toEqual([2, 2]);
    const again = member(group, { instanceId: 'two' });
    expect((await again.membership.join()).share).toEqual(share);
    expect(first.membership.needsRejoin).toBe(false);
    const taken = member(group, { instanceId: 'two' });
    await expect(taken.membership.join()).rejects.toMatchObject({
      code: 'UNRELEASED_INSTANCE_ID',
      hints: ['use another --instance-id: a member already uses two'],
    });
    await Promise.all([first.membership.leave(), again.membership.leave()]);
  });

  it('names an assignor that the coordinator does not have', async () => {
    await expect(member(newGroup(), { assignor: 'nobodys' }).membership.join()).rejects.toMatchObject({
      code: 'UNSUPPORTED_ASSIGNOR',
    });
  });

  it('shares a group with a classic one', async () => {
    const group = newGroup();
    const modern = member(group, { assignor: 'range' });
    await modern.membership.join();
    const classic = watched((onChange) =>
      createMembership(newClient(), {
        ...{ group, instanceId: undefined, balancers: ['cooperative-sticky', 'range'], sessionTimeoutMs: 45_000 },
        ...{ rebalanceTimeoutMs: 300_000, heartbeatMs: 300, topics: () => [topic], onChange },
      }),
    );
    let share = (await classic.membership.join()).share;
    await modern.changed();
    const kept = (await modern.membership.join()).share;
    while (share.length === 0) {
      await classic.changed();
      share = (await classic.membership.join()).share;
    }
    expect([...kept, ...share].flatMap(({ partitions }) => partitions).sort()).toEqual([0, 1, 2, 3]);
    await Promise.all([modern.membership.leave(), classic.membership.leave()]);
  });
});

describe('topic consume in a group of the consumer protocol', () => {
  it('continues where the group has committed', async () => {
    const group = newGroup();
    const own = await ownTopic(group);
    const stdin = Array.from({ length: 10 }, (_, index) => `v${index}\n`).join('');
    await run(`topic produce ${own} -p 1 -o ''`, { ...world(), stdin });
    const protocol = ['--group-protocol', 'consumer', '--fetch-max-wait', '500ms'];
    const words = ['topic', 'consume', own, '-g', group, ...protocol, '-f', '%v ', '-n'];
    const first = await run([...words, '4'], world());
    expect(first).toMatchObject({ stdout: 'v0 v1 v2 v3 ', stderr: '', exitCode: 0 });
    expect(await run([...words, '6'], world())).toMatchObject({ stdout: 'v4 v5 v6 v7 v8 v9 ', exitCode: 0 });
  });

  it('is the protocol for joining a group with such members', async () => {
    const group = newGroup();
    const first = member(group);
    await first.membership.join();
    const stdin = Array.from({ length: 8 }, (_, index) => `w${index}\n`).join('');
    const joining = run(['topic', 'consume', topic, '-g', group, '-o', 'end', '-f', '%v ', '-n', '1'], world());
    await first.changed();
    expect((await membersOf(group)).map(({ memberType }) => memberType)).toEqual([1, 1]);
    await first.membership.join();
    await first.membership.leave();
    // Records are written until the member has its share, wherever it begins.
    let isRead = false;
    const done = joining.finally(() => {
      isRead = true;
    });
    while (!isRead) await run(`topic produce ${topic} -f '%v\\n' -k k -o ''`, { ...world(), stdin });
    expect(await done).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['--balancer sticky --group-protocol consumer', /an assignor of the classic protocol/],
    ['--balancer uniform --group-protocol classic', /an assignor of the consumer protocol/],
  ])('%s is refused before connecting', async (flags, message) => {
    const { stderr, exitCode } = await run(`topic consume foo -g g ${flags}`, { env: {} });
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });
});
