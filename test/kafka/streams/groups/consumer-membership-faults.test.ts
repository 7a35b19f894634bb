import { describe, expect, it } from 'vitest';
import { createConsumerMembership } from '../../../../src/kafka/streams/groups/consumer-membership.ts';
import type { ConsumerMembershipOptions, GroupMembership } from '../../../../src/kafka/streams/groups/member.ts';
import { failureOf } from '../../../services/scripted-client.ts';
import {
  beatAnswer,
  commitAnswer,
  cut,
  later,
  type ScriptedCoordinator,
  scriptedCoordinator,
  silence,
} from './coordinator.ts';

const id = '00000000-0000-0000-0000-000000000001';
const otherId = '00000000-0000-0000-0000-000000000002';
const both = [{ topic: 't', partitions: [0, 1] }];
const offset = { topic: 't', partition: 0, offset: 5n, leaderEpoch: -1 };

interface Scene extends ScriptedCoordinator {
  readonly membership: GroupMembership;
  /** The member epochs of all heartbeats. */
  epochs(): readonly number[];
}

/** A member that has the topic `t` alone. */
function scene(more: Partial<ConsumerMembershipOptions> = {}): Scene {
  const coordinator = scriptedCoordinator();
  coordinator.on('ConsumerGroupHeartbeat', () =>
    beatAnswer({ assignment: { topicPartitions: [{ topicId: id, partitions: [0, 1] }] } }),
  );
  coordinator.on('OffsetCommit', (request) => commitAnswer(request));
  coordinator.on('Metadata', () => ({ topics: [{ name: 't', topicId: id }] }));
  const membership = createConsumerMembership(coordinator.client, {
    ...{ group: 'g', instanceId: undefined, sessionTimeoutMs: 45_000, rebalanceTimeoutMs: 60_000 },
    ...{ assignor: undefined, rack: '', topics: () => ['t'], onChange: () => undefined },
    ...more,
  });
  const epochs = () => coordinator.of('ConsumerGroupHeartbeat').map(({ request }) => request.memberEpoch);
  return { ...coordinator, membership, epochs };
}

describe('joining', () => {
  it('is stable as soon as its share has arrived, not before', async () => {
    const { membership, clock, on } = scene();
    const share = beatAnswer({ assignment: { topicPartitions: [{ topicId: id, partitions: [0, 1] }] } });
    on('ConsumerGroupHeartbeat', () => later(clock, 500, () => share));
    const joined = membership.join();
    let settledAt: number | undefined;
    void membership.settled().then(() => {
      settledAt = clock.now();
    });
    await clock.runFor(499);
    expect(settledAt).toBeUndefined();
    await clock.runFor(2);
    expect(settledAt).toBe(500);
    expect((await joined).share).toEqual(both);
  });
});

it.each([0, -1, -2_147_483_648])(
  'a heartbeat interval of %i does not make heartbeats without end',
  async (interval) => {
    const { membership, clock, epochs, on } = scene();
    // Silence at last, or heartbeats without end would not let time pass.
    on('ConsumerGroupHeartbeat', () =>
      epochs().length > 100 ? silence() : beatAnswer({ heartbeatIntervalMs: interval }),
    );
    await clock.runUntil(membership.join());
    await clock.runFor(30_000);
    // Every three seconds, as before the coordinator says how often.
    expect(epochs().length).toBeGreaterThan(8);
    expect(epochs().length).toBeLessThan(14);
    await clock.runUntil(membership.leave());
  },
);

it('a heartbeat that is repeated is reported with what follows', async () => {
  const { membership, clock, deadline, on } = scene();
  const reported: unknown[] = [];
  deadline.failed = (error, next) => void reported.push([error.message, next?.what]);
  await clock.runUntil(membership.join());
  await clock.runFor(1_000);
  let isCut = true;
  on('ConsumerGroupHeartbeat', () => {
    if (!isCut) return beatAnswer();
    isCut = false;
    throw cut();
  });
  await clock.runFor(20_000);
  expect(reported).toEqual([['the connection broke', 'attempt 2 of Heartbeat']]);
  await clock.runUntil(membership.leave());
});

describe('a static member whose first join was answered in vain', () => {
  const unreleased = 111;
  const fenced = 82;

  it.each([
    ['', 1, [0, 0, -2, 0]],
    [', and once more after the next one was lost as well', 2, [0, 0, -2, 0, 0, -2, 0]],
  ])('gives its instance id back, and joins%s', async (_more, losses, expected) => {
    const { membership, clock, epochs, on } = scene({ instanceId: 'one' });
    let isTaken = false;
    let lost = 0;
    on('ConsumerGroupHeartbeat', ({ memberEpoch }) => {
      const wasTaken = isTaken;
      isTaken = memberEpoch !== -2;
      if (memberEpoch !== 0) return beatAnswer();
      if (wasTaken) return beatAnswer({ errorCode: unreleased });
      lost += 1;
      if (lost <= losses) throw cut();
      return beatAnswer({ assignment: { topicPartitions: [{ topicId: id, partitions: [0, 1] }] } });
    });
    expect((await clock.runUntil(membership.join())).share).toEqual(both);
    expect(epochs()).toEqual(expected);
    await clock.runUntil(membership.leave());
  });

  it('fails when the coordinator goes on to refuse it', async () => {
    const { membership, clock, epochs, on } = scene({ instanceId: 'one' });
    on('ConsumerGroupHeartbeat', ({ memberEpoch }) => beatAnswer({ errorCode: memberEpoch === 0 ? unreleased : 0 }));
    const failure = failureOf(membership.join());
    await clock.runFor(10_000);
    expect(await failure).toMatchObject({ code: 'UNRELEASED_INSTANCE_ID' });
    expect(epochs()).toEqual([...Array.from({ length: 5 }, () => [0, -2]).flat(), 0]);
  });

  it('fails when another member has the instance id', async () => {
    const { membership, clock, epochs, on } = scene({ instanceId: 'one' });
    on('ConsumerGroupHeartbeat', ({ memberEpoch }) =>
      beatAnswer({ errorCode: memberEpoch === 0 ? unreleased : fenced }),
    );
    const failure = failureOf(membership.join());
    await clock.runFor(10_000);
    expect(await failure).toMatchObject({ code: 'UNRELEASED_INSTANCE_ID' });
    expect(epochs()).toEqual([0, -2]);
  });
});

describe('leaving', () => {
  it.each([
    ['of the coordinator', undefined, -1],
    ['for a while, as a static member,', 'one', -2],
  ])(
    '%s while the first heartbeat is under way is one heartbeat more, and no join',
    async (_what, instanceId, epoch) => {
      const { membership, clock, epochs, on } = scene({ instanceId });
      on('ConsumerGroupHeartbeat', () => later(clock, 500, () => beatAnswer()));
      const failure = failureOf(membership.join());
      await clock.runFor(100);
      const leaving = membership.leave();
      await clock.runFor(60_000);
      await leaving;
      expect(await failure).toMatchObject({ code: 'CLOSED' });
      expect({ epochs: epochs(), timers: clock.pending }).toEqual({ epochs: [0, epoch], timers: 0 });
    },
  );

  it('while joins are repeated ends them', async () => {
    const { membership, clock, epochs, on } = scene();
    on('ConsumerGroupHeartbeat', (request) =>
      request.memberEpoch === 0 ? Promise.reject(cut()) : beatAnswer({ memberEpoch: -1 }),
    );
    const failure = failureOf(membership.join());
    await clock.runFor(3_000);
    await membership.leave();
    await clock.runFor(60_000);
    expect(await failure).toMatchObject({ code: 'CLOSED' });
    expect(epochs().at(-1)).toBe(-1);
    expect(epochs().filter((epoch) => epoch === -1)).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('sends nothing if nothing was sent before', async () => {
    const { membership, asked } = scene();
    await membership.leave();
    expect(asked).toEqual([]);
    expect(await failureOf(membership.join())).toMatchObject({ code: 'CLOSED' });
  });

  it('takes at most its limit, and leaves no timers', async () => {
    const { membership, clock, epochs, on } = scene({ instanceId: 'one' });
    await membership.join();
    on('ConsumerGroupHeartbeat', silence);
    await clock.runFor(20_000);
    const leaving = membership.leave();
    await clock.runFor(2_000);
    await leaving;
    expect({ last: epochs().at(-1), timers: clock.pending }).toEqual({ last: -2, timers: 0 });
  });
});

describe('heartbeats', () => {
  it('that fail for less than the session timeout end nothing', async () => {
    const { membership, clock, on } = scene();
    await membership.join();
    await clock.runFor(5_000);
    on('ConsumerGroupHeartbeat', () => Promise.reject(cut()));
    await clock.runFor(40_000);
    expect(membership.failure).toBe(undefined);
    on('ConsumerGroupHeartbeat', () => beatAnswer({ memberEpoch: 2 }));
    await clock.runFor(60_000);
    expect(membership.failure).toBe(undefined);
    on('ConsumerGroupHeartbeat', () => Promise.reject(cut()));
    await clock.runFor(60_000);
    expect(membership.failure).toMatchObject({ exitCode: 5 });
    expect(clock.pending).toBe(0);
  });

  it('report revoked partitions at once, and start again with none after the coordinator has removed the member', async () => {
    const { membership, clock, of, on } = scene();
    const owned = () => of('ConsumerGroupHeartbeat').at(-1)?.request.topicPartitions;
    await membership.join();
    await clock.runFor(0);
    expect(owned()).toMatchObject([{ topicId: id, partitions: [0, 1] }]);
    on('ConsumerGroupHeartbeat', () =>
      beatAnswer({ memberEpoch: 2, assignment: { topicPartitions: [{ topicId: id, partitions: [1] }] } }),
    );
    await clock.runFor(5_000);
    expect(membership.needsRejoin).toBe(true);
    expect((await membership.join()).share).toEqual([{ topic: 't', partitions: [1] }]);
    await clock.runFor(0);
    expect(owned()).toMatchObject([{ topicId: id, partitions: [1] }]);
    on('ConsumerGroupHeartbeat', (request) =>
      request.memberEpoch === 0
        ? beatAnswer({ memberEpoch: 9, assignment: { topicPartitions: [{ topicId: id, partitions: [1] }] } })
        : beatAnswer({ errorCode: 110 }),
    );
    await clock.runFor(5_000);
    expect(await membership.commit([{ ...offset, partition: 1 }])).toMatchObject({ refused: 'lost' });
    expect(await membership.join()).toEqual({ share: [{ topic: 't', partitions: [1] }], held: [] });
    expect(of('OffsetCommit')).toEqual([]);
  });

  it('look up the name of a topic again that no broker knows yet', async () => {
    const { membership, clock, on } = scene();
    on('Metadata', (_request, before) => ({ topics: before < 2 ? [] : [{ name: 't', topicId: id }] }));
    expect((await membership.join()).share).toEqual([]);
    await clock.runFor(20_000);
    expect(membership.needsRejoin).toBe(true);
    expect((await membership.join()).share).toEqual(both);
  });

  it('that assign a recreated topic keep nothing of the old one', async () => {
    const { membership, clock, on } = scene();
    await membership.join();
    on('Metadata', () => ({ topics: [{ name: 't', topicId: otherId }] }));
    on('ConsumerGroupHeartbeat', () =>
      beatAnswer({ assignment: { topicPartitions: [{ topicId: otherId, partitions: [0, 1] }] } }),
    );
    await clock.runFor(5_000);
    expect(membership.needsRejoin).toBe(true);
    expect(await membership.join()).toEqual({ share: both, held: [] });
  });
});

describe('a commit', () => {
  it('in a stale epoch requests the new one', async () => {
    const { membership, clock, of, on } = scene();
    await membership.join();
    await clock.runFor(0);
    on('ConsumerGroupHeartbeat', () =>
      beatAnswer({ memberEpoch: 2, assignment: { topicPartitions: [{ topicId: id, partitions: [0, 1] }] } }),
    );
    on('OffsetCommit', (request) => commitAnswer(request, () => (request.generationIdOrMemberEpoch === 2 ? 0 : 113)));
    expect(await membership.commit([offset])).toEqual({ committed: [offset], unknown: [], refused: undefined });
    expect(of('OffsetCommit').map(({ request }) => request.generationIdOrMemberEpoch)).toEqual([1, 2]);
  });

  it('is repeated while the coordinator fails over', async () => {
    const { membership, clock, on } = scene();
    await membership.join();
    on('OffsetCommit', (request, before) => (before < 4 ? Promise.reject(cut()) : commitAnswer(request)));
    const work = membership.commit([offset]);
    await clock.runFor(6_000);
    expect(await work).toMatchObject({ committed: [offset] });
  });

  it('that waits to be repeated is sent at once when the member hurries', async () => {
    const { membership, clock, of, on } = scene();
    await membership.join();
    on('OffsetCommit', (request, before) => (before < 4 ? Promise.reject(cut()) : commitAnswer(request)));
    const work = membership.commit([offset]);
    const sent = () => of('OffsetCommit').length;
    while (sent() < 4) await clock.runFor(1);
    await clock.runFor(1);
    membership.hurry();
    await clock.runFor(0);
    expect(sent()).toBe(5);
    expect(await work).toMatchObject({ committed: [offset] });
  });
});

it('a rebalance that is asked for is announced, and joining again sends the topics of now', async () => {
  let changes = 0;
  let topics = ['t'];
  const { membership, clock, of } = scene({
    topics: () => topics,
    onChange: () => {
      changes += 1;
    },
  });
  await membership.join();
  await clock.runFor(0);
  const before = changes;
  topics = ['t', 'u'];
  membership.requestRejoin();
  expect([membership.needsRejoin, changes]).toEqual([true, before + 1]);
  await membership.join();
  expect(membership.needsRejoin).toBe(false);
  await clock.runFor(5_000);
  expect(of('ConsumerGroupHeartbeat').at(-1)?.request.subscribedTopicNames).toEqual(['t', 'u']);
});
