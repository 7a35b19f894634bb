import { codes } from '../../../../kafka/protocol/wire/error-codes.ts';
import type { ClassicGroup } from '../group.ts';
import { type JoinGroupResponse, joinError, syncError } from '../messages.ts';
import { type ClassicMember, countJoining, keep, metadataOf, moveTo, selectProtocol } from './membership.ts';

/** Starts a rebalance, or checks whether the current one can be completed. */
export function rebalance(group: ClassicGroup): void {
  if (group.membership.state === 'PreparingRebalance') completeJoinIfAllAreThere(group);
  else prepareRebalance(group);
}

function prepareRebalance(group: ClassicGroup): void {
  const { membership, timers, settings } = group;
  if (membership.state === 'CompletingRebalance') {
    for (const member of membership.members.values()) {
      member.assignment = new Uint8Array();
      answerSync(group, member, codes.REBALANCE_IN_PROGRESS);
    }
  }
  timers.cancel('sync');
  const wasEmpty = membership.state === 'Empty';
  moveTo(membership, 'PreparingRebalance');
  if (wasEmpty) {
    // A new group waits for more members, so that starting ten of them does not cause ten rebalances.
    const delayMs = settings.initialRebalanceDelayMs;
    membership.newMemberAdded = false;
    delayJoin(group, delayMs, Math.max(rebalanceTimeoutOf(group) - delayMs, 0));
    return;
  }
  completeJoinIfAllAreThere(group);
  if (membership.state === 'PreparingRebalance') waitForJoins(group);
}

function delayJoin(group: ClassicGroup, delayMs: number, remainingMs: number): void {
  group.timers.set('join', delayMs, () => {
    const { membership, settings } = group;
    if (!membership.newMemberAdded || remainingMs === 0) {
      completeJoin(group);
      return;
    }
    membership.newMemberAdded = false;
    const nextMs = Math.min(settings.initialRebalanceDelayMs, remainingMs);
    delayJoin(group, nextMs, Math.max(remainingMs - delayMs, 0));
  });
}

function waitForJoins(group: ClassicGroup): void {
  group.timers.set('join', rebalanceTimeoutOf(group), () => completeJoin(group));
}

/** Returns the longest rebalance timeout of the members. */
function rebalanceTimeoutOf({ membership }: ClassicGroup): number {
  let longest = 0;
  for (const { rebalanceTimeoutMs } of membership.members.values()) longest = Math.max(longest, rebalanceTimeoutMs);
  return longest;
}

/** Completes the join if every member has joined; the first join of a group always waits for its whole delay. */
export function completeJoinIfAllAreThere(group: ClassicGroup): void {
  const { membership } = group;
  const isComplete = countJoining(membership) === membership.members.size && membership.pendingJoins.size === 0;
  if (membership.state !== 'PreparingRebalance' || membership.previousState === 'Empty' || !isComplete) return;
  completeJoin(group);
}

function completeJoin(group: ClassicGroup): void {
  const { membership, timers } = group;
  timers.cancel('join');
  for (const member of [...membership.members.values()]) {
    if (member.joining === undefined && member.groupInstanceId === undefined) dropMember(group, member);
  }
  if (membership.members.size > 0 && !electLeader(group)) {
    waitForJoins(group);
    return;
  }
  membership.generationId += 1;
  if (membership.members.size === 0) {
    membership.protocolName = undefined;
    moveTo(membership, 'Empty');
    keep(membership);
    return;
  }
  membership.protocolName = selectProtocol(membership);
  moveTo(membership, 'CompletingRebalance');
  membership.pendingSyncs.clear();
  for (const member of membership.members.values()) {
    const answer = member.joining;
    member.joining = undefined;
    member.isNew = false;
    membership.pendingSyncs.add(member.memberId);
    watch(group, member);
    answer?.(joinedAs(group, member));
  }
  timers.set('sync', rebalanceTimeoutOf(group), () => expireSyncs(group));
}

/** Replaces a leader that has not rejoined by a member that has; false when no member has. */
function electLeader({ membership }: ClassicGroup): boolean {
  if (membership.members.get(membership.leader)?.joining !== undefined) return true;
  for (const member of membership.members.values()) {
    if (member.joining === undefined) continue;
    membership.leader = member.memberId;
    return true;
  }
  return false;
}

/** Builds the JoinGroup response for a member of the current generation. */
export function joinedAs({ membership }: ClassicGroup, { memberId }: ClassicMember): JoinGroupResponse {
  const { generationId, protocolType, protocolName, leader, members } = membership;
  const seen = memberId === leader ? [...members.values()] : [];
  return {
    errorCode: codes.NONE,
    generationId,
    protocolType,
    protocolName,
    leader,
    skipAssignment: false,
    memberId,
    members: seen.map((member) => ({
      memberId: member.memberId,
      groupInstanceId: member.groupInstanceId,
      metadata: metadataOf(member, protocolName),
    })),
  };
}

/** Removes the members that joined but did not sync in time. */
function expireSyncs(group: ClassicGroup): void {
  const { membership } = group;
  if (membership.state !== 'CompletingRebalance' && membership.state !== 'Stable') return;
  const late = [...membership.pendingSyncs];
  if (late.length === 0) return;
  for (const memberId of late) {
    const member = membership.members.get(memberId);
    if (member !== undefined) dropMember(group, member);
  }
  prepareRebalance(group);
}

/** Answers a member's waiting SyncGroup, if any, with an error or its assignment. */
export function answerSync(group: ClassicGroup, member: ClassicMember, errorCode: number): void {
  const answer = member.syncing;
  if (answer === undefined) return;
  member.syncing = undefined;
  watch(group, member);
  const { protocolType, protocolName } = group.membership;
  if (errorCode !== codes.NONE) answer(syncError(errorCode));
  else answer({ errorCode, protocolType, protocolName, assignment: member.assignment });
}

/** Restarts the session timer of a member, which is removed when the timer expires. */
export function watch(group: ClassicGroup, member: ClassicMember, milliseconds = member.sessionTimeoutMs): void {
  group.timers.set(`session ${member.memberId}`, milliseconds, () => {
    if (group.membership.members.get(member.memberId) !== member) return;
    // A member that is waiting for a response is alive.
    if (!member.isNew && (member.joining !== undefined || member.syncing !== undefined)) return;
    removeMember(group, member);
  });
}

/** Removes a member and starts a rebalance of the others. */
function removeMember(group: ClassicGroup, member: ClassicMember): void {
  dropMember(group, member);
  rebalanceWithout(group);
}

/** Starts a rebalance after members have left. */
export function rebalanceWithout(group: ClassicGroup): void {
  if (group.membership.state !== 'Empty') rebalance(group);
}

/** Removes a member and refuses its waiting requests. */
export function dropMember(group: ClassicGroup, member: ClassicMember): void {
  const { membership, timers } = group;
  timers.cancel(`session ${member.memberId}`);
  membership.members.delete(member.memberId);
  membership.pendingSyncs.delete(member.memberId);
  if (membership.leader === member.memberId) membership.leader = membership.members.keys().next().value ?? '';
  const { joining, syncing } = member;
  member.joining = undefined;
  member.syncing = undefined;
  joining?.(joinError(codes.UNKNOWN_MEMBER_ID, member.memberId));
  syncing?.(syncError(codes.UNKNOWN_MEMBER_ID));
}
