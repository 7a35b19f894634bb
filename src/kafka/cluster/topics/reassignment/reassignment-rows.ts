import { itemError } from '../../../../shape/item-error.ts';
import { int64, listOf, maybe, type RowOf, row, string, truth, whole, word } from '../../../../shape/shape.ts';
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
const places = {
  topic: string,
  partition: whole,
  /** The preferred leader first. */
  old_replicas: listOf(whole),
  new_replicas: listOf(whole),
};

/** One planned partition. */
export const plannedPartition = row(places);

/** One planned partition. */
export type PlannedRow = RowOf<typeof plannedPartition>;

/** A call to compare new places of replicas with the cluster. */
export interface MovesCall {
  readonly partitions: readonly Placed[];
  /** Accepts partitions that are being reassigned already. */
  readonly additional: boolean;
  readonly dryRun: boolean;
}

/** A call to move replicas. */
export interface ReassignCall {
  /** The moves, as `planMoves` returns them. */
  readonly rows: readonly ReassignedRow[];
  /** Limits what each broker sends and receives for the moves; undefined: no limit. */
  readonly throttle: Throttle | undefined;
  /** Changes nothing: brokers check whether the throttle may be set. */
  readonly dryRun: boolean;
  /** Called with what is about to be moved, after the throttle is set; if it fails, nothing is moved. */
  readonly beforeMoves?: (rows: readonly PlannedRow[]) => Promise<void>;
}

/** The result of changing or canceling one reassignment. */
export const reassignedPartition = row({
  ...places,
  status: word('OK', 'NOT_NEEDED', 'ERROR'),
  dry_run: truth,
  error: itemError,
});

/** The result of changing or canceling one reassignment. */
export type ReassignedRow = RowOf<typeof reassignedPartition>;

/** A partition that is being reassigned. */
export const movingPartition = row({
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

/** A partition that is being reassigned. */
export type ReassignmentRow = RowOf<typeof movingPartition>;

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

/** A call to cancel reassignments. */
export interface CancelCall {
  readonly topics: readonly string[] | undefined;
  readonly dryRun: boolean;
}
