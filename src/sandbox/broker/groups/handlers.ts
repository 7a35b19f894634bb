import { consumerGroupDescribe } from '../../../kafka/protocol/wire/apis/consumer-group-describe.ts';
import { consumerGroupHeartbeat } from '../../../kafka/protocol/wire/apis/consumer-group-heartbeat.ts';
import { deleteGroups } from '../../../kafka/protocol/wire/apis/delete-groups.ts';
import { describeGroups } from '../../../kafka/protocol/wire/apis/describe-groups.ts';
import { listGroups } from '../../../kafka/protocol/wire/apis/list-groups.ts';
import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster, Topic } from '../cluster-parts.ts';
import { type Handler, handler, type RequestContext } from '../serve/handler.ts';
import { classicHandlers } from './classic/handlers.ts';
import { restored } from './classic/membership.ts';
import { watch as watchClassic } from './classic/rebalance.ts';
import { heartbeat, watch as watchConsumer } from './consumer/heartbeat.ts';
import { emptyConsumer } from './consumer/membership.ts';
import { flawOf, type Refusal, refusedHeartbeat } from './consumer/refusal.ts';
import {
  describeConsumerGroup,
  describeGroup,
  listedGroup,
  undescribedConsumers,
  undescribedGroup,
} from './describe.ts';
import {
  type ConsumerGroup,
  type Group,
  type GroupsEnvironment,
  type GroupTopic,
  type GroupWorld,
  groupOf,
  isClassic,
  isConsumer,
  newMemberId,
  turnInto,
} from './group.ts';
import {
  type ConsumerGroupHeartbeatRequest,
  type ConsumerGroupHeartbeatResponse,
  joinError,
  syncError,
} from './messages.ts';
import { offsetHandlers } from './offsets/handlers.ts';
import { callerOf, coordinatorCode } from './permission.ts';

/** Creates the group coordinators of a cluster and returns the handlers of all group APIs. */
export function groupHandlers(cluster: Cluster): readonly Handler[] {
  const environment: GroupsEnvironment = {
    clock: cluster.clock,
    settings: cluster.settings,
    topic: (name) => topicOf(cluster.topics.get(name)),
    topicById: (id) => topicOf(cluster.topics.byId(id)),
    topics: () =>
      [...cluster.topics.all()].filter(({ isInternal }) => !isInternal).flatMap((one) => topicOf(one) ?? []),
    isCoordinated(groupId) {
      const coordinator = cluster.coordinators.coordinatorOf('group', groupId);
      return coordinator !== undefined && cluster.isUp(coordinator);
    },
  };
  const world: GroupWorld = { environment, groups: new Map() };
  followMoves(cluster, world);
  cluster.transactionalOffsets = {
    complete({ group, committed, ...producer }) {
      world.groups.get(group)?.offsets.endTransaction(producer, committed);
    },
  };
  return [...classicHandlers(world), ...consumerHandlers(world), ...offsetHandlers(world), ...listingHandlers(world)];
}

function topicOf(topic: Topic | undefined): GroupTopic | undefined {
  return topic === undefined ? undefined : { name: topic.name, id: topic.id, partitions: topic.partitions.length };
}

/** Moves groups with their coordinators. All replicas of a group's partition have its log, so any can take over. */
function followMoves({ coordinators, settings }: Cluster, { groups }: GroupWorld): void {
  coordinators.onMove((kind, partition, leader) => {
    if (kind !== 'group') return;
    for (const group of groups.values()) {
      if (coordinators.partitionOf('group', group.groupId) !== partition) continue;
      suspend(group);
      if (leader !== undefined) group.timers.set('load', settings.coordinatorLoadMs, () => resume(group));
    }
  });
}

/** Suspends a group that has lost its coordinator: stops its timers and refuses waiting requests. */
function suspend(group: Group): void {
  group.timers.cancelAll();
  if (!isClassic(group)) return;
  const waiting = [...group.membership.members.values()];
  group.membership = restored(group.membership);
  for (const { memberId, joining, syncing } of waiting) {
    joining?.(joinError(codes.NOT_COORDINATOR, memberId));
    syncing?.(syncError(codes.NOT_COORDINATOR));
  }
}

/** Resumes a group at its new coordinator, from the state in the log, with a new session for every member. */
function resume(group: Group): void {
  group.timers.cancelAll();
  if (isClassic(group)) for (const member of group.membership.members.values()) watchClassic(group, member);
  if (isConsumer(group)) for (const member of group.membership.members.values()) watchConsumer(group, member);
}

/** The handlers of the APIs for groups of the consumer protocol. */
function consumerHandlers(world: GroupWorld): readonly Handler[] {
  return [
    handler(consumerGroupHeartbeat, {
      handle: (context, request) => answer(world, context, request),
      refuse: (_request, errorCode) => refusedHeartbeat({ errorCode, errorMessage: '' }),
    }),
    handler(consumerGroupDescribe, {
      handle: (context, { groupIds }) => ({
        groups: groupIds.map((groupId) => {
          const code = coordinatorCode(context, groupId);
          return code === codes.NONE ? describeConsumerGroup(world, groupId) : undescribedConsumers(groupId, code);
        }),
      }),
      refuse: ({ groupIds }, code) => ({ groups: groupIds.map((groupId) => undescribedConsumers(groupId, code)) }),
    }),
  ];
}

function answer(
  world: GroupWorld,
  context: RequestContext,
  asked: ConsumerGroupHeartbeatRequest,
): ConsumerGroupHeartbeatResponse {
  const flaw = flawOf(asked, context.version);
  if (flaw !== undefined) return refusedHeartbeat(flaw);
  const code = coordinatorCode(context, asked.groupId);
  if (code !== codes.NONE) return refusedHeartbeat({ errorCode: code, errorMessage: '' });
  const request = asked.memberId === '' ? { ...asked, memberId: newMemberId(world, 'member') } : asked;
  const group = consumerGroupFor(world, request);
  if ('errorCode' in group) return refusedHeartbeat(group);
  return heartbeat({ environment: world.environment, group, request, caller: callerOf(context) });
}

/** Returns the consumer group. A join creates it if it is missing, or converts an empty classic group. */
function consumerGroupFor(
  world: GroupWorld,
  { groupId, memberEpoch }: ConsumerGroupHeartbeatRequest,
): ConsumerGroup | Refusal {
  const errorMessage = `Group ${groupId} is not a consumer group.`;
  const refusal: Refusal = { errorCode: codes.GROUP_ID_NOT_FOUND, errorMessage };
  if (memberEpoch !== 0 && !world.groups.has(groupId)) return refusal;
  const group = groupOf(world, groupId);
  const isEmpty = isClassic(group) && group.membership.state === 'Empty' && group.membership.pendingJoins.size === 0;
  if (isEmpty && memberEpoch === 0) turnInto(group, emptyConsumer());
  return isConsumer(group) ? group : refusal;
}

/** The handlers of the APIs that list, describe and delete groups. */
function listingHandlers(world: GroupWorld): readonly Handler[] {
  return [listHandler(world), describeHandler(world), deleteHandler(world)];
}

function listHandler({ groups }: GroupWorld): Handler {
  return handler(listGroups, {
    handle(context, { statesFilter, typesFilter }) {
      const fits = (filter: readonly string[], value: string): boolean =>
        filter.length === 0 || filter.some((one) => one.toLowerCase() === value.toLowerCase());
      const { cluster, broker } = context;
      const rows = [...groups.values()]
        .filter(({ groupId }) => cluster.coordinators.coordinatorOf('group', groupId) === broker)
        .map(listedGroup)
        .filter(({ groupState, groupType }) => fits(statesFilter, groupState) && fits(typesFilter, groupType));
      return { errorCode: codes.NONE, groups: rows };
    },
    refuse: (_request, errorCode) => ({ errorCode, groups: [] }),
  });
}

function describeHandler(world: GroupWorld): Handler {
  return handler(describeGroups, {
    handle: (context, request) => ({
      groups: request.groups.map((groupId) => {
        const code = coordinatorCode(context, groupId);
        return code === codes.NONE ? describeGroup(world, groupId, context.version) : undescribedGroup(groupId, code);
      }),
    }),
    refuse: (request, code) => ({ groups: request.groups.map((groupId) => undescribedGroup(groupId, code)) }),
  });
}

function deleteHandler(world: GroupWorld): Handler {
  return handler(deleteGroups, {
    handle: (context, { groupsNames }) => ({
      results: groupsNames.map((groupId) => ({
        groupId,
        errorCode: coordinatorCode(context, groupId) || deleteGroup(world, groupId),
      })),
    }),
    refuse: ({ groupsNames }, errorCode) => ({ results: groupsNames.map((groupId) => ({ groupId, errorCode })) }),
  });
}

function deleteGroup({ groups }: GroupWorld, groupId: string): number {
  const group = groups.get(groupId);
  if (group === undefined) return codes.GROUP_ID_NOT_FOUND;
  if (group.membership.members.size > 0) return codes.NON_EMPTY_GROUP;
  group.timers.cancelAll();
  groups.delete(groupId);
  return codes.NONE;
}
