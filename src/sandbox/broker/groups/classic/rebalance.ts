import { type JoinGroupResponse, joinError } from '../../apis/join-group.ts';
import { syncError } from '../../apis/sync-group.ts';
import { codes } from '../../error-codes.ts';
import {
  type ClassicGroup,
  type ClassicMember,
  countJoining,
  keep,
  metadataOf,
  moveTo,
  selectProtocol,
} from './membership.ts';

/** Begins a rebalance, or looks whether the one that is under way can be completed. */
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
    // A group that begins waits for more members, so that starting ten of them is not ten rebalances.
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

/** The longest time that any member may take to join again. */
function rebalanceTimeoutOf({ membership }: ClassicGroup): number {
  let longest = 0;
  for (const { rebalanceTimeoutMs } of membership.members.values()) longest = Math.max(longest, rebalanceTimeoutMs);
  return longest;
}

/** Completes the join as soon as every member has come; the first one of a group takes its whole delay. */
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

/** A leader that has not joined again gives way to a member that has; false when nobody has. */
function electLeader({ membership }: ClassicGroup): boolean {
  if (membership.members.get(membership.leader)?.joining !== undefined) return true;
  for (const member of membership.members.values()) {
    if (member.joining === undefined) continue;
    membership.leader = member.memberId;
    return true;
  }
  return false;
}

/** What a member of the current generation is told. */
export function joinedAs({ membership }: ClassicGroup, { memberId }: ClassicMember): JoinGroupResponse {
  const { generationId, protocolType, protocolName, leader, members } = membership;
  const seen = memberId === leader ? [...members.values()] : [];
  return {
    ...{ errorCode: codes.NONE, generationId, protocolType, protocolName, leader, skipAssignment: false },
    memberId,
    members: seen.map((member) => ({
      memberId: member.memberId,
      groupInstanceId: member.groupInstanceId,
      metadata: metadataOf(member, protocolName),
    })),
  };
}

/** Ends the wait for those who joined and did not sync: they are no members any more. */
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

/** Answers the SyncGroup that a member waits with, if it does: an error, or its share. */
export function answerSync(group: ClassicGroup, member: ClassicMember, errorCode: number): void {
  const answer = member.syncing;
  if (answer === undefined) return;
  member.syncing = undefined;
  watch(group, member);
  const { protocolType, protocolName } = group.membership;
  if (errorCode !== codes.NONE) answer(syncError(errorCode));
  else answer({ errorCode, protocolType, protocolName, assignment: member.assignment });
}

/** Starts the session of a member anew: without a sign of life in that time it is removed. */
export function watch(group: ClassicGroup, member: ClassicMember, milliseconds = member.sessionTimeoutMs): void {
  group.timers.set(`session ${member.memberId}`, milliseconds, () => {
    if (group.membership.members.get(member.memberId) !== member) return;
    // Whoever waits for an answer of the coordinator is alive.
    if (!member.isNew && (member.joining !== undefined || member.syncing !== undefined)) return;
    removeMember(group, member);
  });
}

/** Removes a member, and shares its partitions among the others. */
export function removeMember(group: ClassicGroup, member: ClassicMember): void {
  dropMember(group, member);
  rebalanceWithout(group);
}

/** What follows when members have gone. */
export function rebalanceWithout(group: ClassicGroup): void {
  if (group.membership.state !== 'Empty') rebalance(group);
}

/** Takes a member out, and answers what it waits with. */
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
