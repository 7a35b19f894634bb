import type { Balancer } from './balancers.ts';
import type { CommittedOffset, PartitionOffset } from './commits.ts';
import type { TopicPartition, TopicPartitions } from './subscription.ts';

/** How a member takes part in its group. */
export interface MembershipOptions {
  readonly group: string;
  /** Static membership; undefined for a member that is forgotten when it leaves. */
  readonly instanceId: string | undefined;
  /** In order of preference; the group uses one that every member knows. */
  readonly balancers: readonly Balancer[];
  /** After so many milliseconds without an answer to a heartbeat the membership ends, or later by the retry rule. */
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
  extends Pick<
    MembershipOptions,
    'group' | 'instanceId' | 'sessionTimeoutMs' | 'rebalanceTimeoutMs' | 'topics' | 'onChange'
  > {
  /** The coordinator's assignor; undefined for its default. */
  readonly assignor: string | undefined;
  /** '' for none. */
  readonly rack: string;
}

/** What a member got from a rebalance. */
export interface JoinedShare {
  readonly share: readonly TopicPartitions[];
  /** What was the member's all the time, so that it may read on there; nothing when others may have had it. */
  readonly held: readonly TopicPartitions[];
}

/** What became of a commit. */
export interface CommitOutcome {
  readonly committed: readonly PartitionOffset[];
  /** Partitions that the coordinator does not know. */
  readonly unknown: readonly PartitionOffset[];
  /**
   * Why others are not committed: `rebalancing`: the commit may be made once the rebalance is over; `lost`: the
   * partitions are no longer the member's.
   */
  readonly refused: 'rebalancing' | 'lost' | undefined;
}

/** A member of a consumer group, of either protocol. */
export interface GroupMembership {
  /** Joins, or joins again, and waits for the assignment. @throws CliError CLOSED once the group was left */
  join(): Promise<JoinedShare>;
  /** The group is rebalancing, or has forgotten this member. */
  readonly needsRejoin: boolean;
  /**
   * How many partitions the topics of all members had when this member assigned them (0: unknown topic), which
   * it must watch; nothing for a member that does not assign.
   */
  readonly watched: ReadonlyMap<string, number>;
  /** Why the membership ended for good. */
  readonly failure: unknown;
  /** Asks for a rebalance, for example when a topic has grown. */
  requestRejoin(): void;
  /** Commits what is the member's own of these. @throws CliError for an error that names a topic or the group */
  commit(offsets: readonly PartitionOffset[]): Promise<CommitOutcome>;
  /** What the group has committed, an answer or an error code for each. */
  committed(items: readonly TopicPartition[]): Promise<readonly CommittedOffset[]>;
  /** Has a commit that waits for its next try made at once: the member is about to leave. */
  hurry(): void;
  /** Resolves when no join is under way. */
  settled(): Promise<void>;
  /**
   * Stops heartbeats and joins, and leaves; a static member stays, so that it can come back without a rebalance.
   * @param limitMs how long that may take; nothing of the membership goes on after it
   */
  leave(limitMs?: number): Promise<void>;
}

/** How long leaving may take, in milliseconds: a coordinator that is gone finds out by the session timeout. */
export const leaveLimitMs = 2_000;
