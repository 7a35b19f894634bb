import type { LoggedRecord } from '../../sandbox/broker/logged-records.ts';
import type { Consuming } from '../consuming.ts';
import type { AnsweredCommit } from '../exchanges.ts';
import { isBlind, names, type Scenario, topicsOf } from '../scenario.ts';
import type { World } from '../world.ts';
import {
  endsOf,
  isRefusedAtStart,
  logsEver,
  logsOf,
  mayHaveBeenAborted,
  printedIn,
  removedFrom,
  textOf,
} from './logs.ts';
import { isCutUnnoticed } from './lossy.ts';
import { hasGivenUp, type SyncWatch } from './sync.ts';

/**
 * Checks that some member printed every record, exactly as it is in the log. In a run without faults each record must
 * be printed once.
 */
export function checkGroup(
  world: World,
  scenario: Scenario,
  { members, sync }: { readonly members: readonly Consuming[]; readonly sync: SyncWatch },
  failures: string[],
): void {
  const { mode, crashes } = scenario;
  for (const [index, one] of members.entries()) {
    const mayFail = crashes[index] !== undefined || isRefusedAtStart(one.error) || hasGivenUp(sync, one);
    if (one.error !== undefined && mode !== 'impatient' && !mayFail)
      failures.push(`${one.name} fails although everything was repaired: ${String(one.error)}`);
  }
  for (const topic of topicsOf(scenario)) {
    for (const partition of logsOf(world, topic).keys()) {
      checkPartition(world, scenario, { members, topic, partition, failures });
    }
  }
}

interface OfPartition {
  readonly members: readonly Consuming[];
  readonly topic: string;
  readonly partition: number;
  readonly failures: string[];
}

function checkPartition(world: World, scenario: Scenario, { members, topic, partition, failures }: OfPartition): void {
  if (isBlind(scenario)) return;
  const log = logsOf(world, topic)[partition] ?? [];
  const removed = removedFrom(world, partition, topic);
  const { mode } = scenario;
  const mayDiffer = mode === 'lossy' && members.some(({ warnings }) => warnings.length > 0);
  const { elections } = world.cluster.control.partition(topic, partition);
  const byOffset = new Map(logsEver(world, topic)[partition]?.map((record) => [record.offset, record]));
  const printed = new Set<number>();
  for (const one of members) {
    for (const record of printedIn(one, partition, topic)) {
      const logged = byOffset.get(record.offset);
      if (logged === undefined || textOf(logged) !== record.value) {
        if (!mayDiffer && !(mode === 'lossy' && isCutUnnoticed(one, record, elections)))
          failures.push(`${one.name} prints ${record.value} at ${record.offset}, not in partition ${partition}`);
        continue;
      }
      // Where a commit marker was cut off, the next transaction's abort counts for both.
      if (one.plan.readCommitted && logged.isAborted && mode !== 'lossy')
        failures.push(`${one.name} prints ${record.value}, which was aborted`);
      if (isOnce(scenario, members) && printed.has(record.offset)) failures.push(`${record.value} is printed twice`);
      printed.add(record.offset);
    }
  }
  const leavesOut = members.some(({ plan }) => plan.readCommitted);
  // If an election cuts off its marker, a transaction stays open.
  const stable = mode === 'lossy' && leavesOut ? (endsOf(world, true, topic)[partition] ?? 0) : Infinity;
  const isLeftOut = (record: LoggedRecord): boolean =>
    removed.has(record.offset) ||
    (leavesOut && (record.isAborted || (mode === 'lossy' && mayHaveBeenAborted(world, { topic, partition }, record))));
  const missing = log.filter((record) => !isLeftOut(record) && record.offset < stable && !printed.has(record.offset));
  if (missing.length > 0 && mode !== 'impatient' && hasStayed(scenario, members))
    failures.push(
      `${missing.length} records of ${topic} partition ${partition} are printed by no member, the first at ${missing[0]?.offset}`,
    );
}

/** The total duration of outages that never makes a group remove a member, in milliseconds. */
const bearableMs = 20_000;

/**
 * Checks whether no record may be printed twice: no member was killed, failed, was removed for missing heartbeats, or
 * left without its last commit.
 */
function isOnce({ mode, settings, consumers, faults, ...scenario }: Scenario, members: readonly Consuming[]): boolean {
  const { diesAt, crashes, syncFailsMs } = scenario;
  const isHarsh = mode === 'impatient' || mode === 'lossy' || diesAt !== undefined || syncFailsMs !== undefined;
  const isOfConsumers = consumers.some(({ group }) => group?.protocol === 'consumer');
  const isShort = isOfConsumers && settings.consumerSessionTimeoutMs !== undefined;
  const outageMs = faults.reduce((sum, fault) => sum + ('forMs' in fault ? fault.forMs : 1_000), 0);
  const areWell = members.every(({ error, warnings }) => error === undefined && !warnings.some(isUncommitted));
  const isCalm = faults.every(({ kind }) => kind === 'add-partitions');
  return (
    !isHarsh && areWell && crashes.every((at) => at === undefined) && (isCalm || (!isShort && outageMs < bearableMs))
  );
}

/** Checks whether a member joined and was neither stopped nor killed before the work was done. */
function hasStayed({ stops, crashes }: Scenario, members: readonly Consuming[]): boolean {
  return members.some(
    ({ error }, index) => stops[index] === undefined && crashes[index] === undefined && error === undefined,
  );
}

/** Checks each commit that a coordinator accepts: never beyond the printed records and never backwards. */
export function watchCommits(
  world: World,
  scenario: Scenario,
  members: readonly Consuming[],
  failures: string[],
): void {
  const committed = new Map<string, number>();
  const topics = topicsOf(scenario);
  world.onCommit(({ client, group, topic, partition, offset, code }: AnsweredCommit) => {
    if (code !== 0 || group !== names.group || !topics.includes(topic)) return;
    const where = `${topic} partition ${partition}`;
    const before = committed.get(where) ?? 0;
    committed.set(where, offset);
    const mayJump =
      isBlind(scenario) || (scenario.mode === 'lossy' && members.some(({ warnings }) => warnings.length > 0));
    if (offset < before && !mayJump) failures.push(`${client} commits ${offset} of ${where}, where ${before} was`);
    const all = members.flatMap((one) => printedIn(one, partition, topic));
    const printed = new Set(all.map((record) => record.offset));
    const log = logsOf(world, topic)[partition] ?? [];
    const newestEpoch = Math.max(-1, ...all.map(({ leaderEpoch }) => leaderEpoch));
    // Members that have read nothing of the newest leader yet commit in terms of the log before its election.
    const isUnseen = world.cluster.control.partition(topic, partition).leaderEpoch > newestEpoch;
    const isLeftOut = (record: LoggedRecord): boolean =>
      record.isAborted ||
      removedFrom(world, partition, topic).has(record.offset) ||
      (scenario.mode === 'lossy' && (isUnseen || mayHaveBeenAborted(world, { topic, partition }, record)));
    const unread = log.find(
      (record) =>
        record.offset >= before && record.offset < offset && !printed.has(record.offset) && !isLeftOut(record),
    );
    if (unread !== undefined && !mayJump)
      failures.push(`${client} commits ${offset} of ${where}, ${unread.offset} is not printed`);
  });
}

/** Checks for the warning of a member whose last commit came to nothing. */
export function isUncommitted(warning: string): boolean {
  return warning.includes('are not committed');
}

/** The committed offset of a partition at the end. */
export interface Committed {
  readonly topic: string;
  readonly partition: number;
  /** Undefined without a commit. */
  readonly offset: number | undefined;
}

/** Checks the commits at the end: everything printed is committed, because the cluster was healthy by then. */
export function checkCommits(
  world: World,
  { crashes, healAt, mode, settings, faults }: Scenario,
  { committed, members }: { readonly committed: readonly Committed[]; readonly members: readonly Consuming[] },
  failures: string[],
): void {
  const isTold = members.some(({ warnings }) => warnings.some(isUncommitted));
  const late = members.find(({ warnings, endedAt }) => endedAt > healAt + 20_000 && warnings.some(isUncommitted));
  if (late !== undefined && mode !== 'impatient')
    failures.push(`${late.name} could not commit although everything was repaired`);
  const isExact = members.every(({ error }, index) => error === undefined && crashes[index] === undefined) && !isTold;
  for (const { topic, partition, offset = 0 } of isBlind({ mode, settings }) ? [] : committed) {
    const { endOffset } = world.cluster.control.partition(topic, partition);
    if (isExact && offset > endOffset)
      failures.push(`${topic} partition ${partition}: ${offset} is committed, the log ends at ${endOffset}`);
  }
  if (!isExact || mode === 'lossy') return;
  // With a short session, a member may be removed before it commits, and the next one may not have begun at the end.
  if ((settings.consumerSessionTimeoutMs ?? bearableMs) < bearableMs && faults.length > 0) return;
  // Nor may it have read again everything that it printed before it stood still.
  if (faults.some((fault) => fault.kind === 'stand-still' && fault.forMs >= bearableMs)) return;
  for (const { topic, partition, offset } of committed) {
    const printed = members.flatMap((one) => printedIn(one, partition, topic));
    const last = Math.max(-1, ...printed.map((record) => record.offset));
    if (last >= 0 && (offset === undefined || offset <= last))
      failures.push(`${topic} partition ${partition}: ${last} was printed, ${offset ?? 'nothing'} is committed`);
  }
}
