import { codes } from '../../../../kafka/protocol/wire/error-codes.ts';
import { type Caller, type ClassicGroup, type GroupWorld, newMemberId } from '../group.ts';
import { type JoinGroupRequest, type JoinGroupResponse, joinError, syncError } from '../messages.ts';
import {
  type ClassicMember,
  countJoining,
  hasSameProtocols,
  isSupported,
  keep,
  memberError,
  selectProtocol,
  staticMember,
} from './membership.ts';
import { completeJoinIfAllAreThere, joinedAs, rebalance, watch } from './rebalance.ts';

/** A JoinGroup in progress. */
interface Join {
  readonly world: GroupWorld;
  readonly group: ClassicGroup;
  readonly request: JoinGroupRequest;
  readonly caller: Caller;
  answer(response: JoinGroupResponse): void;
}

/** The first version in which a dynamic member must first obtain an id and then join with it (KIP-394). */
const memberIdRequiredFrom = 4;
/** The first version that can tell a returning leader to skip the assignment (KIP-814). */
const skipAssignmentFrom = 9;

/** Joins a member to a classic group; undefined when the response must wait until the group is complete. */
export function joinGroup(join: Join): JoinGroupResponse | undefined {
  const { group, request } = join;
  const { membership } = group;
  if (!hasRoom(group, request.memberId)) return joinError(codes.GROUP_MAX_SIZE_REACHED, '');
  if (!isSupported(membership, request.protocolType, request.protocols)) {
    return joinError(codes.INCONSISTENT_GROUP_PROTOCOL, request.memberId);
  }
  if (request.memberId === '') return joinUnknown(join);
  return membership.pendingJoins.delete(request.memberId) ? addMember(join, request.memberId) : joinAgain(join);
}

function hasRoom({ membership, settings }: ClassicGroup, memberId: string): boolean {
  const { state, members } = membership;
  const member = members.get(memberId);
  if (state === 'Empty') return true;
  if (state === 'PreparingRebalance')
    return member?.joining !== undefined || countJoining(membership) < settings.groupMaxSize;
  return member !== undefined || members.size < settings.groupMaxSize;
}

function joinUnknown(join: Join): JoinGroupResponse | undefined {
  const { world, group, request, caller } = join;
  const { membership, timers } = group;
  const { groupInstanceId } = request;
  const memberId = newMemberId(world, groupInstanceId ?? caller.clientId);
  if (groupInstanceId !== undefined) {
    const old = staticMember(membership, groupInstanceId);
    return old === undefined ? addMember(join, memberId) : replaceStatic(join, old, memberId);
  }
  if (caller.apiVersion < memberIdRequiredFrom) return addMember(join, memberId);
  membership.pendingJoins.add(memberId);
  timers.set(`session ${memberId}`, request.sessionTimeoutMs, () => {
    membership.pendingJoins.delete(memberId);
    completeJoinIfAllAreThere(group);
  });
  return joinError(codes.MEMBER_ID_REQUIRED, memberId);
}

function addMember({ group, request, caller, answer }: Join, memberId: string): undefined {
  const { membership, settings } = group;
  const member: ClassicMember = {
    memberId,
    groupInstanceId: request.groupInstanceId,
    clientId: caller.clientId,
    clientHost: caller.clientHost,
    sessionTimeoutMs: request.sessionTimeoutMs,
    rebalanceTimeoutMs: request.rebalanceTimeoutMs,
    protocols: request.protocols,
    assignment: new Uint8Array(),
    isNew: true,
    joining: answer,
    syncing: undefined,
  };
  if (membership.state === 'PreparingRebalance' && membership.previousState === 'Empty')
    membership.newMemberAdded = true;
  if (membership.members.size === 0) membership.protocolType = request.protocolType;
  if (membership.leader === '') membership.leader = memberId;
  membership.members.set(memberId, member);
  watch(group, member, settings.newMemberJoinTimeoutMs);
  rebalance(group);
}

function joinAgain(join: Join): JoinGroupResponse | undefined {
  const { group, request } = join;
  const { membership } = group;
  const code = memberError(membership, request);
  const member = membership.members.get(request.memberId);
  if (code !== codes.NONE || member === undefined) return joinError(code, request.memberId);
  const isSame = hasSameProtocols(member, request.protocols);
  const isLeader = member.memberId === membership.leader;
  // A follower that joins again has lost the response; a leader that joins again wants a rebalance.
  if (isSame && membership.state === 'CompletingRebalance') return joinedAs(group, member);
  if (isSame && membership.state === 'Stable' && !isLeader) return joinedAs(group, member);
  updateMember(join, member);
  rebalance(group);
  return undefined;
}

function updateMember({ request, answer }: Join, member: ClassicMember): void {
  member.protocols = request.protocols;
  member.sessionTimeoutMs = request.sessionTimeoutMs;
  member.rebalanceTimeoutMs = request.rebalanceTimeoutMs;
  member.joining = answer;
}

/** Replaces a static member that returns without its id, without a rebalance if possible. */
function replaceStatic(join: Join, old: ClassicMember, memberId: string): JoinGroupResponse | undefined {
  const { group, request, caller } = join;
  const { membership, timers } = group;
  const formerLeader = membership.leader;
  timers.cancel(`session ${old.memberId}`);
  const member: ClassicMember = {
    ...old,
    memberId,
    clientId: caller.clientId,
    clientHost: caller.clientHost,
    joining: undefined,
    syncing: undefined,
    protocols: request.protocols,
    sessionTimeoutMs: request.sessionTimeoutMs,
    rebalanceTimeoutMs: request.rebalanceTimeoutMs,
  };
  membership.members = new Map(
    [...membership.members.values()].map((one) => (one === old ? [memberId, member] : [one.memberId, one])),
  );
  if (formerLeader === old.memberId) membership.leader = memberId;
  if (membership.pendingSyncs.delete(old.memberId)) membership.pendingSyncs.add(memberId);
  old.joining?.(joinError(codes.FENCED_INSTANCE_ID, old.memberId));
  old.syncing?.(syncError(codes.FENCED_INSTANCE_ID));
  watch(group, member);
  if (membership.state === 'Stable' && selectProtocol(membership) === membership.protocolName) {
    keep(membership);
    return comeBackAs(join, member, formerLeader);
  }
  member.joining = join.answer;
  rebalance(group);
  return undefined;
}

function comeBackAs({ group, caller }: Join, member: ClassicMember, formerLeader: string): JoinGroupResponse {
  const joined = joinedAs(group, member);
  if (caller.apiVersion >= skipAssignmentFrom) {
    return { ...joined, skipAssignment: member.memberId === group.membership.leader };
  }
  // Older versions cannot skip the assignment. Naming the former leader keeps this member from assigning.
  return { ...joined, leader: formerLeader, members: [] };
}
