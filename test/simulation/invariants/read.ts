import type { LoggedRecord } from '../../sandbox/broker/logged-records.ts';
import type { Consuming, Printed } from '../consuming.ts';
import { isBlind, names, type Scenario, topicsOf } from '../scenario.ts';
import type { RemovedRecord, World } from '../world.ts';
import { compare } from './compare.ts';
import {
  endsOf,
  isEndless,
  isRefusedAtStart,
  type Logs,
  logsOf,
  mayHaveBeenAborted,
  printedIn,
  removedFrom,
  textOf,
} from './logs.ts';
import { checkLossy, rewindOf } from './lossy.ts';

/** The data for checking the output of a read. */
export interface ReadCheck {
  readonly scenario: Scenario;
  /** The logs at the start of the read. */
  readonly before: Logs;
  readonly failures: string[];
}

/**
 * Checks that a read printed the log, with each record once and in order within its partition. A read that may fail may
 * print only the start. Records that are deleted or compacted may be missing. Records lost by leaders may have been printed
 * before the loss, which must be reported in a warning.
 */
export function checkConsumed(world: World, one: Consuming, check: ReadCheck): void {
  const { scenario, before, failures } = check;
  const { mode } = scenario;
  if (isRefusedAtStart(one.error) || isWithoutSideTopic(one, scenario)) return;
  if (one.error !== undefined && mode !== 'impatient')
    failures.push(`${one.name} fails although everything was repaired: ${String(one.error)}`);
  const ends = endsOf(world, true);
  const isClean = mode !== 'lossy' && one.warnings.find((line) => rewindOf(line) !== undefined);
  if (isClean) failures.push(`${one.name} takes the log for a truncated one: ${isClean}`);
  for (const [partition, log] of logsOf(world).entries()) {
    const full = mode === 'trimmed' ? (before[partition] ?? log) : log;
    // If an election cuts off its marker, a transaction stays open.
    const stable = mode === 'lossy' && one.plan.readCommitted ? (ends[partition] ?? 0) : Number.POSITIVE_INFINITY;
    const expected = full.filter((record) => isWanted(one, record) && record.offset < stable);
    const printed = printedIn(one, partition);
    const name = `${one.name} partition ${partition}`;
    if (isBlind(scenario)) continue;
    if (mode === 'lossy') {
      const { elections } = world.cluster.control.partition(names.topic, partition);
      const seen = new Set(printed.map(({ offset }) => offset));
      const isSkipped = (record: LoggedRecord): boolean =>
        one.plan.readCommitted &&
        !seen.has(record.offset) &&
        mayHaveBeenAborted(world, { topic: names.topic, partition }, record);
      const wanted = expected.filter((record) => !isSkipped(record));
      checkLossy({ name, one, before: before[partition] ?? [], elections }, printed, wanted, failures);
    } else {
      const end = endOf(one, partition, { expected, printed });
      const removed = removedFrom(world, partition);
      if (removed.size > 0) checkTold(one, partition, { expected, printed, removed }, failures);
      const seen = new Set(printed.map(({ offset }) => offset));
      const kept = expected.filter(({ offset }) => seen.has(offset) || !removed.has(offset));
      compare(name, printed, kept.slice(0, end), failures);
    }
  }
  if (one.plan.isRegex && one.error === undefined) checkGrown(world, one, check);
}

/** Checks that topics created later were read from their start. */
function checkGrown(world: World, one: Consuming, { scenario, failures }: ReadCheck): void {
  for (const topic of topicsOf(scenario).filter((other) => other !== names.topic)) {
    for (const [partition, log] of logsOf(world, topic).entries()) {
      compare(`${one.name} ${topic} partition ${partition}`, printedIn(one, partition, topic), log, failures);
    }
  }
}

/** Checks for a read that failed because the second topic was deleted at its start. */
function isWithoutSideTopic({ error, printed }: Consuming, { sideTopicUntil }: Scenario): boolean {
  const isAbout = error instanceof Error && error.message.includes(`topic "${names.sideTopic}"`);
  return sideTopicUntil !== undefined && isAbout && printed.length === 0;
}

const trimmed = /topic "(.*)" partition (\d+) has no offset (\d+) \(earlier records .*\): reading continues at (\d+)$/;

/** The offsets that a reader has said to skip because they are deleted. */
function skippedBy(
  { warnings }: Consuming,
  partition: number,
): readonly { readonly from: number; readonly to: number }[] {
  return warnings.flatMap((line) => {
    const [, topic, where, from, to] = trimmed.exec(line) ?? [];
    return topic === names.topic && Number(where) === partition ? [{ from: Number(from), to: Number(to) }] : [];
  });
}

/** Checks that a reader names what is deleted before it gets there, each offset once. */
function checkTold(
  one: Consuming,
  partition: number,
  { expected, printed, removed }: Removed,
  failures: string[],
): void {
  const skipped = skippedBy(one, partition);
  const name = `${one.name} partition ${partition}`;
  if (skipped.some(({ from }, index) => from < (skipped[index - 1]?.to ?? 0)))
    failures.push(`${name} says more than once that records are deleted`);
  const seen = new Set(printed.map(({ offset }) => offset));
  const [first, last] = [printed[0]?.offset ?? 0, printed.at(-1)?.offset ?? 0];
  const silent = expected.find(
    ({ offset }) =>
      offset > first &&
      offset < last &&
      !seen.has(offset) &&
      removed.get(offset)?.isCompacted === false &&
      !skipped.some(({ from, to }) => from <= offset && offset < to),
  );
  if (silent !== undefined) failures.push(`${name} leaves out ${silent.offset} without a warning`);
}

interface Removed {
  readonly expected: readonly LoggedRecord[];
  readonly printed: readonly Printed[];
  readonly removed: ReadonlyMap<number, RemovedRecord>;
}

function startOf({ plan }: Consuming): number {
  const offset = Number.parseInt(plan.range, 10);
  return Number.isNaN(offset) ? 0 : offset;
}

/** The end of a range of offsets; infinity for other ranges. */
function rangeEndOf({ plan }: Consuming): number {
  const offset = Number.parseInt(plan.range.split(':')[1] ?? '', 10);
  return Number.isNaN(offset) ? Number.POSITIVE_INFINITY : offset;
}

/** Checks whether the plan includes a record of the log. */
export function isWanted(one: Consuming, record: LoggedRecord): boolean {
  const isAsked = record.offset >= startOf(one) && record.offset < rangeEndOf(one);
  return isAsked && !(one.plan.readCommitted && record.isAborted);
}

/** Counts the expected records that must be printed. A read that failed or is bounded may omit the last ones. */
function endOf(
  one: Consuming,
  partition: number,
  { expected, printed }: { readonly expected: readonly LoggedRecord[]; readonly printed: readonly Printed[] },
): number {
  if (one.error !== undefined) return printed.length;
  if (isEndless(one)) return expected.length;
  // The end was looked up shortly after the start of the read.
  const end = one.endsBefore[partition] ?? 0;
  const least = expected.filter(({ offset }) => offset < end).length;
  return Math.max(least, Math.min(printed.length, expected.length));
}

/** Checks whether everything readable was printed by some consumer. */
export function isRead(world: World, scenario: Scenario, consumers: readonly Consuming[]): boolean {
  const printed = new Set(
    consumers.flatMap((one) =>
      one.printed.map(({ topic, partition, offset, value }) => `${topic}/${partition}/${offset}/${value}`),
    ),
  );
  const isPrinted = (topic: string, partition: number, record: LoggedRecord): boolean =>
    !consumers.some((one) => (topic === names.topic || one.plan.isRegex) && isWanted(one, record)) ||
    consumers.some(({ plan }) => plan.readCommitted && record.isAborted) ||
    removedFrom(world, partition, topic).has(record.offset) ||
    printed.has(`${topic}/${partition}/${record.offset}/${textOf(record)}`);
  return topicsOf(scenario).every((topic) =>
    logsOf(world, topic).every((log, partition) => log.every((record) => isPrinted(topic, partition, record))),
  );
}
