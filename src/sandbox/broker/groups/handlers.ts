import { codes } from '../../../kafka/protocol/wire/error-codes.ts';
import type { Cluster, Topic } from '../cluster-parts.ts';
import type { Handler } from '../serve/handler.ts';
import { classicHandlers } from './classic/handlers.ts';
import { restored } from './classic/membership.ts';
import { watch as watchClassic } from './classic/rebalance.ts';
import { consumerHandlers } from './consumer/handlers.ts';
import { watch as watchConsumer } from './consumer/heartbeat.ts';
import {
  type Group,
  type GroupsEnvironment,
  type GroupTopic,
  type GroupWorld,
  isClassic,
  isConsumer,
} from './group.ts';
import { listingHandlers } from './listing-handlers.ts';
import { joinError, syncError } from './messages.ts';
import { offsetHandlers } from './offsets/handlers.ts';
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
