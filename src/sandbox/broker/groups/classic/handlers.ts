import { heartbeat as heartbeatApi } from '../../../../kafka/protocol/wire/apis/heartbeat.ts';
import { joinGroup as joinApi } from '../../../../kafka/protocol/wire/apis/join-group.ts';
import { leaveGroup as leaveApi } from '../../../../kafka/protocol/wire/apis/leave-group.ts';
import { syncGroup as syncApi } from '../../../../kafka/protocol/wire/apis/sync-group.ts';
import { codes } from '../../../../kafka/protocol/wire/error-codes.ts';
import { type Handler, handler, type RequestContext } from '../../serve/handler.ts';
import { type ClassicGroup, type GroupWorld, groupOf, isClassic, isConsumer, turnInto } from '../group.ts';
import {
  type HeartbeatRequest,
  type JoinGroupRequest,
  type JoinGroupResponse,
  joinError,
  type SyncGroupRequest,
  type SyncGroupResponse,
  syncError,
} from '../messages.ts';
import { callerOf, coordinatorCode, groupFor } from '../permission.ts';
import { joinGroup } from './join.ts';
import { emptyClassic, keep, memberError, moveTo, staticMember } from './membership.ts';
import { answerSync, completeJoinIfAllAreThere, dropMember, rebalanceWithout, watch } from './rebalance.ts';

/** The handlers of the APIs for members of the classic protocol. */
export function classicHandlers(world: GroupWorld): readonly Handler[] {
  return [joinHandler(world), syncHandler(world), heartbeatHandler(world), leaveHandler(world)];
}

function joinHandler(world: GroupWorld): Handler {
  return handler(joinApi, {
    handle: (context, request) => join(world, context, request),
    refuse: ({ memberId }, code) => joinError(code, memberId),
  });
}

function join(
  world: GroupWorld,
  context: RequestContext,
  request: JoinGroupRequest,
): JoinGroupResponse | Promise<JoinGroupResponse> {
  const { groupId, memberId, sessionTimeoutMs } = request;
  const { minSessionTimeoutMs, maxSessionTimeoutMs } = world.environment.settings;
  if (groupId === '') return joinError(codes.INVALID_GROUP_ID, memberId);
  const code = coordinatorCode(context, groupId);
  if (code !== codes.NONE) return joinError(code, memberId);
  if (sessionTimeoutMs < minSessionTimeoutMs || sessionTimeoutMs > maxSessionTimeoutMs) {
    return joinError(codes.INVALID_SESSION_TIMEOUT, memberId);
  }
  // Only a member without an id can be the first in a group.
  if (!world.groups.has(groupId) && memberId !== '') return joinError(codes.UNKNOWN_MEMBER_ID, memberId);
  const group = groupOf(world, groupId);
  if (isConsumer(group) && group.membership.members.size === 0) turnInto(group, emptyClassic());
  if (!isClassic(group)) return joinError(codes.INCONSISTENT_GROUP_PROTOCOL, memberId);
  return new Promise((answer) => {
    const atOnce = joinGroup({ world, group, request, caller: callerOf(context), answer });
    if (atOnce !== undefined) answer(atOnce);
  });
}

/** The first version of SyncGroup that requires the protocol (KIP-559). */
const protocolFrom = 5;

function syncHandler(world: GroupWorld): Handler {
  return handler(syncApi, {
    handle(context, request) {
      const isNamed = request.protocolType !== undefined && request.protocolName !== undefined;
      if (context.version >= protocolFrom && !isNamed) return syncError(codes.INCONSISTENT_GROUP_PROTOCOL);
      const group = groupFor(world, context, { groupId: request.groupId, is: isClassic });
      if (typeof group === 'number') return syncError(group);
      return new Promise<SyncGroupResponse>((answer) => {
        const atOnce = syncGroup(group, request, answer);
        if (atOnce !== undefined) answer(atOnce);
      });
    },
    refuse: (_request, code) => syncError(code),
  });
}

function heartbeatHandler(world: GroupWorld): Handler {
  return handler(heartbeatApi, {
    handle(context, request) {
      const group = groupFor(world, context, { groupId: request.groupId, is: isClassic });
      return { errorCode: typeof group === 'number' ? group : heartbeat(group, request) };
    },
    refuse: (_request, errorCode) => ({ errorCode }),
  });
}

/** Handles a SyncGroup; undefined when the response is sent through `answer`, possibly after the leader has synced. */
function syncGroup(
  group: ClassicGroup,
  request: SyncGroupRequest,
  answer: (response: SyncGroupResponse) => void,
): SyncGroupResponse | undefined {
  const { membership, timers } = group;
  const code = syncCode(group, request);
  const member = membership.members.get(request.memberId);
  if (code !== codes.NONE || member === undefined) return syncError(code);
  member.syncing = answer;
  membership.pendingSyncs.delete(member.memberId);
  if (membership.pendingSyncs.size === 0) timers.cancel('sync');
  if (membership.state === 'Stable') answerSync(group, member, codes.NONE);
  else if (member.memberId === membership.leader) shareOut(group, request);
  return undefined;
}

function shareOut(group: ClassicGroup, request: SyncGroupRequest): void {
  const { membership } = group;
  const shares = new Map(request.assignments.map(({ memberId, assignment }) => [memberId, assignment]));
  for (const one of membership.members.values()) one.assignment = shares.get(one.memberId) ?? new Uint8Array();
  moveTo(membership, 'Stable');
  keep(membership);
  for (const one of membership.members.values()) answerSync(group, one, codes.NONE);
}

function syncCode({ membership }: ClassicGroup, request: SyncGroupRequest): number {
  const code = memberError(membership, request);
  if (code !== codes.NONE) return code;
  if (request.generationId !== membership.generationId) return codes.ILLEGAL_GENERATION;
  const isOther = (told: string | undefined, current: string | undefined) => told !== undefined && told !== current;
  if (
    isOther(request.protocolType, membership.protocolType) ||
    isOther(request.protocolName, membership.protocolName)
  ) {
    return codes.INCONSISTENT_GROUP_PROTOCOL;
  }
  return membership.state === 'PreparingRebalance' ? codes.REBALANCE_IN_PROGRESS : codes.NONE;
}

/** Handles a heartbeat, which restarts the member's session timer, and returns an error code. */
function heartbeat(group: ClassicGroup, request: HeartbeatRequest): number {
  const { membership } = group;
  const code = memberError(membership, request);
  const member = membership.members.get(request.memberId);
  if (code !== codes.NONE || member === undefined) return code;
  if (request.generationId !== membership.generationId) return codes.ILLEGAL_GENERATION;
  watch(group, member);
  return membership.state === 'PreparingRebalance' ? codes.REBALANCE_IN_PROGRESS : codes.NONE;
}

/** The first version of LeaveGroup with several members. */
const severalFrom = 3;

function leaveHandler(world: GroupWorld): Handler {
  return handler(leaveApi, {
    handle(context, request) {
      const one = { memberId: request.memberId, groupInstanceId: undefined };
      const leaving = context.version >= severalFrom ? request.members : [one];
      const group = groupFor(world, context, { groupId: request.groupId, is: isClassic });
      const isRefused = typeof group === 'number' && group !== codes.UNKNOWN_MEMBER_ID;
      if (isRefused) return { errorCode: group, members: [] };
      const result = typeof group === 'number' ? leaving.map(() => group) : leaveGroup(group, leaving);
      const members = leaving.map(({ memberId, groupInstanceId }, index) => ({
        memberId,
        groupInstanceId,
        errorCode: result[index] ?? codes.NONE,
      }));
      const errorCode = context.version >= severalFrom ? codes.NONE : (result[0] ?? codes.NONE);
      return { errorCode, members };
    },
    refuse: (_request, errorCode) => ({ errorCode, members: [] }),
  });
}

/** A leaving member, identified by its id or, if static, by its instance id alone. */
interface Leaving {
  readonly memberId: string;
  readonly groupInstanceId: string | undefined;
}

/** Removes members from the group and returns an error code for each. */
function leaveGroup(group: ClassicGroup, leaving: readonly Leaving[]): readonly number[] {
  const { membership } = group;
  const before = membership.members.size;
  const result = leaving.map((one) => leave(group, one));
  if (membership.members.size < before) rebalanceWithout(group);
  else completeJoinIfAllAreThere(group);
  return result;
}

function leave(group: ClassicGroup, one: Leaving): number {
  const { membership, timers } = group;
  if (one.memberId === '') {
    const owner = staticMember(membership, one.groupInstanceId);
    if (owner === undefined) return codes.UNKNOWN_MEMBER_ID;
    dropMember(group, owner);
    return codes.NONE;
  }
  if (membership.pendingJoins.delete(one.memberId)) {
    timers.cancel(`session ${one.memberId}`);
    return codes.NONE;
  }
  const code = memberError(membership, one);
  const member = membership.members.get(one.memberId);
  if (member !== undefined && code === codes.NONE) dropMember(group, member);
  return code;
}
