import { codes } from '../../../../kafka/wire/error-codes.ts';
import { type ClassicGroup, isClassic, memberError } from '../classic/membership.ts';
import { watch } from '../classic/rebalance.ts';
import { type ConsumerGroup, isConsumer } from '../consumer/membership.ts';
import type { Group } from '../group.ts';

/** The sender of a commit; a commit without a member has generation -1 and an empty id. */
export interface Committer {
  readonly memberId: string;
  readonly groupInstanceId: string | undefined;
  readonly generationIdOrMemberEpoch: number;
  readonly isTransactional: boolean;
  readonly apiVersion: number;
}

/** The first version of OffsetCommit with member epochs. */
const memberEpochsFrom = 9;

/** Returns the error code for a commit to a group. A commit also restarts the session of a classic member. */
export function commitCode(group: Group, committer: Committer): number {
  if (isConsumer(group)) return consumerCode(group, committer);
  if (!isClassic(group)) return codes.NONE;
  const code = classicCode(group, committer);
  const member = group.membership.members.get(committer.memberId);
  if (code === codes.NONE && member !== undefined) watch(group, member);
  return code;
}

/** Returns the error code for a commit to a missing group; NONE allows it to be created without members. */
export function commitCodeWithoutGroup({ generationIdOrMemberEpoch, isTransactional, apiVersion }: Committer): number {
  if (generationIdOrMemberEpoch < 0) return codes.NONE;
  return apiVersion >= memberEpochsFrom && !isTransactional ? codes.GROUP_ID_NOT_FOUND : codes.ILLEGAL_GENERATION;
}

function classicCode({ membership }: ClassicGroup, committer: Committer): number {
  const { generationIdOrMemberEpoch: generation, memberId, groupInstanceId, isTransactional } = committer;
  if (generation < 0 && membership.state === 'Empty') return codes.NONE;
  if (generation >= 0 || memberId !== '' || groupInstanceId !== undefined) {
    const code = memberError(membership, { memberId, groupInstanceId });
    if (code !== codes.NONE) return code;
    if (generation !== membership.generationId) return codes.ILLEGAL_GENERATION;
  } else if (!isTransactional) return codes.UNKNOWN_MEMBER_ID;
  // A commit between join and sync could come too late for the next owner of the partition.
  return !isTransactional && membership.state === 'CompletingRebalance' ? codes.REBALANCE_IN_PROGRESS : codes.NONE;
}

function consumerCode({ membership }: ConsumerGroup, committer: Committer): number {
  const { generationIdOrMemberEpoch: epoch, memberId, isTransactional, apiVersion } = committer;
  if (epoch < 0 && membership.members.size === 0) return codes.NONE;
  if (isTransactional && epoch < 0 && memberId === '') return codes.NONE;
  const member = membership.members.get(memberId);
  if (member === undefined) return codes.UNKNOWN_MEMBER_ID;
  if (!isTransactional && apiVersion < memberEpochsFrom) return codes.UNSUPPORTED_VERSION;
  if (epoch === member.memberEpoch) return codes.NONE;
  return isTransactional ? codes.ILLEGAL_GENERATION : codes.STALE_MEMBER_EPOCH;
}
