import { codes } from '../../../../kafka/protocol/wire/error-codes.ts';
import type { Caller, ConsumerGroup, GroupsEnvironment } from '../group.ts';
import type { ConsumerGroupHeartbeatRequest, ConsumerGroupHeartbeatResponse } from '../messages.ts';
import { type ConsumerMember, type ConsumerMembership, leaving, memberOfInstance, type Share } from './membership.ts';
import { epochFlaw, type Refusal, refusedHeartbeat } from './refusal.ts';
import { common, filtered, has, isNothing, isSame, listOf, noShare, shareOf, union, without } from './share.ts';
import { renewTarget } from './target.ts';

/** A heartbeat that has passed `flawOf`. */
interface Heartbeat {
  readonly environment: GroupsEnvironment;
  readonly group: ConsumerGroup;
  readonly request: ConsumerGroupHeartbeatRequest;
  readonly caller: Caller;
}

/** Handles a heartbeat that joins, renews, reconciles or removes a member (ConsumerGroupHeartbeat, KIP-848). */
export function heartbeat(beat: Heartbeat): ConsumerGroupHeartbeatResponse {
  const { memberEpoch } = beat.request;
  return memberEpoch === leaving.forGood || memberEpoch === leaving.forAWhile ? leave(beat) : stay(beat);
}

function stay(beat: Heartbeat): ConsumerGroupHeartbeatResponse {
  const { environment, group, request } = beat;
  const { membership } = group;
  const before = memberFor(beat);
  if ('errorCode' in before) return refusedHeartbeat(before);
  const updated = withRequest(before, beat);
  membership.members.set(updated.memberId, updated);
  renewTarget(environment, group, hasNewSubscription(before, updated));
  const owned = request.topicPartitions === undefined ? undefined : shareOf(request.topicPartitions);
  const member = reconciled(membership, updated, owned);
  membership.members.set(member.memberId, member);
  watch(group, member);
  const isFull =
    request.rebalanceTimeoutMs !== -1 &&
    (request.subscribedTopicNames !== undefined || request.subscribedTopicRegex !== undefined) &&
    owned !== undefined;
  const isTold = request.memberEpoch === 0 || isFull || !isSame(before.assigned, member.assigned);
  return {
    errorCode: codes.NONE,
    memberId: member.memberId,
    memberEpoch: member.memberEpoch,
    heartbeatIntervalMs: group.settings.consumerHeartbeatIntervalMs,
    assignment: isTold ? { topicPartitions: listOf(member.assigned) } : undefined,
  };
}

/** Returns the member that sent the heartbeat, a new member if it joins, or the reason for a refusal. */
function memberFor(beat: Heartbeat): ConsumerMember | Refusal {
  const { group, request } = beat;
  const { memberId, instanceId, memberEpoch } = request;
  const { members } = group.membership;
  if (instanceId !== undefined) return staticMemberFor(beat, instanceId);
  const member = members.get(memberId);
  if (member !== undefined) return epochFlaw(member, request) ?? member;
  if (memberEpoch !== 0) return unknown(memberId);
  return hasRoom(group) ? newMember(beat) : full(group);
}

function staticMemberFor(beat: Heartbeat, instanceId: string): ConsumerMember | Refusal {
  const { group, request } = beat;
  const owner = memberOfInstance(group.membership, instanceId);
  if (request.memberEpoch !== 0) {
    if (owner === undefined) return unknown(request.memberId);
    return fenced(owner, request.memberId) ?? epochFlaw(owner, request) ?? owner;
  }
  if (owner === undefined) return hasRoom(group) ? newMember(beat) : full(group);
  if (owner.memberEpoch !== leaving.forAWhile) {
    const errorMessage = `instance id ${instanceId} is in use by member ${owner.memberId}.`;
    return { errorCode: codes.UNRELEASED_INSTANCE_ID, errorMessage };
  }
  return replace(group, owner, request.memberId);
}

/** Gives the target of a static member to its successor with a new id. */
function replace({ membership, timers }: ConsumerGroup, owner: ConsumerMember, memberId: string): ConsumerMember {
  membership.members.delete(owner.memberId);
  timers.cancel(`session ${owner.memberId}`);
  const target = new Map(membership.target);
  target.set(memberId, target.get(owner.memberId) ?? noShare);
  if (memberId !== owner.memberId) target.delete(owner.memberId);
  membership.target = target;
  return { ...owner, memberId, memberEpoch: 0, previousMemberEpoch: 0, state: 'stable' };
}

function newMember({ request, caller }: Heartbeat): ConsumerMember {
  return {
    memberId: request.memberId,
    instanceId: request.instanceId,
    rackId: undefined,
    clientId: caller.clientId,
    clientHost: caller.clientHost,
    rebalanceTimeoutMs: -1,
    subscribedTopicNames: [],
    subscribedTopicRegex: undefined,
    serverAssignor: undefined,
    memberEpoch: 0,
    previousMemberEpoch: 0,
    state: 'stable',
    assigned: noShare,
    pendingRevocation: noShare,
  };
}

/** Applies the fields of a request to a member; absent fields stay as they are. */
function withRequest(member: ConsumerMember, { request, caller }: Heartbeat): ConsumerMember {
  return {
    ...member,
    clientId: caller.clientId,
    clientHost: caller.clientHost,
    rackId: request.rackId ?? member.rackId,
    rebalanceTimeoutMs: request.rebalanceTimeoutMs === -1 ? member.rebalanceTimeoutMs : request.rebalanceTimeoutMs,
    subscribedTopicNames: request.subscribedTopicNames ?? member.subscribedTopicNames,
    subscribedTopicRegex: request.subscribedTopicRegex ?? member.subscribedTopicRegex,
    serverAssignor: request.serverAssignor ?? member.serverAssignor,
  };
}

function hasNewSubscription(before: ConsumerMember, after: ConsumerMember): boolean {
  const names = ({ subscribedTopicNames }: ConsumerMember): string => [...new Set(subscribedTopicNames)].sort().join();
  return names(before) !== names(after) || before.subscribedTopicRegex !== after.subscribedTopicRegex;
}

function leave({ group, request }: Heartbeat): ConsumerGroupHeartbeatResponse {
  const { memberId, memberEpoch, instanceId } = request;
  const { membership } = group;
  const member = instanceId === undefined ? membership.members.get(memberId) : memberOfInstance(membership, instanceId);
  if (member === undefined) return refusedHeartbeat(unknown(memberId));
  const refusal = instanceId === undefined ? undefined : fenced(member, memberId);
  if (refusal !== undefined) return refusedHeartbeat(refusal);
  if (memberEpoch === leaving.forAWhile) {
    // The member keeps its partitions until its session expires.
    group.timers.cancel(`rebalance ${memberId}`);
    const absent = { memberEpoch: leaving.forAWhile, pendingRevocation: noShare };
    membership.members.set(memberId, { ...member, ...absent });
  } else removeConsumer(group, memberId);
  return { errorCode: codes.NONE, memberId, memberEpoch };
}

/** Removes a member; the next heartbeat of any member reassigns its partitions. */
function removeConsumer({ membership, timers }: ConsumerGroup, memberId: string): void {
  timers.cancel(`session ${memberId}`);
  timers.cancel(`rebalance ${memberId}`);
  if (!membership.members.delete(memberId)) return;
  const target = new Map(membership.target);
  target.delete(memberId);
  membership.target = target;
  membership.groupEpoch += 1;
}

/** Restarts the session timer of a member and, while it must revoke partitions, keeps its rebalance timer running. */
export function watch(group: ConsumerGroup, member: ConsumerMember): void {
  const { timers, settings, membership } = group;
  const { memberId, memberEpoch } = member;
  timers.set(`session ${memberId}`, settings.consumerSessionTimeoutMs, () => removeConsumer(group, memberId));
  if (member.state !== 'unrevoked') timers.cancel(`rebalance ${memberId}`);
  else if (!timers.has(`rebalance ${memberId}`)) {
    timers.set(`rebalance ${memberId}`, member.rebalanceTimeoutMs, () => {
      if (membership.members.get(memberId)?.memberEpoch === memberEpoch) removeConsumer(group, memberId);
    });
  }
}

function hasRoom({ membership, settings }: ConsumerGroup): boolean {
  return membership.members.size < settings.groupMaxSize;
}

function unknown(memberId: string): Refusal {
  return { errorCode: codes.UNKNOWN_MEMBER_ID, errorMessage: `the group has no member ${memberId}.` };
}

function full({ groupId }: ConsumerGroup): Refusal {
  return { errorCode: codes.GROUP_MAX_SIZE_REACHED, errorMessage: `the group ${groupId} is full.` };
}

function fenced(owner: ConsumerMember, memberId: string): Refusal | undefined {
  if (owner.memberId === memberId) return undefined;
  const errorMessage = `instance id ${owner.instanceId} is that of member ${owner.memberId}.`;
  return { errorCode: codes.FENCED_INSTANCE_ID, errorMessage };
}

/**
 * Moves a member as far toward its target as possible (KIP-848, "Reconciliation Logic"). The member first revokes the
 * partitions outside its target; it then gets those that no other member holds. `owned` lists the partitions that the
 * member reported; undefined when it reported none.
 */
function reconciled(membership: ConsumerMembership, member: ConsumerMember, owned: Share | undefined): ConsumerMember {
  const stillOwns = (share: Share): boolean =>
    !isNothing(share) && (owned === undefined || !isNothing(common(share, owned)));
  if (member.state === 'stable' && member.memberEpoch === membership.assignmentEpoch) return member;
  if (member.state === 'unrevoked' && stillOwns(member.pendingRevocation)) return member;
  const target = membership.target.get(member.memberId) ?? noShare;
  const kept = common(member.assigned, target);
  const toRevoke = without(member.assigned, target);
  if (stillOwns(toRevoke)) return { ...member, state: 'unrevoked', assigned: kept, pendingRevocation: toRevoke };
  const wanted = without(target, kept);
  const taken = ownedByOthers(membership, member);
  const free = filtered(wanted, (topicId, partition) => !has(taken, topicId, partition));
  return {
    ...inEpoch(member, membership.assignmentEpoch),
    state: isNothing(without(wanted, free)) ? 'stable' : 'unreleased',
    assigned: union(kept, free),
    pendingRevocation: noShare,
  };
}

function inEpoch(member: ConsumerMember, memberEpoch: number): ConsumerMember {
  return memberEpoch === member.memberEpoch
    ? member
    : { ...member, memberEpoch, previousMemberEpoch: member.memberEpoch };
}

function ownedByOthers({ members }: ConsumerMembership, { memberId }: ConsumerMember): Share {
  let all: Share = noShare;
  for (const other of members.values()) {
    if (other.memberId === memberId) continue;
    all = union(union(all, other.assigned), other.pendingRevocation);
  }
  return all;
}
