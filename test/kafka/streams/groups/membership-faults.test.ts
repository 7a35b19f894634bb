import { describe, expect, it } from 'vitest';
import type { GroupMembership, MembershipOptions } from '../../../../src/kafka/streams/groups/member.ts';
import { createMembership } from '../../../../src/kafka/streams/groups/membership.ts';
import { decodeAssignment, decodeSubscription } from '../../../../src/kafka/streams/groups/subscription.ts';
import { failureOf } from '../../../services/scripted-client.ts';
import {
  assignment,
  commitAnswer,
  cut,
  later,
  place,
  refusedPlace,
  type ScriptedCoordinator,
  scriptedCoordinator,
  silence,
} from './coordinator.ts';

const both = [{ topic: 't', partitions: [0, 1] }];
const offset = { topic: 't', partition: 0, offset: 5n, leaderEpoch: -1 };

interface Scene extends ScriptedCoordinator {
  readonly membership: GroupMembership;
  changes(): number;
}

/** The only member of a group whose generations count from 1. */
function scene(more: Partial<MembershipOptions> = {}): Scene {
  const coordinator = scriptedCoordinator();
  let changes = 0;
  let generation = 0;
  coordinator.topics.set('t', 2);
  coordinator.on('JoinGroup', (request) => {
    generation += 1;
    return place(request, generation);
  });
  coordinator.on('SyncGroup', () => assignment(both));
  coordinator.on('Heartbeat', () => ({ errorCode: 0 }));
  coordinator.on('OffsetCommit', (request) => commitAnswer(request));
  coordinator.on('LeaveGroup', () => ({ errorCode: 0, members: [] }));
  const membership = createMembership(coordinator.client, {
    ...{ group: 'g', instanceId: undefined, balancers: ['cooperative-sticky'], sessionTimeoutMs: 45_000 },
    ...{ rebalanceTimeoutMs: 60_000, heartbeatMs: 3_000, topics: () => ['t'] },
    onChange() {
      changes += 1;
    },
    ...more,
  });
  return { ...coordinator, membership, changes: () => changes };
}

function claimed(request: { readonly protocols: readonly { readonly metadata: Uint8Array }[] }) {
  return decodeSubscription(Buffer.from(request.protocols[0]?.metadata ?? []));
}

describe('heartbeats', () => {
  it('that fail for less than the session timeout end nothing, and return to their interval afterwards', async () => {
    const { membership, clock, of, on } = scene();
    await membership.join();
    await clock.runFor(60_000);
    on('Heartbeat', () => Promise.reject(cut()));
    await clock.runFor(40_000);
    expect({ failure: membership.failure, needsRejoin: membership.needsRejoin }).toEqual({
      failure: undefined,
      needsRejoin: false,
    });
    on('Heartbeat', () => ({ errorCode: 0 }));
    await clock.runFor(3_000);
    const sent = of('Heartbeat').length;
    await clock.runFor(9_000);
    expect(of('Heartbeat').length - sent).toBe(3);
    await membership.leave();
    expect(clock.pending).toBe(0);
  });

  it('that fail for longer end the membership with the last failure', async () => {
    const { membership, clock, on } = scene();
    await membership.join();
    on('Heartbeat', () => Promise.reject(cut()));
    await clock.runFor(50_000);
    expect(membership.failure).toMatchObject({
      exitCode: 5,
      message: expect.stringMatching(/^the connection broke \(no heartbeat was answered for 4[5-8]/),
    });
    expect(clock.pending).toBe(0);
  });

  it('end at once on a permanent error', async () => {
    const { membership, clock, on } = scene({ instanceId: 'one' });
    await membership.join();
    on('Heartbeat', () => ({ errorCode: 82 }));
    await clock.runFor(3_000);
    expect(membership.failure).toMatchObject({ code: 'FENCED_INSTANCE_ID' });
  });

  it('that are never answered delay neither joining nor leaving', async () => {
    const { membership, clock, of, on } = scene();
    await membership.join();
    on('Heartbeat', silence);
    await clock.runFor(4_000);
    expect((await membership.join()).held).toEqual(both);
    await membership.leave();
    expect({ left: of('LeaveGroup').length, timers: clock.pending }).toEqual({ left: 1, timers: 0 });
  });

  it('of an earlier generation are ignored', async () => {
    const { membership, clock, on } = scene();
    await membership.join();
    on('Heartbeat', () => later(clock, 1_000, () => ({ errorCode: 25 })));
    await clock.runFor(3_500);
    await membership.join();
    on('Heartbeat', () => ({ errorCode: 0 }));
    await clock.runFor(10_000);
    expect(membership.needsRejoin).toBe(false);
  });
});

describe('joining', () => {
  it('continues after a JoinGroup that was cut after a long wait', async () => {
    const { membership, clock, of, on } = scene();
    on('JoinGroup', (request, before) =>
      before === 0 ? later(clock, 59_000, () => Promise.reject(cut())) : place(request, 1),
    );
    const joining = membership.join();
    await clock.runFor(60_000);
    expect((await joining).share).toEqual(both);
    expect(of('JoinGroup')).toHaveLength(2);
  });

  it('ends by the retry rule if the coordinator stays unreachable', async () => {
    const { membership, clock, on } = scene();
    on('JoinGroup', () => Promise.reject(cut()));
    const failure = failureOf(membership.join());
    await clock.runFor(40_000);
    expect(await failure).toMatchObject({ code: 'RETRY_TIMEOUT', exitCode: 5 });
    expect(clock.now()).toBe(40_000);
  });

  it('repeats a SyncGroup that fails for as long as the rebalance may take', async () => {
    const { membership, clock, on } = scene();
    on('SyncGroup', () => (clock.now() < 45_000 ? Promise.reject(cut()) : assignment(both)));
    const joined = membership.join();
    joined.catch(() => undefined);
    await clock.runFor(60_000);
    expect((await joined).share).toEqual(both);
  });

  it('continues after a SyncGroup that was cut', async () => {
    const { membership, clock, of, on } = scene();
    on('SyncGroup', (_request, before) => (before < 3 ? Promise.reject(cut()) : assignment(both)));
    const joining = membership.join();
    await clock.runFor(5_000);
    expect((await joining).share).toEqual(both);
    expect(of('SyncGroup').map(({ request }) => request.generationId)).toEqual([1, 1, 1, 1]);
  });

  it.each([
    ['ILLEGAL_GENERATION', 22, 'm1'],
    ['UNKNOWN_MEMBER_ID', 25, ''],
  ])('claims and owns nothing after %s', async (_name, code, memberId) => {
    const { membership, clock, of, on, changes } = scene();
    await membership.join();
    on('Heartbeat', () => ({ errorCode: code }));
    await clock.runFor(3_000);
    expect({ needsRejoin: membership.needsRejoin, changes: changes() }).toEqual({ needsRejoin: true, changes: 1 });
    expect(await membership.commit([offset])).toEqual({ committed: [], unknown: [], refused: 'lost' });
    expect(of('OffsetCommit')).toEqual([]);
    expect(await membership.join()).toEqual({ share: both, held: [] });
    const { request } = of('JoinGroup').at(-1) ?? {};
    expect(request.memberId).toBe(memberId);
    expect(claimed(request)).toEqual({ topics: ['t'], owned: [], generation: -1 });
  });

  it('claims its partitions in the generation that assigned them, even after an unfinished rebalance', async () => {
    const { membership, of, on } = scene();
    await membership.join();
    on('SyncGroup', (_request, before) =>
      before === 1 ? { errorCode: 27, assignment: Buffer.alloc(0) } : assignment(both),
    );
    expect((await membership.join()).held).toEqual(both);
    expect(claimed(of('JoinGroup').at(-1)?.request)).toEqual({ topics: ['t'], owned: both, generation: 1 });
  });

  it('with an eager assignor owns nothing after it missed a generation', async () => {
    const { membership, on } = scene({ balancers: ['range'] });
    await membership.join();
    on('JoinGroup', (request) => place(request, 3));
    expect(await membership.join()).toEqual({ share: both, held: [] });
  });

  it('assigns what exists if some topics are missing or deleted', async () => {
    const { membership, of } = scene({ topics: () => ['gone', 't'] });
    await membership.join();
    const [own] = of('SyncGroup')[0]?.request.assignments ?? [];
    expect(decodeAssignment(own.assignment)).toEqual(both);
    expect(membership.watched).toEqual(
      new Map([
        ['gone', 0],
        ['t', 2],
      ]),
    );
  });
});

describe('a commit', () => {
  it('is repeated while the coordinator fails over', async () => {
    const { membership, clock, of, on } = scene();
    await membership.join();
    // Cut, not loaded yet, slow to replicate.
    on('OffsetCommit', (request, before) =>
      before < 2 ? Promise.reject(cut()) : commitAnswer(request, () => [14, 7][before - 2] ?? 0),
    );
    const work = membership.commit([offset]);
    await clock.runFor(6_000);
    expect(await work).toEqual({ committed: [offset], unknown: [], refused: undefined });
    expect(of('OffsetCommit')).toHaveLength(5);
  });

  it('during an open JoinGroup is made in the generation that is still valid', async () => {
    const { membership, clock, of, on } = scene();
    await membership.join();
    on('JoinGroup', (request) => later(clock, 10_000, () => place(request, 2)));
    const joining = membership.join();
    await clock.runFor(1_000);
    expect(await membership.commit([offset])).toMatchObject({ committed: [offset], refused: undefined });
    expect(of('OffsetCommit')[0]?.request.generationIdOrMemberEpoch).toBe(1);
    await clock.runFor(10_000);
    await joining;
  });

  it('refused between JoinGroup and assignment loses nothing, and is repeated afterwards', async () => {
    const { membership, clock, of, on } = scene();
    await membership.join();
    on('SyncGroup', () => later(clock, 1_000, () => assignment([{ topic: 't', partitions: [0] }])));
    on('OffsetCommit', (request) => commitAnswer(request, () => (request.generationIdOrMemberEpoch === 1 ? 22 : 0)));
    const joining = membership.join();
    await clock.runFor(500);
    expect(await membership.commit([offset])).toMatchObject({ committed: [], refused: 'rebalancing' });
    const settled = membership.settled();
    await clock.runFor(1_000);
    await settled;
    expect((await joining).held).toEqual(both);
    // Another member commits what was assigned to it.
    const other = { ...offset, partition: 1 };
    expect(await membership.commit([offset, other])).toMatchObject({ committed: [offset], refused: undefined });
    expect(of('OffsetCommit').at(-1)?.request.generationIdOrMemberEpoch).toBe(2);
  });

  it('of several topics commits what it can, and names what it cannot', async () => {
    const { membership, on } = scene();
    await membership.join();
    on('OffsetCommit', (request) => commitAnswer(request, (name) => (name === 't/1' ? 3 : 0)));
    const gone = { ...offset, partition: 1 };
    expect(await membership.commit([offset, gone])).toEqual({
      committed: [offset],
      unknown: [gone],
      refused: undefined,
    });
    on('OffsetCommit', (request) => commitAnswer(request, (name) => (name === 't/1' ? 29 : 0)));
    const error = await failureOf(membership.commit([offset, gone]));
    expect(error).toMatchObject({ code: 'TOPIC_AUTHORIZATION_FAILED', target: 't', exitCode: 4 });
    expect(error.message).toContain('topic "t" partition 1');
  });
});

describe('leaving', () => {
  it('while a JoinGroup is repeated sends one LeaveGroup, and no JoinGroup after it', async () => {
    const { membership, clock, asked, on } = scene();
    on('JoinGroup', (_request, before) => (before === 0 ? refusedPlace(79, 'm1') : Promise.reject(cut())));
    const failure = failureOf(membership.join());
    await clock.runFor(5_000);
    await membership.leave();
    const sent = asked.length;
    expect(await failure).toMatchObject({ code: 'CLOSED' });
    await clock.runFor(60_000);
    expect({ sent: asked.length, last: asked.at(-1)?.api, timers: clock.pending }).toEqual({
      ...{ sent, last: 'LeaveGroup', timers: 0 },
    });
  });

  it('takes at most its limit, and leaves no timers', async () => {
    const { membership, clock, on } = scene();
    await membership.join();
    on('LeaveGroup', () => Promise.reject(cut()));
    on('OffsetCommit', () => Promise.reject(cut()));
    const commit = failureOf(membership.commit([offset]));
    const leaving = membership.leave();
    await clock.runFor(2_000);
    await leaving;
    expect(await commit).toMatchObject({ code: 'CLOSED' });
    expect(clock.pending).toBe(0);
  });

  it('a static member sends nothing and so keeps its place', async () => {
    const { membership, of } = scene({ instanceId: 'one' });
    await membership.join();
    await membership.leave();
    expect(of('LeaveGroup')).toEqual([]);
  });
});
