/** A set of partitions, keyed by topic id. */
export type Share = ReadonlyMap<string, ReadonlySet<number>>;

/** The progress of a member toward its target assignment (KIP-848). */
type MemberState = 'stable' | 'unrevoked' | 'unreleased';

/** A member of the consumer protocol, which is immutable and replaced on each change. */
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

/** The membership of a group of the consumer protocol. All of it is in the log and survives a change of coordinator. */
export interface ConsumerMembership {
  readonly type: 'consumer';
  groupEpoch: number;
  assignmentEpoch: number;
  /** The assignor that computed the target assignment. */
  assignorName: string;
  readonly members: Map<string, ConsumerMember>;
  /** The target assignment of each member. */
  target: ReadonlyMap<string, Share>;
  /** The subscribed topics at the last increment of the group epoch. */
  topicsSeen: string;
}

/** Creates a membership without members. */
export function emptyConsumer(): ConsumerMembership {
  return {
    type: 'consumer',
    groupEpoch: 0,
    assignmentEpoch: 0,
    assignorName: 'uniform',
    members: new Map(),
    target: new Map(),
    topicsSeen: '',
  };
}

/** The epochs with which a member leaves: permanently, or temporarily as a static member. */
export const leaving = { forGood: -1, forAWhile: -2 } as const;

/** Finds the static member with this instance id. */
export function memberOfInstance({ members }: ConsumerMembership, instanceId: string): ConsumerMember | undefined {
  for (const member of members.values()) if (member.instanceId === instanceId) return member;
  return undefined;
}

/** Returns the state of the group, as Kafka names it. */
export function stateOf({ members, groupEpoch, assignmentEpoch }: ConsumerMembership): string {
  if (members.size === 0) return 'Empty';
  if (groupEpoch > assignmentEpoch) return 'Assigning';
  const isThere = (member: ConsumerMember) => member.state === 'stable' && member.memberEpoch === assignmentEpoch;
  return [...members.values()].every(isThere) ? 'Stable' : 'Reconciling';
}
