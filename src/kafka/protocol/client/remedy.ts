import { kafkaErrorKind } from '../errors.ts';
import { codes } from '../wire/error-codes.ts';

/**
 * What to do before a request, or an item in it, is retried: find the leader, the coordinator or the controller again,
 * or only wait for the pause of the retry rule (`again`).
 */
export type Remedy = 'leader' | 'coordinator' | 'controller' | 'again';

/** Codes for a request that reached the wrong broker, with the role to find again, as the protocol guide describes. */
const roles: ReadonlyMap<number, Remedy> = new Map([
  // the client's metadata may be older or newer than the broker's
  [codes.UNKNOWN_TOPIC_OR_PARTITION, 'leader'],
  [codes.LEADER_NOT_AVAILABLE, 'leader'],
  [codes.NOT_LEADER_OR_FOLLOWER, 'leader'],
  [codes.REPLICA_NOT_AVAILABLE, 'leader'],
  [codes.KAFKA_STORAGE_ERROR, 'leader'],
  [codes.LISTENER_NOT_FOUND, 'leader'],
  [codes.FENCED_LEADER_EPOCH, 'leader'],
  [codes.UNKNOWN_LEADER_EPOCH, 'leader'],
  [codes.UNKNOWN_TOPIC_ID, 'leader'],
  [codes.INCONSISTENT_TOPIC_ID, 'leader'],
  [codes.COORDINATOR_NOT_AVAILABLE, 'coordinator'],
  [codes.NOT_COORDINATOR, 'coordinator'],
  [codes.NOT_CONTROLLER, 'controller'],
]);

/** Codes that mean that nothing was done: even a request that must not be carried out twice may be sent again. */
const notDone: ReadonlySet<number> = new Set([
  codes.UNKNOWN_TOPIC_OR_PARTITION,
  codes.LEADER_NOT_AVAILABLE,
  codes.NOT_LEADER_OR_FOLLOWER,
  codes.COORDINATOR_LOAD_IN_PROGRESS,
  codes.COORDINATOR_NOT_AVAILABLE,
  codes.NOT_COORDINATOR,
  codes.NOT_ENOUGH_REPLICAS,
  codes.NOT_CONTROLLER,
  codes.CONCURRENT_TRANSACTIONS,
  codes.KAFKA_STORAGE_ERROR,
  codes.LISTENER_NOT_FOUND,
  codes.FENCED_LEADER_EPOCH,
  codes.UNKNOWN_LEADER_EPOCH,
  codes.THROTTLING_QUOTA_EXCEEDED,
  codes.UNKNOWN_TOPIC_ID,
]);

/** What to do about an error code before a retry; undefined when a retry does not help. */
export function remedyOf(code: number): Remedy | undefined {
  return roles.get(code) ?? (kafkaErrorKind(code).retriable ? 'again' : undefined);
}

/** Whether a code means that the broker has done nothing. */
export function isNotDone(code: number): boolean {
  return notDone.has(code);
}
