import type { Clock } from '../../../clock.ts';
import { type ClassicMembership, emptyClassic } from './classic/membership.ts';
import type { ConsumerMembership } from './consumer/membership.ts';
import { createOffsetStore, type OffsetStore } from './offsets/store.ts';
import type { GroupSettings } from './settings.ts';

/** The properties of a topic that group coordinators need. */
export interface GroupTopic {
  readonly name: string;
  /** The 16 bytes of its id in hex or base64, which are only compared. */
  readonly id: string;
  readonly partitions: number;
}

/** The topic lookups that group coordinators need. */
interface GroupTopics {
  topic(name: string): GroupTopic | undefined;
  topicById(id: string): GroupTopic | undefined;
  /** All topics, in a stable order. */
  topics(): readonly GroupTopic[];
}

/** Everything that group coordinators need from their cluster. */
export interface GroupsEnvironment extends GroupTopics {
  readonly clock: Clock;
  readonly settings: GroupSettings;
  /** Checks whether the group has a coordinator that is up. */
  isCoordinated(groupId: string): boolean;
}

/** The sender of a request. */
export interface Caller {
  readonly clientId: string;
  /** The address in Kafka's notation, such as `/127.0.0.1`. */
  readonly clientHost: string;
  readonly apiVersion: number;
}

/** A group: its offsets and its members, which use one of two protocols. */
export interface Group {
  readonly groupId: string;
  readonly offsets: OffsetStore;
  readonly timers: Timers;
  readonly settings: GroupSettings;
  membership: ClassicMembership | ConsumerMembership;
}

/** The environment and the groups, which every request about members needs. */
export interface GroupWorld {
  readonly environment: GroupsEnvironment;
  readonly groups: Map<string, Group>;
}

/** Creates a random member id from the randomness of the clock. */
export function newMemberId({ environment }: GroupWorld, prefix: string): string {
  const word = (): string =>
    Math.floor(environment.clock.random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  return `${prefix}-${word()}-${word()}-${word()}-${word()}`;
}

/** Returns the group with this id, creating an empty one if necessary. */
export function groupOf({ environment, groups }: GroupWorld, groupId: string): Group {
  const existing = groups.get(groupId);
  if (existing !== undefined) return existing;
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

/** Switches a group, which must have no members, to the other protocol. */
export function turnInto(group: Group, membership: Group['membership']): void {
  group.timers.cancelAll();
  group.membership = membership;
}

/** A group with classic members. */
export type ClassicGroup = Group & { readonly membership: ClassicMembership };

/** Checks whether a group uses the classic protocol, which is also true of a new group. */
export function isClassic(group: Group): group is ClassicGroup {
  return group.membership.type === 'classic';
}

/** A group with members of the consumer protocol. */
export type ConsumerGroup = Group & { membership: ConsumerMembership };

/** Checks whether a group uses the consumer protocol. */
export function isConsumer(group: Group): group is ConsumerGroup {
  return group.membership.type === 'consumer';
}

/** The named timers of one group; setting a timer replaces the previous one with its name. */
interface Timers {
  set(name: string, milliseconds: number, call: () => void): void;
  has(name: string): boolean;
  cancel(name: string): void;
  cancelAll(): void;
}

/** Creates timers that only fire while `isAlive` holds, because a dead coordinator does nothing. */
function createTimers(clock: Clock, isAlive: () => boolean): Timers {
  const running = new Map<string, () => void>();
  const cancel = (name: string): void => {
    running.get(name)?.();
    running.delete(name);
  };
  return {
    set(name, milliseconds, call) {
      cancel(name);
      const stop = clock.after(milliseconds, () => {
        running.delete(name);
        if (isAlive()) call();
      });
      running.set(name, stop);
    },
    has: (name) => running.has(name),
    cancel,
    cancelAll() {
      for (const name of [...running.keys()]) cancel(name);
    },
  };
}
