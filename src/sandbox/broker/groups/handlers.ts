import type { Cluster } from '../cluster-parts.ts';
import type { Handler } from '../serve/handler.ts';
import { classicHandlers } from './classic/handlers.ts';
import { consumerHandlers } from './consumer/handlers.ts';
import type { GroupsEnvironment, GroupTopics, GroupWorld } from './group.ts';
import { listingHandlers } from './listing-handlers.ts';
import { resume, suspend } from './move.ts';
import { offsetHandlers } from './offsets/handlers.ts';
import { defaultGroupSettings, type GroupSettings } from './settings.ts';

/** What the group coordinators of a cluster are made of. */
export interface GroupsOptions {
  readonly cluster: Cluster;
  readonly topics: GroupTopics;
  readonly settings?: Partial<GroupSettings>;
}

/** The group coordinators of a cluster: how its brokers answer every API about groups. */
export function groupHandlers({ cluster, topics, settings }: GroupsOptions): readonly Handler[] {
  const environment: GroupsEnvironment = {
    clock: cluster.clock,
    settings: { ...defaultGroupSettings, ...settings },
    topic: (name) => topics.topic(name),
    topicById: (id) => topics.topicById(id),
    topics: () => topics.topics(),
  };
  const world: GroupWorld = { environment, groups: new Map() };
  followMoves(cluster, world);
  cluster.transactionalOffsets = {
    complete({ group, producerId, committed }) {
      world.groups.get(group)?.offsets.endTransaction(producerId, committed);
    },
  };
  return [...classicHandlers(world), ...consumerHandlers(world), ...offsetHandlers(world), ...listingHandlers(world)];
}

/** The log of a group is on every replica of its partition: whoever leads that goes on with the group. */
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
