import type { Balancer } from './balancers.ts';
import type { PartitionOffset } from './commits.ts';
import type { TopicPartitions } from './subscription.ts';

/** How a member takes part in its group. */
export interface MembershipOptions {
  readonly group: string;
  /** Static membership; undefined for a member that is forgotten when it leaves. */
  readonly instanceId: string | undefined;
  /** In order of preference; the group uses one that every member knows. */
  readonly balancers: readonly Balancer[];
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly heartbeatMs: number;
  /** The topics to subscribe to, asked before every join. */
  topics(): readonly string[];
  /** Called when `needsRejoin` or `failure` changed. */
  onChange(): void;
}

/** How a member takes part in a group of the consumer protocol. */
export interface ConsumerMembershipOptions
  extends Pick<MembershipOptions, 'group' | 'instanceId' | 'rebalanceTimeoutMs' | 'topics' | 'onChange'> {
  /** The coordinator's assignor; undefined for its default. */
  readonly assignor: string | undefined;
  /** '' for none. */
  readonly rack: string;
}

/** What a member got from a rebalance. */
export interface JoinedShare {
  readonly share: readonly TopicPartitions[];
  /** What was the member's all the time, so that it may read on there; nothing when the group had forgotten it. */
  readonly held: readonly TopicPartitions[];
}

/** A member of a consumer group, of either protocol. */
export interface GroupMembership {
  /** Joins, or joins again, and waits for the assignment. */
  join(): Promise<JoinedShare>;
  /** The group is rebalancing, or has forgotten this member. */
  readonly needsRejoin: boolean;
  /** Whether this member assigns partitions, and so must watch for new ones. */
  readonly isLeader: boolean;
  /** Why the membership ended for good. */
  readonly failure: unknown;
  /** Asks for a rebalance, for example when a topic has grown. */
  requestRejoin(): void;
  /** Commits; false when the group has moved on, and what is committed is for others to say. */
  commit(offsets: readonly PartitionOffset[]): Promise<boolean>;
  /** What the group has committed; partitions without a commit are absent. */
  committed(share: readonly TopicPartitions[]): Promise<readonly PartitionOffset[]>;
  /** Stops the heartbeats and leaves; a static member stays, so that it can come back without a rebalance. */
  leave(): Promise<void>;
}
