import { joinError } from '../../../kafka/wire/apis/join-group.ts';
import { syncError } from '../../../kafka/wire/apis/sync-group.ts';
import { codes } from '../error-codes.ts';
import { isClassic, restored } from './classic/membership.ts';
import { watch as watchClassic } from './classic/rebalance.ts';
import { watch as watchConsumer } from './consumer/heartbeat.ts';
import { isConsumer } from './consumer/membership.ts';
import type { Group } from './group.ts';

/** Suspends a group that has lost its coordinator: stops its timers and refuses waiting requests. */
export function suspend(group: Group): void {
  group.timers.cancelAll();
  if (!isClassic(group)) return;
  const waiting = [...group.membership.members.values()];
  group.membership = restored(group.membership);
  for (const { memberId, joining, syncing } of waiting) {
    joining?.(joinError(codes.NOT_COORDINATOR, memberId));
    syncing?.(syncError(codes.NOT_COORDINATOR));
  }
}

/** Resumes a group at its new coordinator, from the state in the log, with a new session for every member. */
export function resume(group: Group): void {
  group.timers.cancelAll();
  if (isClassic(group)) for (const member of group.membership.members.values()) watchClassic(group, member);
  if (isConsumer(group)) for (const member of group.membership.members.values()) watchConsumer(group, member);
}
