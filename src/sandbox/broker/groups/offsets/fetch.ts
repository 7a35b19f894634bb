import type { FetchedGroup, FetchedGroupRequest } from '../../apis/offset-fetch.ts';
import { codes } from '../../error-codes.ts';
import { isConsumer } from '../consumer/membership.ts';
import type { Group, GroupWorld } from '../group.ts';
import type { OffsetStore } from './store.ts';

type FetchedTopic = FetchedGroup['topics'][number];
type FetchedPartition = FetchedTopic['partitions'][number];

/** How the offsets of a group are read. */
export interface FetchMode {
  /** Whether an offset that a transaction is about to commit is refused until it ends. */
  readonly requireStable: boolean;
  readonly apiVersion: number;
}

/** The committed offsets of one group: of the partitions that are asked about, or all. */
export function fetchOffsets(world: GroupWorld, request: FetchedGroupRequest, mode: FetchMode): FetchedGroup {
  const { groupId } = request;
  const group = world.groups.get(groupId);
  const errorCode = memberCode(group, request);
  if (errorCode !== codes.NONE) return { groupId, topics: [], errorCode };
  group?.offsets.retain((topic, topicId) => world.environment.topic(topic)?.id === topicId);
  const asked = request.topics ?? [];
  const topics =
    request.topics === undefined
      ? (group?.offsets.topics() ?? []).map((name) => wholeTopic(world, group, { name, mode }))
      : asked.map((topic) => namedTopic(world, group, { topic, mode }));
  return { groupId, topics: topics.filter((one) => one !== undefined), errorCode };
}

/** Who names a member of a consumer group is that member, in its epoch. */
function memberCode(group: Group | undefined, { memberId, memberEpoch }: FetchedGroupRequest): number {
  if (group === undefined || !isConsumer(group) || (memberId === undefined && memberEpoch < 0)) return codes.NONE;
  const member = group.membership.members.get(memberId ?? '');
  if (member === undefined) return codes.UNKNOWN_MEMBER_ID;
  return member.memberEpoch === memberEpoch ? codes.NONE : codes.STALE_MEMBER_EPOCH;
}

function wholeTopic(
  { environment }: GroupWorld,
  group: Group | undefined,
  { name, mode }: { readonly name: string; readonly mode: FetchMode },
): FetchedTopic | undefined {
  const topic = environment.topic(name);
  if (topic === undefined && mode.apiVersion >= 10) return undefined;
  const own = (group?.offsets.partitions() ?? []).filter((one) => one.topic === name);
  const partitions = own.map(({ partition }) => read(group?.offsets, name, { partition, mode }));
  return { name, ...(topic === undefined ? {} : { topicId: topic.id }), partitions };
}

function namedTopic(
  { environment }: GroupWorld,
  group: Group | undefined,
  asked: { readonly topic: NonNullable<FetchedGroupRequest['topics']>[number]; readonly mode: FetchMode },
): FetchedTopic {
  const { topic, mode } = asked;
  const { topicId, partitionIndexes } = topic;
  const name = mode.apiVersion >= 10 ? environment.topicById(topicId)?.name : topic.name;
  const partitions = partitionIndexes.map((partition) =>
    name === undefined ? nothing(partition, codes.UNKNOWN_TOPIC_ID) : read(group?.offsets, name, { partition, mode }),
  );
  return { name: topic.name, topicId, partitions };
}

function read(
  offsets: OffsetStore | undefined,
  topic: string,
  { partition, mode }: { readonly partition: number; readonly mode: FetchMode },
): FetchedPartition {
  if (mode.requireStable && offsets?.isPending({ topic, partition })) {
    return nothing(partition, codes.UNSTABLE_OFFSET_COMMIT);
  }
  const committed = offsets?.get({ topic, partition });
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
