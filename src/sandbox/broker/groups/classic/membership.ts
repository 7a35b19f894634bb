import { subscriptionHead } from '../../../../kafka/protocol/wire/apis/join-group.ts';
import { codes } from '../../../../kafka/protocol/wire/error-codes.ts';
import { sourceOf } from '../../../../kafka/protocol/wire/source.ts';
import type { JoinGroupRequest, JoinGroupResponse, SyncGroupResponse } from '../messages.ts';

/** An assignment protocol that a member supports, with its subscription in that protocol's format. */
type Protocol = JoinGroupRequest['protocols'][number];

/** A member of the classic protocol. */
export interface ClassicMember {
  readonly memberId: string;
  readonly groupInstanceId: string | undefined;
  readonly clientId: string;
  readonly clientHost: string;
  sessionTimeoutMs: number;
  rebalanceTimeoutMs: number;
  protocols: readonly Protocol[];
  assignment: Uint8Array;
  /** True until the member completes its first join. */
  isNew: boolean;
  /** Answers the JoinGroup that is waiting for the other members. */
  joining: ((response: JoinGroupResponse) => void) | undefined;
  /** Answers the SyncGroup that is waiting for the leader. */
  syncing: ((response: SyncGroupResponse) => void) | undefined;
}

/** The states of a classic group, as Kafka names them. */
type ClassicState = 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable';

/** The membership of a group of the classic protocol. A simple group, which only has offsets, has an empty one. */
export interface ClassicMembership {
  readonly type: 'classic';
  state: ClassicState;
  previousState: ClassicState;
  generationId: number;
  /** Empty for a simple group. */
  protocolType: string;
  protocolName: string | undefined;
  leader: string;
  members: Map<string, ClassicMember>;
  /** Ids that were assigned but not yet used to join. */
  readonly pendingJoins: Set<string>;
  /** The members that have not sent the SyncGroup of this generation yet. */
  readonly pendingSyncs: Set<string>;
  /** Whether another member joined during the delay of the first rebalance. */
  newMemberAdded: boolean;
  /** The membership in the log, from which a new coordinator continues. */
  kept: KeptMembership;
}

/** A classic membership as written to the log when the leader has synced and when the last member has left. */
interface KeptMembership {
  readonly generationId: number;
  readonly protocolType: string;
  readonly protocolName: string | undefined;
  readonly leader: string;
  readonly members: readonly ClassicMember[];
}

/** Creates a membership without members. */
export function emptyClassic(): ClassicMembership {
  const kept: KeptMembership = { generationId: 0, protocolType: '', protocolName: undefined, leader: '', members: [] };
  return {
    type: 'classic',
    state: 'Empty',
    previousState: 'Empty',
    generationId: 0,
    protocolType: '',
    protocolName: undefined,
    leader: '',
    members: new Map(),
    pendingJoins: new Set(),
    pendingSyncs: new Set(),
    newMemberAdded: false,
    kept,
  };
}

/** Writes the membership to the log. */
export function keep(membership: ClassicMembership): void {
  const { generationId, protocolType, protocolName, leader, members } = membership;
  const copies = [...members.values()].map((member) => ({ ...member, joining: undefined, syncing: undefined }));
  membership.kept = { generationId, protocolType, protocolName, leader, members: copies };
}

/** Restores a membership from the log, as a new coordinator does. */
export function restored({ kept }: ClassicMembership): ClassicMembership {
  const state: ClassicState = kept.members.length === 0 ? 'Empty' : 'Stable';
  const members = new Map(kept.members.map((member) => [member.memberId, { ...member, isNew: false }]));
  return { ...emptyClassic(), ...kept, state, previousState: state, members, kept };
}

/** Finds the static member with this instance id. */
export function staticMember(
  { members }: ClassicMembership,
  groupInstanceId: string | undefined,
): ClassicMember | undefined {
  if (groupInstanceId === undefined) return undefined;
  for (const member of members.values()) if (member.groupInstanceId === groupInstanceId) return member;
  return undefined;
}

/** Returns the error code for a request of a member: NONE, UNKNOWN_MEMBER_ID or FENCED_INSTANCE_ID. */
export function memberError(
  membership: ClassicMembership,
  { memberId, groupInstanceId }: { readonly memberId: string; readonly groupInstanceId: string | undefined },
): number {
  if (groupInstanceId !== undefined) {
    const owner = staticMember(membership, groupInstanceId);
    if (owner === undefined) return codes.UNKNOWN_MEMBER_ID;
    if (owner.memberId !== memberId) return codes.FENCED_INSTANCE_ID;
  }
  return membership.members.has(memberId) ? codes.NONE : codes.UNKNOWN_MEMBER_ID;
}

/** Moves the group to another state. */
export function moveTo(membership: ClassicMembership, state: ClassicState): void {
  membership.previousState = membership.state;
  membership.state = state;
}

/** Counts the members that are waiting for the others to join. */
export function countJoining({ members }: ClassicMembership): number {
  let count = 0;
  for (const member of members.values()) if (member.joining !== undefined) count += 1;
  return count;
}

/** Checks whether a member has a protocol that all other members support. */
export function isSupported(membership: ClassicMembership, protocolType: string, protocols: readonly Protocol[]) {
  if (membership.members.size === 0) return protocolType !== '' && protocols.length > 0;
  return protocolType === membership.protocolType && protocols.some(({ name }) => isKnownToAll(membership, name));
}

/** Selects the protocol with the most votes. Each member votes for the first of its protocols that all support. */
export function selectProtocol(membership: ClassicMembership): string | undefined {
  const votes = new Map<string, number>();
  for (const { protocols } of membership.members.values()) {
    const choice = protocols.find(({ name }) => isKnownToAll(membership, name))?.name;
    if (choice !== undefined) votes.set(choice, (votes.get(choice) ?? 0) + 1);
  }
  let best: string | undefined;
  for (const [name, count] of votes) if (best === undefined || count > (votes.get(best) ?? 0)) best = name;
  return best;
}

function isKnownToAll({ members }: ClassicMembership, wanted: string): boolean {
  for (const { protocols } of members.values()) if (!protocols.some(({ name }) => name === wanted)) return false;
  return true;
}

/** Returns a member's subscription in the group's protocol; empty when it has none. */
export function metadataOf(member: ClassicMember, protocolName: string | undefined): Uint8Array {
  return member.protocols.find(({ name }) => name === protocolName)?.metadata ?? new Uint8Array();
}

/** Checks whether the protocols equal those that the member joined with. */
export function hasSameProtocols(member: ClassicMember, protocols: readonly Protocol[]): boolean {
  return (
    member.protocols.length === protocols.length &&
    member.protocols.every(({ name, metadata }, index) => {
      const other = protocols[index];
      return other?.name === name && Buffer.compare(metadata, other.metadata) === 0;
    })
  );
}

/** Collects the topics that members of a classic consumer group subscribe to. */
export function subscribedTopics({ members, protocolName }: ClassicMembership): ReadonlySet<string> {
  const topics = new Set<string>();
  for (const member of members.values()) {
    for (const name of topicsIn(Buffer.from(metadataOf(member, protocolName)))) topics.add(name);
  }
  return topics;
}

function topicsIn(buffer: Buffer): readonly string[] {
  try {
    return subscriptionHead.read(sourceOf(buffer)).topics;
  } catch {
    return []; // another program's own format
  }
}
