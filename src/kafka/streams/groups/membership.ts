import type { Client } from '../../protocol/client/client.ts';
import { heartbeat } from '../../protocol/wire/apis/heartbeat.ts';
import { leaveGroup } from '../../protocol/wire/apis/leave-group.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { joinRound } from './classic-join.ts';
import { forget, initialState, loseClaim, type Member, memberError, type State } from './classic-state.ts';
import { type Committer, commitOffsets, judgeCommit, type PartitionOffset } from './commits.ts';
import { createCoordinatorRequests, leftError } from './coordinator-requests.ts';
import { createHeartbeats } from './heartbeats.ts';
import {
  type CommitOutcome,
  type GroupMembership,
  type JoinedShare,
  type MembershipOptions,
  membershipOf,
} from './member.ts';
import { isOwnedBy, type TopicPartitions } from './subscription.ts';
import { verdictOf } from './verdicts.ts';

/** Creates a membership of the classic protocol (KIP-134, KIP-345). Sends nothing before `join`. */
export function createMembership(client: Client, options: MembershipOptions): GroupMembership {
  const state = initialState();
  const requests = createCoordinatorRequests(client, options.group, options.sessionTimeoutMs);
  const { deadline } = client.options;
  const member: Member = {
    client,
    options,
    state,
    requests,
    heartbeats: createHeartbeats({
      clock: deadline.clock,
      intervalMs: () => options.heartbeatMs,
      sessionMs: options.sessionTimeoutMs,
      patienceMs: requests.patienceMs,
      beat: () => beat(member),
      retried: (error, next) => deadline.failed(error, next),
      failed: (error) => fail(member, error),
    }),
  };
  return membershipOf(member, { join, commit, committer, watched: () => state.watched, leave });
}

function committer({ options: { group, instanceId }, state: { claim, memberId } }: Member): Committer | undefined {
  return claim && { group, generation: claim.generation, memberId, instanceId };
}

/** Joins from any phase but `left`; on success, the phase is `stable`. */
async function join(member: Member): Promise<JoinedShare> {
  const { state, heartbeats } = member;
  if (state.phase === 'left') throw leftError();
  heartbeats.stop();
  state.phase = 'joining';
  state.needsRejoin = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  state.settled = promise;
  try {
    return await joinStable(member);
  } finally {
    resolve();
  }
}

const restartPauseMs = 250;

async function joinStable(member: Member): Promise<JoinedShare> {
  const { state, requests, heartbeats } = member;
  for (let rounds = 1; ; rounds += 1) {
    // Two rounds are part of the protocol: the coordinator assigns an id, or another rebalance has begun.
    if (rounds > 2) await requests.pause(restartPauseMs);
    const share = await joinRound(member);
    if (hasLeft(state)) throw leftError();
    if (share === undefined) continue;
    const held = heldOf(state);
    const gaveUp = loses(held, share);
    state.claim = { share, generation: state.generation };
    state.phase = 'stable';
    // Cooperative: the rebalance that follows assigns the revoked partitions (KIP-429).
    if (gaveUp && state.protocol === 'cooperative-sticky') state.needsRejoin = true;
    heartbeats.heard();
    heartbeats.start();
    return { share, held };
  }
}

/** Whether the member has left; checked after every wait, because the phase may have changed. */
function hasLeft(state: State): boolean {
  return state.phase === 'left';
}

/**
 * Returns the partitions that no other member can have owned since. In a generation that passed while a JoinGroup or
 * SyncGroup was lost, an eager assignor may have given them to another member that has read on.
 */
function heldOf({ claim, generation, protocol }: State): readonly TopicPartitions[] {
  if (claim === undefined) return [];
  return generation === claim.generation + 1 || protocol === 'cooperative-sticky' ? claim.share : [];
}

/** Whether a held partition is missing from `share`. */
function loses(held: readonly TopicPartitions[], share: readonly TopicPartitions[]): boolean {
  const isKept = isOwnedBy(share);
  return held.some(({ topic, partitions }) => partitions.some((partition) => !isKept({ topic, partition })));
}

/** Sends one heartbeat; ignores the answer if the member has changed since. */
async function beat(member: Member): Promise<void> {
  const { client, options, state } = member;
  const { group, instanceId } = options;
  const { generation, memberId } = state;
  const request = { groupId: group, generationId: generation, memberId, groupInstanceId: instanceId };
  const { errorCode } = await client.requestOnce(heartbeat, request, { group });
  if (state.phase !== 'stable' || state.generation !== generation || state.memberId !== memberId) return;
  if (errorCode !== 0) judge(member, errorCode);
}

/** Handles an error code of the coordinator for a stable member. */
function judge(member: Member, code: number): void {
  const { options, state, heartbeats } = member;
  const verdict = verdictOf(code);
  if (verdict === undefined) {
    fail(member, memberError(options, code));
    return;
  }
  if (verdict === 'lost') loseClaim(state);
  if (verdict === 'forgotten') forget(state);
  if (state.phase === 'outside') heartbeats.stop();
  state.needsRejoin = true;
  options.onChange();
}

function fail({ state, heartbeats, options }: Member, error: unknown): void {
  if (state.phase === 'left') return;
  heartbeats.stop();
  state.failure ??= error;
  options.onChange();
}

/**
 * Commits in the generation in which the partitions were assigned. The coordinator accepts that while the group is
 * stable and while it waits for members to join, even with a JoinGroup of this member pending, but not between the end
 * of that wait and the assignment.
 */
async function commit(member: Member, offsets: readonly PartitionOffset[]): Promise<CommitOutcome> {
  const { client, options, state, requests } = member;
  const { claim, memberId } = state;
  if (claim === undefined || memberId === '') return { committed: [], unknown: [], refused: 'lost' };
  const owned = offsets.filter(isOwnedBy(claim.share));
  const { group, instanceId } = options;
  const committer = { group, generation: claim.generation, memberId, instanceId };
  const answers = await requests.repeat(`OffsetCommit of group "${group}"`, () =>
    commitOffsets(client, committer, owned),
  );
  const { committed, unknown, verdict, errorCode } = judgeCommit(answers, group);
  if (errorCode === codes.FENCED_INSTANCE_ID) throw memberError(options, errorCode);
  if (verdict === undefined) return { committed, unknown, refused: undefined };
  // A rebalance has replaced, or is about to replace, the claim that this commit was based on.
  if (state.phase !== 'stable' || state.claim !== claim) return { committed, unknown, refused: 'rebalancing' };
  judge(member, errorCode);
  return { committed, unknown, refused: verdict === 'rebalance' ? 'rebalancing' : 'lost' };
}

async function leave(member: Member, limitMs: number): Promise<void> {
  const { options, state, heartbeats, requests } = member;
  if (state.phase === 'left') return;
  state.phase = 'left';
  heartbeats.stop();
  const { group, instanceId } = options;
  const { memberId } = state;
  const isForgotten = memberId === '' || instanceId !== undefined;
  const request = { groupId: group, memberId, members: [{ memberId, reason: 'weir leaves' }] };
  await requests.leave(limitMs, isForgotten ? undefined : (send) => send(leaveGroup, () => request));
}
