import type { Consuming } from '../consuming.ts';
import { names } from '../scenario.ts';
import type { World } from '../world.ts';
import { isUncommitted } from './group.ts';

/** What the coordinator answered to the last commit of a member. */
export interface LastCommit {
  /** The time of the answer, on the clock. */
  readonly at: number;
  readonly code: number;
}

/** UNKNOWN_MEMBER_ID and FENCED_MEMBER_EPOCH: the group has removed the member. */
const removed: ReadonlySet<number> = new Set([25, 110]);

/** Notes the answer to the last commit of each client. */
export function watchLastCommits({ clock, onCommit }: World): ReadonlyMap<string, LastCommit> {
  const last = new Map<string, LastCommit>();
  onCommit(({ client, group, code }) => {
    if (group === names.group) last.set(client, { at: clock.now(), code });
  });
  return last;
}

/** A member that was stopped, and whose last commit was refused because the group has removed it, says so. */
export function checkFarewells(
  members: readonly Consuming[],
  last: ReadonlyMap<string, LastCommit>,
  failures: string[],
): void {
  for (const { name, error, stoppedAt, warnings } of members) {
    const commit = last.get(name);
    if (error !== undefined || stoppedAt === undefined || commit === undefined || commit.at < stoppedAt) continue;
    if (removed.has(commit.code) && !warnings.some(isUncommitted))
      failures.push(`${name} was removed from the group and does not say that its last offsets are not committed`);
  }
}
