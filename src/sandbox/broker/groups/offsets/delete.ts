import type { OffsetDeleteRequest, OffsetDeleteResponse } from '../../../../kafka/wire/apis/offset-delete.ts';
import { codes } from '../../error-codes.ts';
import { isClassic } from '../classic/membership.ts';
import { subscribedTopics } from '../classic/subscription.ts';
import { isConsumer } from '../consumer/membership.ts';
import { topicsOf } from '../consumer/target.ts';
import type { Group, GroupWorld } from '../group.ts';

/** Deletes committed offsets of topics that no member subscribes to. */
export function deleteOffsets(world: GroupWorld, request: OffsetDeleteRequest): OffsetDeleteResponse {
  const group = world.groups.get(request.groupId);
  if (group === undefined) return { errorCode: codes.GROUP_ID_NOT_FOUND, topics: [] };
  const subscribed = subscribedOf(world, group);
  if (subscribed === undefined) return { errorCode: codes.NON_EMPTY_GROUP, topics: [] };
  const topics = request.topics.map(({ name, partitions }) => ({
    name,
    partitions: partitions.map(({ partitionIndex }) => {
      const count = world.environment.topic(name)?.partitions ?? 0;
      if (partitionIndex >= count) return { partitionIndex, errorCode: codes.UNKNOWN_TOPIC_OR_PARTITION };
      if (subscribed.has(name)) return { partitionIndex, errorCode: codes.GROUP_SUBSCRIBED_TO_TOPIC };
      group.offsets.delete({ topic: name, partition: partitionIndex });
      return { partitionIndex, errorCode: codes.NONE };
    }),
  }));
  return { errorCode: codes.NONE, topics };
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
