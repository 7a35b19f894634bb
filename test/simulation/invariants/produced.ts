import { CliError } from '../../../src/errors.ts';
import type { Election } from '../../../src/sandbox/broker/cluster-parts.ts';
import type { LoggedRecord } from '../../sandbox/broker/logged-records.ts';
import type { Produced } from '../producing.ts';
import type { Scenario } from '../scenario.ts';
import type { World } from '../world.ts';
import { checkCommanded } from './commanded.ts';
import { cutsOff } from './elections.ts';
import { isRefusedAtStart, type Logs, logsEver, removedFrom, textOf } from './logs.ts';
import { checkAcknowledgedByLeaders, checkNamed, type Location } from './unsure.ts';

/**
 * Checks that every record is in the log at most once and in input order within its partition. If acknowledged records
 * must not be lost, each must be at its reported location; if all work must complete, no record may be missing.
 */
export function checkProduced(
  world: World,
  { mode, faults, settings }: Scenario,
  all: readonly Produced[],
  failures: string[],
): void {
  for (const one of all) {
    const logs = logsEver(world, one.plan.topic);
    const { command } = one;
    const isInterrupted = command !== undefined && command.signals.length > 0;
    if (one.delivered !== one.acknowledged.length && !isInterrupted)
      failures.push(`${one.delivered} records were delivered, but ${one.acknowledged.length} were reported`);
    const places = locate(world, one, { logs, failures });
    if (command === undefined) checkNamed(one, places, failures);
    const isLeaders = one.plan.acks === 1;
    if (isLeaders) {
      const batches = world.batches.filter(({ client, topic }) => client === one.name && topic === one.plan.topic);
      checkAcknowledgedByLeaders(world, one, { batches, places }, failures);
    }
    const isSure = mode === 'unsure' ? faults.length === 0 : mode !== 'lossy';
    if (isSure) checkReport(one, places, failures);
    const alarm = isSure ? one.warnings.find((line) => /records were lost/.test(line)) : undefined;
    if (alarm !== undefined) failures.push(`${one.name} says that acknowledged records were lost: ${alarm}`);
    if (command !== undefined) checkCommanded(one, command, { places, isSure, isSafe: mode === 'safe' }, failures);
    if (isInterrupted) continue;
    if (mode === 'impatient' || (mode === 'unsure' && one.error !== undefined)) continue;
    if (one.error !== undefined) {
      if (isRefusedAtStart(one.error) && one.acknowledged.length === 0) continue;
      const mayForget = mode === 'lossy' || settings.keepsProducers === false;
      if (mayForget && isUndecided(one.error)) continue;
      failures.push(`a production failed although everything was repaired: ${String(one.error)}`);
      continue;
    }
    const missing = one.values.filter((value) => !places.has(value));
    if (isSure && missing.length > 0)
      failures.push(`${missing.length} records are not in the log, the first is ${missing[0]}`);
    if (mode === 'lossy' && one.warnings.length === 0) checkLosses(one, places, failures);
    if (one.acknowledged.length !== one.values.length)
      failures.push(`only ${one.acknowledged.length} of ${one.values.length} records were reported`);
  }
}

/**
 * Checks for unreported losses between existing records. Such a loss leaves a gap in the sequence numbers, which the
 * broker detects with the next batch, unless it has lost the state of the producer.
 */
function checkLosses(
  { acknowledged, values }: Produced,
  places: ReadonlyMap<string, Location>,
  failures: string[],
): void {
  // In the order of the input: a batch may be acknowledged before an earlier one that is sent again.
  const indexOf = new Map(values.map((value, index) => [value, index]));
  const inOrder = acknowledged.toSorted(
    (one, other) => (indexOf.get(one.value) ?? 0) - (indexOf.get(other.value) ?? 0),
  );
  for (const [, own] of Map.groupBy(inOrder, ({ partition }) => partition)) {
    const isThere = own.map(({ value }) => places.has(value));
    const gap = isThere.indexOf(false, isThere.indexOf(true));
    if (isThere.includes(true) && gap > 0 && isThere.includes(true, gap))
      failures.push(`${own[gap]?.value} was lost between existing records without a warning`);
  }
}

/** Checks for the error that records may or may not be written, because the broker lost the state of the producer. */
function isUndecided(error: unknown): boolean {
  return error instanceof CliError && /may or may not/.test(error.message);
}

/** Counts the records that were announced as possible duplicates. */
export function mayBeTwice(warnings: readonly string[]): number {
  const pattern = /(\d+) records? without an acknowledgement may be duplicated/;
  return warnings.reduce((sum, line) => sum + Number(pattern.exec(line)?.[1] ?? 0), 0);
}

function locate(
  world: World,
  one: Produced,
  { logs, failures }: { readonly logs: Logs; readonly failures: string[] },
): ReadonlyMap<string, Location> {
  const own = new Set(one.values);
  const places = new Map<string, Location>();
  const repeated = new Set<string>();
  for (const [partition, log] of logs.entries()) {
    const removed = removedFrom(world, partition, one.plan.topic);
    const { elections } = world.cluster.control.partition(one.plan.topic, partition);
    const written = log.filter((record) => own.has(textOf(record)));
    const [back, records] = [true, false].map((is) => written.filter((one) => isBack(one, elections) === is));
    let before = '';
    for (const record of records ?? []) {
      const value = textOf(record);
      const earlier = places.get(value);
      places.set(value, { partition, offset: record.offset });
      // A broker that starts with nothing of a producer in its log takes a batch again that was deleted since.
      if (earlier !== undefined && removed.has(earlier.offset)) continue;
      if (earlier !== undefined) {
        repeated.add(value);
        continue;
      }
      if (value < before) failures.push(`${value} comes after ${before} in partition ${partition}`);
      before = value;
    }
    for (const record of back ?? []) {
      if (!places.has(textOf(record))) places.set(textOf(record), { partition, offset: record.offset });
    }
  }
  const announced = mayBeTwice(one.warnings);
  if (repeated.size > announced)
    failures.push(`${[...repeated].join(', ')} are in the log twice, and ${announced} records are announced`);
  return places;
}

/**
 * Checks whether a record is back in the log after an election had cut it off: a replica that kept it was elected
 * later. In between, its producer may have written the value once more.
 */
function isBack(record: LoggedRecord, elections: readonly Election[]): boolean {
  return elections.some((election) => cutsOff(election, record));
}

function checkReport({ acknowledged }: Produced, places: ReadonlyMap<string, Location>, failures: string[]): void {
  const seen = new Set<string>();
  for (const { value, partition, offset } of acknowledged) {
    const place = places.get(value);
    if (seen.has(value)) failures.push(`${value} was reported twice`);
    seen.add(value);
    if (place === undefined) failures.push(`${value} was reported but is not in the log`);
    else if (place.partition !== partition) failures.push(`${value} was reported for another partition`);
    else if (offset >= 0 && place.offset !== offset)
      failures.push(`${value} was reported at ${offset} but is at ${place.offset}`);
  }
}
