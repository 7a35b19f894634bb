import { codes } from '../../error-codes.ts';
import { type ClassicGroup, memberError, staticMember } from './membership.ts';
import { completeJoinIfAllAreThere, dropMember, rebalanceWithout } from './rebalance.ts';

/** A leaving member, identified by its id or, if static, by its instance id alone. */
interface Leaving {
  readonly memberId: string;
  readonly groupInstanceId: string | undefined;
}

/** Removes members from the group and returns an error code for each. */
export function leaveGroup(group: ClassicGroup, leaving: readonly Leaving[]): readonly number[] {
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
