import type { Consuming } from '../consuming.ts';
import type { TakenCommit } from '../exchanges.ts';
import { names, type Scenario } from '../scenario.ts';
import type { World } from '../world.ts';
import { isRefusedAtStart, logsOf, textOf } from './logs.ts';

/**
 * Checks that some member printed every record, exactly as it is in the log. In a run without faults each record must
 * be printed once.
 */
export function checkGroup(world: World, scenario: Scenario, members: readonly Consuming[], failures: string[]): void {
  const { mode, faults, crashes, consumers } = scenario;
  if (members.every(({ error }) => isRefusedAtStart(error))) return;
  for (const [index, one] of members.entries()) {
    if (one.error !== undefined && mode !== 'impatient' && crashes[index] === undefined && !isRefusedAtStart(one.error))
      failures.push(`${one.name} failed although everything was healed: ${String(one.error)}`);
  }
  const isHarmless = faults.every(({ kind }) => kind === 'add-partitions');
  const isStalled = consumers.some(({ stall }) => stall !== undefined);
  const isCalm = isHarmless && !isStalled && scenario.diesAt === undefined && crashes.every((at) => at === undefined);
  const mayDiffer = mode === 'lossy' && members.some(({ warnings }) => warnings.length > 0);
  for (const [partition, log] of logsOf(world).entries()) {
    const byOffset = new Map(log.map((record) => [record.offset, record]));
    const printed = new Set<number>();
    for (const one of members) {
      for (const record of one.printed.filter((candidate) => candidate.partition === partition)) {
        const logged = byOffset.get(record.offset);
        if (logged === undefined || textOf(logged) !== record.value) {
          if (!mayDiffer)
            failures.push(
              `${one.name} printed ${record.value} at ${record.offset}, which is not in partition ${partition}`,
            );
          continue;
        }
        if (one.plan.readCommitted && logged.isAborted)
          failures.push(`${one.name} printed ${record.value}, which was aborted`);
        if (isCalm && printed.has(record.offset)) failures.push(`${record.value} was printed twice`);
        printed.add(record.offset);
      }
    }
    const leavesOut = members.some(({ plan }) => plan.readCommitted);
    const missing = log.filter((record) => !(leavesOut && record.isAborted) && !printed.has(record.offset));
    if (missing.length > 0 && mode !== 'impatient')
      failures.push(
        `no member printed ${missing.length} records of partition ${partition}, the first at ${missing[0]?.offset}`,
      );
  }
}

/** Checks each commit that a coordinator accepts: never beyond the printed records and never backwards. */
export function watchCommits(
  world: World,
  { mode }: Scenario,
  members: readonly Consuming[],
  failures: string[],
): void {
  const committed = new Map<number, number>();
  world.onCommit((commit: TakenCommit) => {
    const { client, group, topic, partition, offset } = commit;
    if (group !== names.group || topic !== names.topic) return;
    const before = committed.get(partition) ?? 0;
    committed.set(partition, offset);
    const mayJump = mode === 'lossy' && members.some(({ warnings }) => warnings.length > 0);
    if (offset < before && !mayJump)
      failures.push(`${client} committed ${offset} of partition ${partition} after ${before}`);
    const printed = new Set(
      members.flatMap((one) =>
        one.printed.filter((record) => record.partition === partition).map((record) => record.offset),
      ),
    );
    const log = logsOf(world)[partition] ?? [];
    const unread = log.find(
      (record) => record.offset >= before && record.offset < offset && !printed.has(record.offset) && !record.isAborted,
    );
    if (unread !== undefined && !mayJump)
      failures.push(`${client} committed ${offset} of partition ${partition}, but ${unread.offset} was not printed`);
  });
}

/** The warning of a member whose last commit failed. */
const uncommitted = /are not committed/;

/**
 * Checks that the final commits cover everything that was printed, if the cluster was healthy.
 * @param committed the committed offset by partition; undefined without one
 */
export function checkCommits(
  committed: readonly (number | undefined)[],
  { crashes, healAt, mode }: Scenario,
  members: readonly Consuming[],
  failures: string[],
): void {
  const isTold = members.some(({ warnings }) => warnings.some((line) => uncommitted.test(line)));
  const late = members.find(
    ({ warnings, endedAt }) => endedAt > healAt + 20_000 && warnings.some((line) => uncommitted.test(line)),
  );
  if (late !== undefined && mode !== 'impatient')
    failures.push(`${late.name} could not commit although everything was healed`);
  const isExact = members.every(({ error }, index) => error === undefined && crashes[index] === undefined) && !isTold;
  if (!isExact || mode === 'lossy') return;
  for (const [partition, offset] of committed.entries()) {
    const printed = members.flatMap((one) => one.printed.filter((record) => record.partition === partition));
    const last = Math.max(-1, ...printed.map((record) => record.offset));
    if (last >= 0 && (offset === undefined || offset <= last))
      failures.push(`partition ${partition}: ${last} was printed, but ${offset ?? 'nothing'} is committed`);
  }
}
