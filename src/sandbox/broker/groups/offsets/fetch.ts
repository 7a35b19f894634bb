import type { FetchedGroup, FetchedGroupRequest } from '../../../../kafka/wire/apis/offset-fetch.ts';
import { codes } from '../../error-codes.ts';
import { isConsumer } from '../consumer/membership.ts';
import type { Group, GroupWorld } from '../group.ts';
import type { OffsetStore, Partition } from './store.ts';

type FetchedPartition = FetchedGroup['topics'][number]['partitions'][number];

/** Returns the committed offsets of one group, for the requested partitions or for all. */
export function fetchOffsets(world: GroupWorld, request: FetchedGroupRequest, requireStable: boolean): FetchedGroup {
  const { groupId } = request;
  const group = world.groups.get(groupId);
  const errorCode = memberCode(group, request);
  if (errorCode !== codes.NONE) return { groupId, topics: [], errorCode };
  group?.offsets.retain((topic, topicId) => world.environment.topic(topic)?.id === topicId);
  const asked = request.topics ?? (group === undefined ? [] : allOf(group));
  const topics = asked.map(({ name, partitionIndexes }) => ({
    name,
    partitions: partitionIndexes.map((partition) => read(group?.offsets, { topic: name, partition }, requireStable)),
  }));
  return { groupId, topics, errorCode };
}

function allOf({ offsets }: Group): NonNullable<FetchedGroupRequest['topics']> {
  const all = offsets.partitions();
  return offsets.topics().map((name) => ({
    name,
    partitionIndexes: all.filter(({ topic }) => topic === name).map(({ partition }) => partition),
  }));
}

/** Checks the member id and epoch of a request, which must be current in a consumer group. */
function memberCode(group: Group | undefined, { memberId, memberEpoch }: FetchedGroupRequest): number {
  if (group === undefined || !isConsumer(group) || (memberId === undefined && memberEpoch < 0)) return codes.NONE;
  const member = group.membership.members.get(memberId ?? '');
  if (member === undefined) return codes.UNKNOWN_MEMBER_ID;
  return member.memberEpoch === memberEpoch ? codes.NONE : codes.STALE_MEMBER_EPOCH;
}

function read(offsets: OffsetStore | undefined, place: Partition, requireStable: boolean): FetchedPartition {
  const { partition } = place;
  if (requireStable && offsets?.isPending(place)) return nothing(partition, codes.UNSTABLE_OFFSET_COMMIT);
  const committed = offsets?.get(place);
  if (committed === undefined) return nothing(partition, codes.NONE);
  const { offset, leaderEpoch, metadata } = committed;
  return {
    partitionIndex: partition,
    committedOffset: offset,
    committedLeaderEpoch: leaderEpoch,
    metadata,
    errorCode: codes.NONE,
  };
}

function nothing(partitionIndex: number, errorCode: number): FetchedPartition {
  return { partitionIndex, committedOffset: -1, committedLeaderEpoch: -1, metadata: '', errorCode };
}
