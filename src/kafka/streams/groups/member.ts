import type { CliError } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import type { Balancer } from './balancer-words.ts';
import { type CommittedOffset, type Committer, committedOffsets, type PartitionOffset } from './commits.ts';
import type { CoordinatorRequests } from './coordinator-requests.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { TopicPartition, TopicPartitions } from './subscription.ts';

/** The protocol type of processes that copy together; their shares have the form of those of consumers. */
export const copyMembers = 'weir-copy';

/** What sets members that are no consumers apart: the coordinator keeps them from sharing a group with others. */
export interface MemberKind {
  /** The protocol type; that of consumers is `consumer`. */
  readonly type: string;
  /** What they do together; those who do something else are others. */
  readonly purpose: string;
  /** Makes the error for a group that has others as members. */
  occupied(): CliError;
}

/** The options of a member of the classic protocol. */
export interface MembershipOptions {
  readonly group: string;
  /** The id of a static member; undefined for a dynamic member, which the group forgets when it leaves. */
  readonly instanceId: string | undefined;
  /** In order of preference; the group uses one that all members support. */
  readonly balancers: readonly Balancer[];
  /** Undefined for consumers. */
  readonly kind?: MemberKind | undefined;
  /** How long the membership lasts without a heartbeat answer, in milliseconds; the retry timeout applies if longer. */
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly heartbeatMs: number;
  /** Returns the topics to subscribe to; called before every join. */
  topics(): readonly string[];
  /** Called when `needsRejoin` or `failure` has changed. */
  onChange(): void;
}

/** The options of a member of the consumer protocol. */
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

/** The result of a rebalance for a member. */
export interface JoinedShare {
  readonly share: readonly TopicPartitions[];
  /** The partitions that the member has owned without interruption, so that it may continue reading where it was. */
  readonly held: readonly TopicPartitions[];
}

/** The result of a commit. */
export interface CommitOutcome {
  readonly committed: readonly PartitionOffset[];
  /** Partitions that the coordinator does not know. */
  readonly unknown: readonly PartitionOffset[];
  /**
   * Why the other offsets are not committed. `rebalancing`: they can be committed after the rebalance. `lost`: the
   * member no longer owns the partitions.
   */
  readonly refused: 'rebalancing' | 'lost' | undefined;
}

/** The membership in a consumer group, with either protocol. */
export interface GroupMembership {
  /** Joins or rejoins the group and waits for the assignment. @throws CliError CLOSED after the member has left */
  join(): Promise<JoinedShare>;
  /** Whether the group is rebalancing or has forgotten this member. */
  readonly needsRejoin: boolean;
  /**
   * The partition counts of all members' topics when this member assigned them (0: unknown topic). The member must
   * watch them for changes; empty for a member that does not assign.
   */
  readonly watched: ReadonlyMap<string, number>;
  /** Why the membership has ended. */
  readonly failure: unknown;
  /** Asks for a rebalance, for example when a topic has grown. */
  requestRejoin(): void;
  /** Commits the offsets of partitions that the member owns. @throws CliError for an error of a topic or the group */
  commit(offsets: readonly PartitionOffset[]): Promise<CommitOutcome>;
  /** Who commits what the member owns, for commits of another kind; undefined while it owns nothing. */
  readonly committer: Committer | undefined;
  /** Reads the committed offsets; returns an offset or an error code for each partition. */
  committed(items: readonly TopicPartition[]): Promise<readonly CommittedOffset[]>;
  /**
   * Returns a promise if the session may have ended unnoticed, so that others may own the partitions; it resolves when
   * the coordinator has answered, or the membership has ended.
   */
  confirmed(): Promise<void> | undefined;
  /** Retries a waiting commit at once, because the member is about to leave. */
  hurry(): void;
  /** Resolves when no join is in progress. */
  settled(): Promise<void>;
  /**
   * Stops heartbeats and joins, and leaves the group. A static member remains in the group, so that it can return
   * without a rebalance.
   * @param limitMs how long leaving may take, in milliseconds; nothing continues after it
   */
  leave(limitMs?: number): Promise<void>;
}

/** What the members of both protocols have. */
interface Member {
  readonly client: Client;
  readonly options: Pick<MembershipOptions, 'group' | 'onChange'>;
  readonly state: { needsRejoin: boolean; readonly failure: unknown; readonly settled: Promise<void> };
  readonly requests: CoordinatorRequests;
  readonly heartbeats: Heartbeats;
}

/** What a protocol does its own way. */
interface Protocol<Own extends Member> {
  join(member: Own): Promise<JoinedShare>;
  commit(member: Own, offsets: readonly PartitionOffset[]): Promise<CommitOutcome>;
  committer(member: Own): Committer | undefined;
  watched(member: Own): ReadonlyMap<string, number>;
  leave(member: Own, limitMs: number): Promise<void>;
}

/** The membership of a member with its protocol. */
export function membershipOf<Own extends Member>(member: Own, protocol: Protocol<Own>): GroupMembership {
  const { client, options, state, requests, heartbeats } = member;
  return {
    get needsRejoin() {
      return state.needsRejoin;
    },
    get watched() {
      return protocol.watched(member);
    },
    get failure() {
      return state.failure;
    },
    requestRejoin() {
      state.needsRejoin = true;
      options.onChange();
    },
    join: () => protocol.join(member),
    commit: (offsets) => protocol.commit(member, offsets),
    get committer() {
      return protocol.committer(member);
    },
    committed: (items) => committedOffsets(client, options.group, items, requests.repeat),
    confirmed: heartbeats.confirmed,
    hurry: requests.hurry,
    settled: () => state.settled,
    leave: (limitMs = leaveLimitMs) => protocol.leave(member, limitMs),
  };
}

/** How long leaving may take, in milliseconds; after that, the session timeout removes the member. */
export const leaveLimitMs = 2_000;
