import { CliError } from '../../../src/errors.ts';
import type { TakenBatch } from '../exchanges.ts';
import type { Acknowledged, Produced } from '../producing.ts';
import type { World } from '../world.ts';
import { cutsOff, epochAt } from './elections.ts';

/** The place of a value in the logs. */
export interface Location {
  readonly partition: number;
  readonly offset: number;
}

/** Checks that every record that a failed production has written was reported, or is counted by the error. */
export function checkNamed(one: Produced, places: ReadonlyMap<string, Location>, failures: string[]): void {
  const { error, acknowledged, plan } = one;
  if (!(error instanceof CliError) || /those of \d+ more partitions/.test(error.message)) return;
  const named = new Map<number, number>();
  for (const [, records, topic, partition] of error.message.matchAll(namedRecords)) {
    if (topic === plan.topic) named.set(Number(partition), Number(records?.replaceAll(',', '')));
  }
  const reported = new Set(acknowledged.map(({ value }) => value));
  const silent = [...places].filter(([value]) => !reported.has(value));
  for (const [partition, own] of Map.groupBy(silent, ([, place]) => place.partition)) {
    const count = named.get(partition) ?? 0;
    if (own.length > count)
      failures.push(
        `${own.length} records of partition ${partition} are written, ${own[0]?.[0]} is the first, and not reported; the error names ${count}: ${error.message}`,
      );
  }
}

const namedRecords = /([\d,]+) records? of topic "([^"]+)" partition (\d+)/g;

/**
 * Checks a report with acks 1: it contains what leaders have acknowledged, with their offsets, and each record is at
 * its offset unless a later leader did not have it.
 */
export function checkAcknowledgedByLeaders(
  world: World,
  { acknowledged, plan }: Produced,
  { batches, places }: { readonly batches: readonly TakenBatch[]; readonly places: ReadonlyMap<string, Location> },
  failures: string[],
): void {
  for (const [partition, own] of Map.groupBy(acknowledged, (one: Acknowledged) => one.partition)) {
    const taken = batches
      .filter((batch) => batch.partition === partition)
      .flatMap(({ baseOffset, count, at }) => Array.from({ length: count }, (_, index) => [baseOffset + index, at]));
    const { elections } = world.cluster.control.partition(plan.topic, partition);
    for (const [index, { value, offset }] of own.entries()) {
      const [takenAt = -1, at = 0] = taken[index] ?? [];
      if (offset !== takenAt) failures.push(`${value} is reported at ${offset}, the leader said ${takenAt}`);
      const isThere = places.get(value)?.offset === offset && places.get(value)?.partition === partition;
      const leaderEpoch = epochAt(elections, at);
      const isCutOff = elections.some((election) => cutsOff(election, { offset, leaderEpoch }));
      if (!isThere && !isCutOff) failures.push(`${value} was acknowledged at ${offset} and no election has cut it off`);
    }
  }
}
