import { CliError } from '../../src/errors.ts';
import type { LoggedRecord } from '../../src/sandbox/broker/log/records.ts';
import type { Consuming, Printed } from './consuming.ts';
import type { Produced } from './producing.ts';
import type { Scenario } from './scenario.ts';
import type { SimulatedClient, World } from './world.ts';

const topic = 'orders';

/** The committed records of every partition, markers left out. */
export function logsOf({ cluster }: World, partitions: number): readonly (readonly LoggedRecord[])[] {
  return Array.from({ length: partitions }, (_, partition) =>
    cluster.control.log(topic, partition).filter(({ isControl }) => !isControl),
  );
}

function textOf({ value }: LoggedRecord): string {
  return value?.toString() ?? '';
}

/** Where a value is in the logs. */
interface Location {
  readonly partition: number;
  readonly offset: number;
}

/**
 * Every record at most once and in the order of the input within its partition, whatever happens. Where nothing that
 * was acknowledged may be lost, what is reported is where the report says; where all work must come to its end, nothing
 * is missing.
 */
export function checkProduced(
  world: World,
  { topic: { partitions }, mode }: Scenario,
  all: readonly Produced[],
  failures: string[],
): void {
  const logs = logsOf(world, partitions);
  for (const one of all) {
    const places = locate(one, logs, failures);
    if (mode === 'safe' || mode === 'impatient') checkReport(one, places, failures);
    if (mode === 'impatient' || (mode === 'unsure' && one.error !== undefined)) continue;
    if (one.error !== undefined) {
      if (mode === 'lossy' && isUndecided(one.error)) continue;
      failures.push(`a production fails although everything was healed: ${String(one.error)}`);
      continue;
    }
    const missing = one.values.filter((value) => !places.has(value));
    if (mode === 'safe' && missing.length > 0)
      failures.push(`${missing.length} records are not in the log, the first is ${missing[0]}`);
    if (mode === 'lossy' && one.warnings.length === 0) checkLosses(one, places, failures);
    if (one.acknowledged.length !== one.values.length)
      failures.push(`${one.acknowledged.length} of ${one.values.length} records are reported`);
  }
}

/**
 * A loss between records that are there leaves a gap in the sequence numbers, which the broker notices with the next
 * batch; a broker that has forgotten the producer notices nothing.
 */
function checkLosses({ acknowledged }: Produced, places: ReadonlyMap<string, Location>, failures: string[]): void {
  for (const [, own] of Map.groupBy(acknowledged, ({ partition }) => partition)) {
    const isThere = own.map(({ value }) => places.has(value));
    const gap = isThere.indexOf(false, isThere.indexOf(true));
    if (isThere.includes(true) && gap > 0 && isThere.includes(true, gap))
      failures.push(`${own[gap]?.value} is lost without a warning, between records that are not`);
  }
}

/** A broker that lost the producer cannot tell what of it was written: that ends in an error that says so. */
function isUndecided(error: unknown): boolean {
  return error instanceof CliError && /may or may not/.test(error.message);
}

function locate(
  one: Produced,
  logs: readonly (readonly LoggedRecord[])[],
  failures: string[],
): ReadonlyMap<string, Location> {
  const own = new Set(one.values);
  const places = new Map<string, Location>();
  for (const [partition, log] of logs.entries()) {
    let before = '';
    for (const record of log) {
      const value = textOf(record);
      if (!own.has(value)) continue;
      if (places.has(value)) failures.push(`${value} is in the log twice`);
      if (value < before) failures.push(`${value} comes after ${before} in partition ${partition}`);
      before = value;
      places.set(value, { partition, offset: record.offset });
    }
  }
  return places;
}

function checkReport({ acknowledged }: Produced, places: ReadonlyMap<string, Location>, failures: string[]): void {
  const seen = new Set<string>();
  for (const { value, partition, offset } of acknowledged) {
    const place = places.get(value);
    if (seen.has(value)) failures.push(`${value} is reported twice`);
    seen.add(value);
    if (place === undefined) failures.push(`${value} is reported and not in the log`);
    else if (place.partition !== partition) failures.push(`${value} is reported for another partition`);
    else if (offset >= 0 && place.offset !== offset)
      failures.push(`${value} is reported at ${offset} and is at ${place.offset}`);
  }
}

/**
 * What was printed is what the log holds, each record once and in order within its partition; of a read that was
 * allowed to fail, the beginning of it.
 */
export function checkConsumed(
  world: World,
  { topic: { partitions }, mode }: Scenario,
  one: Consuming,
  failures: string[],
): void {
  const hasFailed = one.error !== undefined;
  if (hasFailed && mode !== 'impatient')
    failures.push(`a consumption fails although everything was healed: ${String(one.error)}`);
  for (const [partition, log] of logsOf(world, partitions).entries()) {
    const expected = log.filter((record) => !(one.plan.readCommitted && record.isAborted));
    const printed = one.printed.filter((record) => record.partition === partition);
    const name = `${one.name} partition ${partition}`;
    compare(name, printed, hasFailed ? expected.slice(0, printed.length) : expected, failures);
  }
}

function compare(
  name: string,
  printed: readonly Printed[],
  expected: readonly LoggedRecord[],
  failures: string[],
): void {
  for (let index = 0; index < Math.max(printed.length, expected.length); index += 1) {
    const [got, wanted] = [printed[index], expected[index]];
    if (got !== undefined && wanted !== undefined && got.offset === wanted.offset && got.value === textOf(wanted))
      continue;
    const gotText = got === undefined ? 'nothing' : `${got.value} at ${got.offset}`;
    const wantedText = wanted === undefined ? 'nothing' : `${textOf(wanted)} at ${wanted.offset}`;
    failures.push(`${name} prints ${gotText} where the log has ${wantedText} (record ${index} of ${expected.length})`);
    return;
  }
}

/**
 * Every record of the log was printed by some member, as it is in the log. Where nothing went wrong at all, each of
 * them once.
 */
export function checkGroup(world: World, scenario: Scenario, members: readonly Consuming[], failures: string[]): void {
  const { mode, faults, crashes } = scenario;
  for (const [index, one] of members.entries()) {
    if (one.error !== undefined && mode !== 'impatient' && crashes[index] === undefined)
      failures.push(`${one.name} fails although everything was healed: ${String(one.error)}`);
  }
  const isCalm = faults.length === 0 && crashes.every((at) => at === undefined);
  for (const [partition, log] of logsOf(world, scenario.topic.partitions).entries()) {
    const byOffset = new Map(log.map((record) => [record.offset, record]));
    const printed = new Set<number>();
    for (const one of members) {
      for (const record of one.printed.filter((candidate) => candidate.partition === partition)) {
        const logged = byOffset.get(record.offset);
        if (logged === undefined || textOf(logged) !== record.value)
          failures.push(
            `${one.name} prints ${record.value} at ${record.offset}, which is not in partition ${partition}`,
          );
        else if (one.plan.readCommitted && logged.isAborted)
          failures.push(`${one.name} prints ${record.value}, which was aborted`);
        if (isCalm && printed.has(record.offset)) failures.push(`${record.value} is printed twice`);
        printed.add(record.offset);
      }
    }
    const leavesOut = members.some(readsCommitted);
    const missing = log.filter((record) => !(leavesOut && record.isAborted) && !printed.has(record.offset));
    if (missing.length > 0 && mode !== 'impatient')
      failures.push(
        `${missing.length} records of partition ${partition} are printed by no member, the first at ${missing[0]?.offset}`,
      );
  }
}

function readsCommitted({ plan }: Consuming): boolean {
  return plan.readCommitted;
}

/**
 * What the group has committed: nothing that was not printed, and, as the cluster was well in the end, everything that was.
 * @param committed the committed offset by partition; undefined where there is none
 * @param isExact whether all members have ended as they should, so that their last commits are there, too
 */
export function checkCommits(
  world: World,
  { committed, isExact }: { readonly committed: readonly (number | undefined)[]; readonly isExact: boolean },
  members: readonly Consuming[],
  failures: string[],
): void {
  for (const [partition, log] of logsOf(world, committed.length).entries()) {
    const offset = committed[partition];
    const printed = new Set(
      members.flatMap((one) =>
        one.printed.filter((record) => record.partition === partition).map((record) => record.offset),
      ),
    );
    const unread = log.filter(
      (record) => record.offset < (offset ?? 0) && !printed.has(record.offset) && !record.isAborted,
    );
    if (unread.length > 0)
      failures.push(`partition ${partition}: ${offset} is committed, ${unread[0]?.offset} was never printed`);
    const last = Math.max(-1, ...printed);
    if (isExact && printed.size > 0 && (offset === undefined || offset <= last))
      failures.push(`partition ${partition}: ${last} was printed, ${offset ?? 'nothing'} is committed`);
  }
}

/** Nothing stays behind: no timer of a client, no link. */
export function checkLeftovers(world: World, clients: readonly SimulatedClient[], failures: string[]): void {
  for (const { name, timersLeft } of clients) {
    if (timersLeft > 0) failures.push(`${name} leaves ${timersLeft} timers behind`);
  }
  if (world.network.open > 0) failures.push(`${world.network.open} links are left open`);
}

/** Whether all that there is to read was printed, by one of them or another. */
export function isRead(world: World, partitions: number, consumers: readonly Consuming[]): boolean {
  const printed = new Set(
    consumers.flatMap((one) => one.printed.map(({ partition, offset }) => `${partition}/${offset}`)),
  );
  const leavesOut = consumers.some(readsCommitted);
  return logsOf(world, partitions).every((log, partition) =>
    log.every((record) => (leavesOut && record.isAborted) || printed.has(`${partition}/${record.offset}`)),
  );
}
