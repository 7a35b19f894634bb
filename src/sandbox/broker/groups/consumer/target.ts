import type { ConsumerGroup, GroupsEnvironment, GroupTopic } from '../group.ts';
import { assignors, type Candidate } from './assignors.ts';
import type { ConsumerMember, ConsumerMembership } from './membership.ts';
import { noShare } from './share.ts';

/** Returns the existing topics that a member subscribes to, by name or by pattern. */
export function topicsOf(environment: GroupsEnvironment, member: ConsumerMember): readonly GroupTopic[] {
  const named = member.subscribedTopicNames.flatMap((name) => environment.topic(name) ?? []);
  const pattern = patternOf(member.subscribedTopicRegex ?? '');
  if (member.subscribedTopicRegex === undefined || member.subscribedTopicRegex === '' || pattern === undefined) {
    return named;
  }
  const more = environment.topics().filter(({ name }) => pattern.test(name) && !named.some((one) => one.name === name));
  return [...named, ...more];
}

/** Compiles a pattern for whole names; undefined when invalid. Kafka uses RE2; this supports the JavaScript subset. */
export function patternOf(text: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${text})$`, 'v');
  } catch {
    return undefined;
  }
}

/** Increments the group epoch if subscriptions or topics have changed, and computes the target of a new epoch. */
export function renewTarget(environment: GroupsEnvironment, group: ConsumerGroup, hasChanged: boolean): void {
  const { membership } = group;
  const seen = topicsSeen(environment, membership);
  if (hasChanged || membership.groupEpoch === 0 || seen !== membership.topicsSeen) membership.groupEpoch += 1;
  membership.topicsSeen = seen;
  if (membership.groupEpoch === membership.assignmentEpoch) return;
  const name = preferredAssignor(membership);
  const candidates: readonly Candidate[] = [...membership.members.values()].map((member) => ({
    memberId: member.memberId,
    topics: topicsOf(environment, member),
    held: membership.target.get(member.memberId) ?? noShare,
  }));
  membership.target = assignors[name]?.(candidates) ?? new Map();
  membership.assignorName = name;
  membership.assignmentEpoch = membership.groupEpoch;
}

function topicsSeen(environment: GroupsEnvironment, { members }: ConsumerMembership): string {
  const seen = new Set<string>();
  for (const member of members.values()) {
    for (const { id, partitions } of topicsOf(environment, member)) seen.add(`${id}=${partitions}`);
  }
  return [...seen].sort().join();
}

/** Returns the assignor that most members request. */
function preferredAssignor({ members }: ConsumerMembership): string {
  const votes = new Map<string, number>();
  for (const { serverAssignor } of members.values()) {
    if (serverAssignor !== undefined) votes.set(serverAssignor, (votes.get(serverAssignor) ?? 0) + 1);
  }
  const [best] = [...votes].sort(([, left], [, right]) => right - left);
  return best?.[0] ?? Object.keys(assignors)[0] ?? '';
}
