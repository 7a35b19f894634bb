import type { ReadRequestOf, WrittenResponseOf } from '../../../../kafka/protocol/wire/api.ts';
import { topicIdsFrom as commitIdsFrom, offsetCommit } from '../../../../kafka/protocol/wire/apis/offset-commit.ts';
import { offsetDelete } from '../../../../kafka/protocol/wire/apis/offset-delete.ts';
import { topicIdsFrom as fetchIdsFrom, offsetFetch } from '../../../../kafka/protocol/wire/apis/offset-fetch.ts';
import { txnOffsetCommit } from '../../../../kafka/protocol/wire/apis/txn-offset-commit.ts';
import { codes } from '../../../../kafka/protocol/wire/error-codes.ts';
import { eachPartition, type Handler, handler } from '../../serve/handler.ts';
import { subscribedTopics } from '../classic/membership.ts';
import { topicsOf } from '../consumer/target.ts';
import { type Group, type GroupWorld, isClassic, isConsumer } from '../group.ts';
import { coordinatorCode } from '../permission.ts';
import { commitOffsets } from './commit.ts';
import type { OffsetStore, Partition } from './store.ts';

type OffsetDeleteRequest = ReadRequestOf<typeof offsetDelete>;
type OffsetDeleteResponse = WrittenResponseOf<typeof offsetDelete>;
type FetchedGroupRequest = ReadRequestOf<typeof offsetFetch>['groups'][number];
type FetchedGroup = NonNullable<WrittenResponseOf<typeof offsetFetch>['groups']>[number];

/** The handlers of the APIs for committed offsets. */
export function offsetHandlers(world: GroupWorld): readonly Handler[] {
  return [commitHandler(world), transactionHandler(world), fetchHandler(world), deleteHandler(world)];
}

function commitHandler(world: GroupWorld): Handler {
  return handler(
    offsetCommit,
    {
      handle(context, request) {
        const code = coordinatorCode(context, request.groupId);
        if (code !== codes.NONE) return refusedTopics(request, code);
        return commitOffsets(world, request, { ...request, isTransactional: false, apiVersion: context.version });
      },
      refuse: refusedTopics,
    },
    [offsetCommit.min, commitIdsFrom - 1],
  );
}

function transactionHandler(world: GroupWorld): Handler {
  return handler(txnOffsetCommit, {
    handle(context, request) {
      const code = request.groupId === '' ? codes.INVALID_GROUP_ID : coordinatorCode(context, request.groupId);
      if (code !== codes.NONE) return refusedTopics(request, code);
      const { generationId: generationIdOrMemberEpoch } = request;
      const committer = { ...request, generationIdOrMemberEpoch, isTransactional: true, apiVersion: context.version };
      return commitOffsets(world, request, committer, request);
    },
    refuse: refusedTopics,
  });
}

/** Builds a response with the same error code for every partition. */
function refusedTopics<T extends { readonly partitions: readonly { readonly partitionIndex: number }[] }>(
  { topics }: { readonly topics: readonly T[] },
  errorCode: number,
) {
  return eachPartition(topics, ({ partitionIndex }: { readonly partitionIndex: number }) => ({
    partitionIndex,
    errorCode,
  }));
}

/** The first version of OffsetFetch with several groups. */
const severalFrom = 8;

function fetchHandler(world: GroupWorld): Handler {
  return handler(
    offsetFetch,
    {
      handle(context, request) {
        const one = { groupId: request.groupId, memberId: undefined, memberEpoch: -1, topics: request.topics };
        const requested = context.version >= severalFrom ? request.groups : [one];
        const groups = requested.map((group) => {
          const errorCode = coordinatorCode(context, group.groupId);
          if (errorCode !== codes.NONE) return refusedGroup(group, errorCode, context.version);
          return fetchOffsets(world, group, request.requireStable);
        });
        return responseOf(groups, context.version);
      },
      refuse(request, code, version) {
        const requested = version >= severalFrom ? request.groups : [request];
        return responseOf(
          requested.map((group) => refusedGroup(group, code, version)),
          version,
        );
      },
    },
    [offsetFetch.min, fetchIdsFrom - 1],
  );
}

type FetchedGroups = readonly ReturnType<typeof fetchOffsets>[];

function responseOf(groups: FetchedGroups, version: number) {
  if (version >= severalFrom) return { groups };
  const [only] = groups;
  return { topics: only?.topics ?? [], errorCode: only?.errorCode ?? codes.NONE };
}

/** Builds the answer for a refused group. Before version 2 there is no group error, so every partition carries it. */
function refusedGroup(
  { groupId, topics }: { readonly groupId: string; readonly topics: readonly NamedPartitions[] | undefined },
  errorCode: number,
  version: number,
): ReturnType<typeof fetchOffsets> {
  if (version >= 2) return { groupId, topics: [], errorCode };
  const refused = (topics ?? []).map(({ name, partitionIndexes }) => ({
    name,
    partitions: partitionIndexes.map((partitionIndex) => ({
      partitionIndex,
      committedOffset: -1,
      metadata: '',
      errorCode,
    })),
  }));
  return { groupId, topics: refused, errorCode };
}

interface NamedPartitions {
  readonly name: string;
  readonly partitionIndexes: readonly number[];
}

function deleteHandler(world: GroupWorld): Handler {
  return handler(offsetDelete, {
    handle(context, request) {
      const errorCode = coordinatorCode(context, request.groupId);
      return errorCode === codes.NONE ? deleteOffsets(world, request) : { errorCode, topics: [] };
    },
    refuse: (_request, errorCode) => ({ errorCode, topics: [] }),
  });
}

/** Deletes committed offsets of topics that no member subscribes to. */
function deleteOffsets(world: GroupWorld, request: OffsetDeleteRequest): OffsetDeleteResponse {
  const group = world.groups.get(request.groupId);
  if (group === undefined) return { errorCode: codes.GROUP_ID_NOT_FOUND, topics: [] };
  const subscribed = subscribedOf(world, group);
  if (subscribed === undefined) return { errorCode: codes.NON_EMPTY_GROUP, topics: [] };
  const answers = eachPartition(request.topics, ({ partitionIndex }, { name }) => {
    const count = world.environment.topic(name)?.partitions ?? 0;
    if (partitionIndex >= count) return { partitionIndex, errorCode: codes.UNKNOWN_TOPIC_OR_PARTITION };
    if (subscribed.has(name)) return { partitionIndex, errorCode: codes.GROUP_SUBSCRIBED_TO_TOPIC };
    group.offsets.delete({ topic: name, partition: partitionIndex });
    return { partitionIndex, errorCode: codes.NONE };
  });
  return { errorCode: codes.NONE, ...answers };
}

/** Returns the topics that members subscribe to; undefined when the coordinator cannot know. */
function subscribedOf({ environment }: GroupWorld, group: Group): ReadonlySet<string> | undefined {
  if (isConsumer(group)) {
    const members = [...group.membership.members.values()];
    return new Set(members.flatMap((member) => topicsOf(environment, member).map(({ name }) => name)));
  }
  if (!isClassic(group) || group.membership.members.size === 0) return new Set();
  return group.membership.protocolType === 'consumer' ? subscribedTopics(group.membership) : undefined;
}

type FetchedPartition = FetchedGroup['topics'][number]['partitions'][number];

/** Returns the committed offsets of one group, for the requested partitions or for all. */
function fetchOffsets(world: GroupWorld, request: FetchedGroupRequest, requireStable: boolean): FetchedGroup {
  const { groupId } = request;
  const group = world.groups.get(groupId);
  const errorCode = memberCode(group, request);
  if (errorCode !== codes.NONE) return { groupId, topics: [], errorCode };
  group?.offsets.retain((topic, topicId) => world.environment.topic(topic)?.id === topicId);
  const requested: readonly NamedPartitions[] = request.topics ?? (group === undefined ? [] : allOf(group));
  const topics = requested.map(({ name, partitionIndexes }) => ({
    name,
    partitions: partitionIndexes.map((partition) =>
      fetchedPartition(group?.offsets, { topic: name, partition }, requireStable),
    ),
  }));
  return { groupId, topics, errorCode };
}

function allOf({ offsets }: Group): readonly NamedPartitions[] {
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

function fetchedPartition(
  offsets: OffsetStore | undefined,
  place: Partition,
  requireStable: boolean,
): FetchedPartition {
  const { partition } = place;
  if (requireStable && offsets?.isPending(place)) return noOffset(partition, codes.UNSTABLE_OFFSET_COMMIT);
  const committed = offsets?.get(place);
  if (committed === undefined) return noOffset(partition, codes.NONE);
  const { offset, leaderEpoch, metadata } = committed;
  return {
    partitionIndex: partition,
    committedOffset: offset,
    committedLeaderEpoch: leaderEpoch,
    metadata,
    errorCode: codes.NONE,
  };
}

function noOffset(partitionIndex: number, errorCode: number): FetchedPartition {
  return { partitionIndex, committedOffset: -1, committedLeaderEpoch: -1, metadata: '', errorCode };
}
