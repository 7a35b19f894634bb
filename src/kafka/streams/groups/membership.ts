import type { CliError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { kafkaError, kafkaErrorText } from '../../protocol/errors.ts';
import type { ResponseOf } from '../../protocol/wire/api.ts';
import { heartbeat } from '../../protocol/wire/apis/heartbeat.ts';
import { joinGroup } from '../../protocol/wire/apis/join-group.ts';
import { leaveGroup } from '../../protocol/wire/apis/leave-group.ts';
import { syncGroup } from '../../protocol/wire/apis/sync-group.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { assignPartitions } from './assignors.ts';
import type { Balancer } from './balancer-words.ts';
import {
  forget,
  initialState,
  loseClaim,
  type Member,
  memberError,
  noGeneration,
  type State,
} from './classic-state.ts';
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
import {
  decodeAssignment,
  decodeSubscription,
  encodeAssignment,
  encodeSubscription,
  isOwnedBy,
  type TopicPartitions,
} from './subscription.ts';
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

function protocolTypeOf({ kind }: MembershipOptions): string {
  return kind?.type ?? 'consumer';
}

function protocolName({ kind }: MembershipOptions, balancer: Balancer): string {
  return kind === undefined ? balancer : `${balancer}:${kind.purpose}`;
}

function balancerOf(protocol: string): Balancer {
  return protocol.split(':', 1)[0] as Balancer;
}

type JoinAnswer = ResponseOf<typeof joinGroup>;

/** Sends JoinGroup and SyncGroup once; undefined if the member must start over. @throws CliError when it cannot join */
async function joinRound(member: Member): Promise<readonly TopicPartitions[] | undefined> {
  const answer = await askForPlace(member);
  return answer === undefined ? undefined : pickUpShare(member, answer);
}

async function askForPlace(member: Member): Promise<JoinAnswer | undefined> {
  const { options, state, requests } = member;
  // The coordinator answers when all members have joined or the rebalance timeout is over; the wait is no failure.
  const rule = { heldMs: options.rebalanceTimeoutMs };
  const answer = await requests.ask(joinGroup, () => joinRequest(member), rule);
  if (state.phase === 'left') return undefined;
  if (answer.errorCode === codes.MEMBER_ID_REQUIRED) {
    state.memberId = answer.memberId;
    return undefined;
  }
  if (startsAgain(member, answer.errorCode)) return undefined;
  state.memberId = answer.memberId;
  state.generation = answer.generationId;
  state.protocol = answer.protocolName ?? '';
  state.isLeader = answer.leader === answer.memberId;
  return answer;
}

function joinRequest({ options, state }: Member) {
  const { claim } = state;
  const subscription = {
    topics: options.topics(),
    owned: claim?.share ?? [],
    generation: claim?.generation ?? noGeneration,
  };
  return {
    groupId: options.group,
    sessionTimeoutMs: options.sessionTimeoutMs,
    rebalanceTimeoutMs: options.rebalanceTimeoutMs,
    memberId: state.memberId,
    groupInstanceId: options.instanceId,
    protocolType: protocolTypeOf(options),
    protocols: options.balancers.map((balancer) => ({
      name: protocolName(options, balancer),
      metadata: encodeSubscription(subscription, balancer),
    })),
    reason: claim === undefined ? 'weir joins' : 'weir joins again',
  };
}

/** Sends SyncGroup, with the assignments of all members if this member is the leader. */
async function pickUpShare(member: Member, answer: JoinAnswer): Promise<readonly TopicPartitions[] | undefined> {
  const { options, state, requests } = member;
  const shares = state.isLeader ? await assignAll(member, answer) : [];
  // A static leader that has returned keeps the assignments as they are, but watches the topics again.
  const assignments = answer.skipAssignment ? [] : shares;
  if (!state.isLeader) state.watched = new Map();
  const request = {
    groupId: options.group,
    generationId: state.generation,
    memberId: state.memberId,
    groupInstanceId: options.instanceId,
    protocolType: protocolTypeOf(options),
    protocolName: state.protocol,
    assignments,
  };
  // The leader may be slow or gone; the coordinator detects that within the rebalance timeout.
  const limitMs = Math.max(options.rebalanceTimeoutMs, member.client.options.deadline.limits.retryMs);
  const { errorCode, assignment } = await requests.ask(syncGroup, () => request, { limitMs });
  if (state.phase === 'left' || startsAgain(member, errorCode)) return undefined;
  return decodeAssignment(assignment);
}

async function assignAll(
  { client, state }: Member,
  answer: JoinAnswer,
): Promise<readonly { memberId: string; assignment: Buffer }[]> {
  const members = answer.members.map(({ memberId, groupInstanceId, metadata }) => ({
    memberId,
    instanceId: groupInstanceId,
    subscription: decodeSubscription(metadata),
  }));
  const topics = [...new Set(members.flatMap((member) => member.subscription.topics))];
  const described = topics.length === 0 ? [] : (await client.metadata(topics)).topics;
  const counts = new Map(described.map(({ name, partitions }) => [name, partitions.length]));
  // A topic that does not exist (yet, or any more) has no partitions; its subscribers share those of the other topics.
  state.watched = new Map(topics.map((topic) => [topic, counts.get(topic) ?? 0]));
  const shares = assignPartitions(balancerOf(state.protocol), members, state.watched);
  return [...shares].map(([memberId, share]) => ({ memberId, assignment: encodeAssignment(share) }));
}

/** Whether the member has to join again; drops the state that is void. @throws CliError for any other error */
function startsAgain({ state, options }: Member, code: number): boolean {
  if (code === 0) return false;
  const verdict = verdictOf(code);
  if (verdict === undefined) throw joinError(options, code);
  if (verdict === 'lost') loseClaim(state);
  if (verdict === 'forgotten') forget(state);
  return true;
}

function joinError(options: MembershipOptions, code: number): CliError {
  if (code === codes.FENCED_INSTANCE_ID) return memberError(options, code);
  if (code === codes.INCONSISTENT_GROUP_PROTOCOL && options.kind !== undefined) return options.kind.occupied();
  const hints =
    code === codes.INCONSISTENT_GROUP_PROTOCOL
      ? ['use --balancer to choose a balancer that the other members of the group use']
      : [];
  return kafkaError(code, `unable to join group "${options.group}": ${kafkaErrorText(code)}`, {
    target: options.group,
    hints,
  });
}
