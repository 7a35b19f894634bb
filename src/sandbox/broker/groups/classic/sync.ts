import { codes } from '../../../../kafka/protocol/wire/error-codes.ts';
import type { ClassicGroup } from '../group.ts';
import { type HeartbeatRequest, type SyncGroupRequest, type SyncGroupResponse, syncError } from '../messages.ts';
import { keep, memberError, moveTo } from './membership.ts';
import { answerSync, watch } from './rebalance.ts';

/** Handles a SyncGroup; undefined when the response is sent through `answer`, possibly after the leader has synced. */
export function syncGroup(
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
  const isOther = (told: string | undefined, own: string | undefined) => told !== undefined && told !== own;
  if (
    isOther(request.protocolType, membership.protocolType) ||
    isOther(request.protocolName, membership.protocolName)
  ) {
    return codes.INCONSISTENT_GROUP_PROTOCOL;
  }
  return membership.state === 'PreparingRebalance' ? codes.REBALANCE_IN_PROGRESS : codes.NONE;
}

/** Handles a heartbeat, which restarts the member's session timer, and returns an error code. */
export function heartbeat(group: ClassicGroup, request: HeartbeatRequest): number {
  const { membership } = group;
  const code = memberError(membership, request);
  const member = membership.members.get(request.memberId);
  if (code !== codes.NONE || member === undefined) return code;
  if (request.generationId !== membership.generationId) return codes.ILLEGAL_GENERATION;
  watch(group, member);
  return membership.state === 'PreparingRebalance' ? codes.REBALANCE_IN_PROGRESS : codes.NONE;
}
