import type { LoggedRecord } from '../../src/sandbox/broker/log/records.ts';
import type { Consuming, Printed } from './consuming.ts';
import type { Produced } from './producing.ts';
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

/**
 * Every record exactly once and in the order of the input within its partition; of a production that failed, what was
 * acknowledged, and nothing that leaves out what came before it. Reported offsets are where the records are.
 */
export function checkProduced(world: World, partitions: number, all: readonly Produced[], failures: string[]): void {
  const logs = logsOf(world, partitions);
  for (const one of all) {
    const own = new Set(one.values);
    const places = new Map<string, { partition: number; offset: number }>();
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
    checkReport(one, places, failures);
    if (one.error === undefined) {
      const missing = one.values.filter((value) => !places.has(value));
      if (missing.length > 0) failures.push(`${missing.length} records are not in the log, the first is ${missing[0]}`);
      if (one.acknowledged.length !== one.values.length)
        failures.push(`${one.acknowledged.length} of ${one.values.length} records are reported`);
    } else if (one.plan.deliveryTimeoutMs === undefined) {
      failures.push(`a production fails although everything was healed: ${String(one.error)}`);
    }
  }
}

function checkReport(
  { acknowledged }: Produced,
  places: ReadonlyMap<string, { readonly partition: number; readonly offset: number }>,
  failures: string[],
): void {
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

/** What was printed is what the log holds, each record once and in order within its partition. */
export function checkConsumed(world: World, partitions: number, one: Consuming, failures: string[]): void {
  if (one.error !== undefined)
    failures.push(`a consumption fails although everything was healed: ${String(one.error)}`);
  for (const [partition, log] of logsOf(world, partitions).entries()) {
    const expected = log.filter((record) => !(one.plan.readCommitted && record.isAborted));
    const printed = one.printed.filter((record) => record.partition === partition);
    const name = `${one.name} partition ${partition}`;
    compare(name, printed, expected, failures);
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

/** Every record of the log was printed by some member, as it is in the log; no member printed a record out of order. */
export function checkGroup(world: World, partitions: number, members: readonly Consuming[], failures: string[]): void {
  for (const one of members) {
    if (one.error !== undefined)
      failures.push(`${one.name} fails although everything was healed: ${String(one.error)}`);
  }
  for (const [partition, log] of logsOf(world, partitions).entries()) {
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
        printed.add(record.offset);
      }
    }
    const isWanted = (record: LoggedRecord): boolean => !(record.isAborted && members.some(readsCommitted));
    const missing = log.filter((record) => isWanted(record) && !printed.has(record.offset));
    if (missing.length > 0)
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
 */
export function checkCommits(
  world: World,
  committed: readonly (number | undefined)[],
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
    if (printed.size > 0 && (offset === undefined || offset <= last))
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
