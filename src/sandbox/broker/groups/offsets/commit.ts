import { codes } from '../../../../kafka/protocol/wire/error-codes.ts';
import { eachPartition } from '../../serve/handler.ts';
import { memberError } from '../classic/membership.ts';
import { watch } from '../classic/rebalance.ts';
import {
  type ClassicGroup,
  type ConsumerGroup,
  type Group,
  type GroupTopic,
  type GroupWorld,
  groupOf,
  isClassic,
  isConsumer,
} from '../group.ts';
import type { Producer } from './store.ts';

/** One partition of a commit. */
interface Wanted {
  readonly partitionIndex: number;
  readonly committedOffset: bigint;
  readonly committedLeaderEpoch: number;
  readonly committedMetadata: string | undefined;
}

/** A request to commit the offsets of a group, in a transaction or not. */
interface Commit {
  readonly groupId: string;
  readonly topics: readonly { readonly name: string; readonly partitions: readonly Wanted[] }[];
}

/**
 * Commits offsets and returns an error code for each partition.
 * @param producer of the transaction until whose end they are pending; undefined without one
 */
export function commitOffsets(world: GroupWorld, commit: Commit, committer: Committer, producer?: Producer) {
  const code = openFor(world, { ...committer, groupId: commit.groupId });
  const group = world.groups.get(commit.groupId);
  return eachPartition(commit.topics, (one, { name }) => {
    const topic = world.environment.topic(name);
    const errorCode =
      topic === undefined
        ? codes.UNKNOWN_TOPIC_OR_PARTITION
        : code || commitOne({ world, group, topic, producer }, one);
    return { partitionIndex: one.partitionIndex, errorCode };
  });
}

/** Returns the error code for the whole request. With NONE the group exists afterward. */
function openFor(world: GroupWorld, committer: Committer & { readonly groupId: string }): number {
  const group = world.groups.get(committer.groupId);
  if (group !== undefined) return commitCode(group, committer);
  const code = commitCodeWithoutGroup(committer);
  if (code === codes.NONE) groupOf(world, committer.groupId);
  return code;
}

interface CommitTarget {
  readonly world: GroupWorld;
  readonly group: Group | undefined;
  readonly topic: GroupTopic;
  /** Set in a transaction. */
  readonly producer: Producer | undefined;
}

function commitOne({ world, group, topic, producer }: CommitTarget, wanted: Wanted): number {
  if (wanted.partitionIndex < 0 || wanted.partitionIndex >= topic.partitions) return codes.UNKNOWN_TOPIC_OR_PARTITION;
  const metadata = wanted.committedMetadata ?? '';
  const limit = world.environment.settings.offsetMetadataMaxBytes;
  if (Buffer.byteLength(metadata) > limit) return codes.OFFSET_METADATA_TOO_LARGE;
  const partition = { topic: topic.name, partition: wanted.partitionIndex };
  const committed = {
    offset: Number(wanted.committedOffset),
    leaderEpoch: wanted.committedLeaderEpoch,
    metadata,
    topicId: topic.id,
  };
  if (producer === undefined) group?.offsets.put(partition, committed);
  else if (group?.offsets.putPending(producer, partition, committed) === false) return codes.INVALID_PRODUCER_EPOCH;
  return codes.NONE;
}

/** The sender of a commit; a commit without a member has generation -1 and an empty id. */
interface Committer {
  readonly memberId: string;
  readonly groupInstanceId: string | undefined;
  readonly generationIdOrMemberEpoch: number;
  readonly isTransactional: boolean;
  readonly apiVersion: number;
}

/** The first version of OffsetCommit with member epochs. */
const memberEpochsFrom = 9;

/** Returns the error code for a commit to a group. A commit also restarts the session of a classic member. */
function commitCode(group: Group, committer: Committer): number {
  if (isConsumer(group)) return consumerCode(group, committer);
  if (!isClassic(group)) return codes.NONE;
  const code = classicCode(group, committer);
  const member = group.membership.members.get(committer.memberId);
  if (code === codes.NONE && member !== undefined) watch(group, member);
  return code;
}

/** Returns the error code for a commit to a missing group; NONE allows it to be created without members. */
function commitCodeWithoutGroup({ generationIdOrMemberEpoch, isTransactional, apiVersion }: Committer): number {
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
