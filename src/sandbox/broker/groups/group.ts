import type { Clock } from '../../../clock.ts';
import { type ClassicMembership, emptyClassic } from './classic/membership.ts';
import type { ConsumerMembership } from './consumer/membership.ts';
import { createOffsetStore, type OffsetStore } from './offsets/store.ts';
import type { GroupSettings } from './settings.ts';
import { createTimers, type Timers } from './timers.ts';

/** A topic as group coordinators need to know it. */
export interface GroupTopic {
  readonly name: string;
  /** The 16 bytes of its id, in hex or base64: only compared. */
  readonly id: string;
  readonly partitions: number;
}

/** The topics of a cluster, as its group coordinators look them up. */
export interface GroupTopics {
  topic(name: string): GroupTopic | undefined;
  topicById(id: string): GroupTopic | undefined;
  /** All topics, in a stable order. */
  topics(): readonly GroupTopic[];
}

/** What group coordinators ask of the cluster they belong to. */
export interface GroupsEnvironment extends GroupTopics {
  readonly clock: Clock;
  readonly settings: GroupSettings;
  /** Whether the broker that coordinates the group runs. */
  isCoordinated(groupId: string): boolean;
}

/** Who sends a request. */
export interface Caller {
  readonly clientId: string;
  /** The address as Kafka shows it: `/127.0.0.1`. */
  readonly clientHost: string;
  readonly apiVersion: number;
}

/** A group: its offsets, and its members by one of the two protocols. */
export interface Group {
  readonly groupId: string;
  readonly offsets: OffsetStore;
  readonly timers: Timers;
  readonly settings: GroupSettings;
  membership: ClassicMembership | ConsumerMembership;
}

/** What every request about members is answered from. */
export interface GroupWorld {
  readonly environment: GroupsEnvironment;
  readonly groups: Map<string, Group>;
}

/** An id for a member, as unlikely to be met twice as the clock's dice allow. */
export function newMemberId({ environment }: GroupWorld, prefix: string): string {
  const word = (): string =>
    Math.floor(environment.clock.random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  return `${prefix}-${word()}-${word()}-${word()}-${word()}`;
}

/** The group of that id; one that does not exist comes to be, without members. */
export function groupOf({ environment, groups }: GroupWorld, groupId: string): Group {
  const known = groups.get(groupId);
  if (known !== undefined) return known;
  const group: Group = {
    groupId,
    offsets: createOffsetStore(),
    timers: createTimers(environment.clock, () => environment.isCoordinated(groupId)),
    settings: environment.settings,
    membership: emptyClassic(),
  };
  groups.set(groupId, group);
  return group;
}

/** Goes over to the other protocol, which only a group without members can. */
export function turnInto(group: Group, membership: Group['membership']): void {
  group.timers.cancelAll();
  group.membership = membership;
}
