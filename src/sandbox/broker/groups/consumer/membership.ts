import type { Group } from '../group.ts';

/** Partitions by the id of their topic. */
export type Share = ReadonlyMap<string, ReadonlySet<number>>;

/** How far a member has come on its way to its target (KIP-848). */
export type MemberState = 'stable' | 'unrevoked' | 'unreleased';

/** A member of the consumer protocol; one that changes is replaced. */
export interface ConsumerMember {
  readonly memberId: string;
  readonly instanceId: string | undefined;
  readonly rackId: string | undefined;
  readonly clientId: string;
  readonly clientHost: string;
  readonly rebalanceTimeoutMs: number;
  readonly subscribedTopicNames: readonly string[];
  readonly subscribedTopicRegex: string | undefined;
  readonly serverAssignor: string | undefined;
  readonly memberEpoch: number;
  readonly previousMemberEpoch: number;
  readonly state: MemberState;
  readonly assigned: Share;
  readonly pendingRevocation: Share;
}

/** The members of a group by the consumer protocol. All of it is in the log, so that it outlives its coordinator. */
export interface ConsumerMembership {
  readonly type: 'consumer';
  groupEpoch: number;
  assignmentEpoch: number;
  /** The assignor that made the target. */
  assignorName: string;
  readonly members: Map<string, ConsumerMember>;
  /** What each member is to have. */
  target: ReadonlyMap<string, Share>;
  /** What the subscribed topics were when the group epoch was last raised. */
  topicsSeen: string;
}

/** A group with members of the consumer protocol. */
export type ConsumerGroup = Group & { membership: ConsumerMembership };

/** Whether its members use the consumer protocol. */
export function isConsumer(group: Group): group is ConsumerGroup {
  return group.membership.type === 'consumer';
}

/** A membership that nobody has joined. */
export function emptyConsumer(): ConsumerMembership {
  return {
    ...{ type: 'consumer', groupEpoch: 0, assignmentEpoch: 0, assignorName: 'uniform' },
    ...{ members: new Map(), target: new Map(), topicsSeen: '' },
  };
}

/** The epochs by which a member leaves: for good, and for a while as a static member. */
export const leaving = { forGood: -1, forAWhile: -2 } as const;

/** The member of that instance id. */
export function memberOfInstance({ members }: ConsumerMembership, instanceId: string): ConsumerMember | undefined {
  for (const member of members.values()) if (member.instanceId === instanceId) return member;
  return undefined;
}

/** The state of the group, as Kafka shows it. */
export function stateOf({ members, groupEpoch, assignmentEpoch }: ConsumerMembership): string {
  if (members.size === 0) return 'Empty';
  if (groupEpoch > assignmentEpoch) return 'Assigning';
  const isThere = (member: ConsumerMember) => member.state === 'stable' && member.memberEpoch === assignmentEpoch;
  return [...members.values()].every(isThere) ? 'Stable' : 'Reconciling';
}
