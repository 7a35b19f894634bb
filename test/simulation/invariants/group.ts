import type { Consuming } from '../consuming.ts';
import type { TakenCommit } from '../exchanges.ts';
import { names, type Scenario } from '../scenario.ts';
import type { World } from '../world.ts';
import { isRefusedAtStart, logsOf, textOf } from './logs.ts';

/**
 * Every record of the log was printed by some member, as it is in the log, if one of them was there to the end. Where
 * nothing went wrong at all, each of them once.
 */
export function checkGroup(world: World, scenario: Scenario, members: readonly Consuming[], failures: string[]): void {
  const { mode, faults, crashes, consumers } = scenario;
  for (const [index, one] of members.entries()) {
    if (one.error !== undefined && mode !== 'impatient' && crashes[index] === undefined && !isRefusedAtStart(one.error))
      failures.push(`${one.name} fails although everything was healed: ${String(one.error)}`);
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
            failures.push(`${one.name} prints ${record.value} at ${record.offset}, not in partition ${partition}`);
          continue;
        }
        if (one.plan.readCommitted && logged.isAborted)
          failures.push(`${one.name} prints ${record.value}, which was aborted`);
        if (isCalm && printed.has(record.offset)) failures.push(`${record.value} is printed twice`);
        printed.add(record.offset);
      }
    }
    const leavesOut = members.some(({ plan }) => plan.readCommitted);
    const missing = log.filter((record) => !(leavesOut && record.isAborted) && !printed.has(record.offset));
    if (missing.length > 0 && mode !== 'impatient' && hasStayed(scenario, members))
      failures.push(
        `${missing.length} records of partition ${partition} are printed by no member, the first at ${missing[0]?.offset}`,
      );
  }
}

/** Whether a member has come in and was neither stopped nor killed before all was done. */
function hasStayed({ stops, crashes }: Scenario, members: readonly Consuming[]): boolean {
  return members.some(
    ({ error }, index) => stops[index] === undefined && crashes[index] === undefined && !isRefusedAtStart(error),
  );
}

/** Looks at each commit as the coordinator takes it: nothing beyond what was printed, and never backwards. */
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
      failures.push(`${client} commits ${offset} of partition ${partition}, where ${before} was committed`);
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
      failures.push(`${client} commits ${offset} of partition ${partition}, ${unread.offset} is not printed`);
  });
}

/** The warning of a member whose last commit came to nothing. */
const uncommitted = /are not committed/;

/**
 * What the group has committed in the end: everything that was printed, as the cluster was well.
 * @param committed the committed offset by partition; undefined where there is none
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
      failures.push(`partition ${partition}: ${last} was printed, ${offset ?? 'nothing'} is committed`);
  }
}
