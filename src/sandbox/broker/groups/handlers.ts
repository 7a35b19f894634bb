import type { Cluster } from '../cluster-parts.ts';
import type { Handler } from '../serve/handler.ts';
import type { Topic } from '../topics/topic.ts';
import { classicHandlers } from './classic/handlers.ts';
import { consumerHandlers } from './consumer/handlers.ts';
import type { GroupsEnvironment, GroupTopic, GroupWorld } from './group.ts';
import { listingHandlers } from './listing-handlers.ts';
import { resume, suspend } from './move.ts';
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
