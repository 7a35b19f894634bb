import type { ConsumerMember, ConsumerMembership, Share } from './membership.ts';
import { common, filtered, has, isNothing, noShare, union, without } from './share.ts';

/**
 * Moves a member as far toward its target as possible (KIP-848, "Reconciliation Logic"). The member first revokes the
 * partitions outside its target; it then gets those that no other member holds. `owned` lists the partitions that the
 * member reported; undefined when it reported none.
 */
export function reconciled(
  membership: ConsumerMembership,
  member: ConsumerMember,
  owned: Share | undefined,
): ConsumerMember {
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
