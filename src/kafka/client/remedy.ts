import { kafkaErrorKind } from '../errors.ts';

/**
 * What to do before a request, or an item in it, is retried: find the leader, the coordinator or the controller again,
 * or only wait for the pause of the retry rule (`again`).
 */
export type Remedy = 'leader' | 'coordinator' | 'controller' | 'again';

/** Codes for a request that reached the wrong broker, with the role to find again, as the protocol guide describes. */
const roles: ReadonlyMap<number, Remedy> = new Map([
  [3, 'leader'], // UNKNOWN_TOPIC_OR_PARTITION: the client's metadata may be older or newer than the broker's
  [5, 'leader'], // LEADER_NOT_AVAILABLE
  [6, 'leader'], // NOT_LEADER_OR_FOLLOWER
  [9, 'leader'], // REPLICA_NOT_AVAILABLE
  [56, 'leader'], // KAFKA_STORAGE_ERROR
  [72, 'leader'], // LISTENER_NOT_FOUND
  [74, 'leader'], // FENCED_LEADER_EPOCH
  [75, 'leader'], // UNKNOWN_LEADER_EPOCH
  [100, 'leader'], // UNKNOWN_TOPIC_ID
  [103, 'leader'], // INCONSISTENT_TOPIC_ID
  [15, 'coordinator'], // COORDINATOR_NOT_AVAILABLE
  [16, 'coordinator'], // NOT_COORDINATOR
  [41, 'controller'], // NOT_CONTROLLER
]);

/** Codes that mean that nothing was done: even a request that must not be carried out twice may be sent again. */
const notDone: ReadonlySet<number> = new Set([
  3, // UNKNOWN_TOPIC_OR_PARTITION
  5, // LEADER_NOT_AVAILABLE
  6, // NOT_LEADER_OR_FOLLOWER
  14, // COORDINATOR_LOAD_IN_PROGRESS
  15, // COORDINATOR_NOT_AVAILABLE
  16, // NOT_COORDINATOR
  19, // NOT_ENOUGH_REPLICAS
  41, // NOT_CONTROLLER
  51, // CONCURRENT_TRANSACTIONS
  56, // KAFKA_STORAGE_ERROR
  72, // LISTENER_NOT_FOUND
  74, // FENCED_LEADER_EPOCH
  75, // UNKNOWN_LEADER_EPOCH
  89, // THROTTLING_QUOTA_EXCEEDED
  100, // UNKNOWN_TOPIC_ID
]);

/** What to do about an error code before a retry; undefined when a retry does not help. */
export function remedyOf(code: number): Remedy | undefined {
  return roles.get(code) ?? (kafkaErrorKind(code).retriable ? 'again' : undefined);
}

/** Whether a code means that the broker has done nothing. */
export function isNotDone(code: number): boolean {
  return notDone.has(code);
}
