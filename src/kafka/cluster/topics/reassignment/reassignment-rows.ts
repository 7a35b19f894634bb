import type { ItemError } from '../../../../errors.ts';
import { int64, listOf, maybe, type RowOf, row, string, whole } from '../../../../shape/shape.ts';
import type { Placed } from './placement.ts';
import type { Throttle, ThrottleMemory } from './throttle-memory.ts';

/** A call to plan where replicas shall be. */
export interface PlanCall {
  readonly topics: readonly string[];
  /** Empty: every broker. */
  readonly brokers: readonly number[];
  /** Undefined: as many as each partition has. */
  readonly replicas: number | undefined;
  /** Whether to spread the replicas of a partition over racks. */
  readonly racks: boolean;
}

/** Where the replicas of a partition are and shall be. */
export const ReplicaMove = row({
  topic: string,
  partition: whole,
  /** The preferred leader first. */
  old_replicas: listOf(whole),
  new_replicas: listOf(whole),
});
export type ReplicaMove = RowOf<typeof ReplicaMove>;

/** A move that is canceled, or a topic of which no partition moves. */
export const CanceledMove = row({ ...ReplicaMove.fields, partition: maybe(whole) });
export type CanceledMove = RowOf<typeof CanceledMove>;

/** A move that was made, and why it was not. */
export type StartedMove = ReplicaMove & { readonly error: ItemError | null };

/** New places of replicas to compare with the cluster. */
export interface MovesCall {
  readonly partitions: readonly Placed[];
  /** Accepts partitions that are being reassigned already. */
  readonly additional: boolean;
}

/** Replicas to move. */
export interface ReassignCall {
  readonly moves: readonly ReplicaMove[];
  /** Limits what each broker sends and receives for the moves; undefined: no limit. */
  readonly throttle: Throttle | undefined;
  /** Called after the throttle is set; if it fails, nothing is moved. */
  readonly beforeMoves?: () => Promise<void>;
}

/** A partition that is being reassigned. */
export const MovingPartition = row({
  topic: string,
  partition: whole,
  /** All replicas: those that stay, are added and are removed. */
  replicas: listOf(whole),
  adding: listOf(whole),
  removing: listOf(whole),
  /** Bytes on the disks of the added replicas; null if a broker did not report them. */
  copied_bytes: maybe(int64),
  /** Bytes that the added replicas will have, as far as the leader has them now; null if it did not report them. */
  total_bytes: maybe(int64),
});
export type MovingPartition = RowOf<typeof MovingPartition>;

/** A call to remove the throttles of partitions that are not being reassigned. */
export interface UnthrottleCall {
  /** Undefined: every topic. */
  readonly topics: readonly string[] | undefined;
  readonly memory: ThrottleMemory;
}

/** What the removal of throttles has done. */
export interface Unthrottled {
  /** The topics whose throttled replicas were removed. */
  readonly topics: readonly string[];
  /** The brokers that have the rate again that was set before. */
  readonly restored: readonly number[];
  readonly left: readonly LeftThrottle[];
}

/** A throttle that stays. */
export interface LeftThrottle {
  /** What stays, and why. */
  readonly what: string;
  /** The commands that remove or restore it. */
  readonly commands: readonly string[];
}

/** A call to watch reassignments. */
export interface WatchCall {
  /** Undefined: every topic. */
  readonly topics: readonly string[] | undefined;
  /** The longest time to watch, in milliseconds; without it: no limit. */
  readonly forMs?: number | undefined;
}
