import { CliError } from '../../../src/errors.ts';
import type { LoggedRecord } from '../../sandbox/broker/logged-records.ts';
import type { Consuming, Printed } from '../consuming.ts';
import { names } from '../scenario.ts';
import { partitionsOf, type RemovedRecord, type World } from '../world.ts';

/** The committed records of every partition, without markers. */
export type Logs = readonly (readonly LoggedRecord[])[];

/** Returns the current logs of the leaders. */
export function logsOf({ cluster }: World, topic: string = names.topic): Logs {
  return Array.from({ length: partitionsOf(cluster, topic) }, (_, partition) =>
    cluster.control.log(topic, partition).filter(({ isControl }) => !isControl),
  );
}

/**
 * Returns the records that were deleted or compacted at a replica that was the leader then or later, by offset: readers
 * may not get them.
 */
export function removedFrom(
  { removed, cluster }: Pick<World, 'removed' | 'cluster'>,
  partition: number,
  topic: string = names.topic,
): ReadonlyMap<number, RemovedRecord> {
  const all = removed.get(`${topic}/${partition}`);
  if (all === undefined) return new Map();
  const { elections } = cluster.control.partition(topic, partition);
  const isLost = ({ by, at }: RemovedRecord): boolean =>
    elections.some((one, index) => by.has(one.leader) && (elections[index + 1]?.at ?? Infinity) > at);
  return new Map([...all].filter(([, one]) => isLost(one)));
}

/** Returns the current logs of the leaders with the records that were deleted or compacted before. */
export function logsEver(world: World, topic: string = names.topic): Logs {
  return logsOf(world, topic).map((log, partition) => {
    const all = new Map([...removedFrom(world, partition, topic)].map(([offset, { record }]) => [offset, record]));
    if (all.size === 0) return log;
    for (const record of log) all.set(record.offset, record);
    return [...all.values()].filter(({ isControl }) => !isControl).toSorted((a, b) => a.offset - b.offset);
  });
}

/** Returns what was printed of one partition. */
export function printedIn(
  { printed }: Pick<Consuming, 'printed'>,
  partition: number,
  topic: string = names.topic,
): readonly Printed[] {
  return printed.filter((record) => record.partition === partition && record.topic === topic);
}

/** Checks whether only a stop ends the read. */
export function isEndless({ plan }: Pick<Consuming, 'plan'>): boolean {
  return !plan.range.includes(':');
}

/** Returns the value of a record as text. */
export function textOf({ value }: LoggedRecord): string {
  return value?.toString() ?? '';
}

/** Checks for the error of a missing topic. At the start of a command one broker's answer suffices to report a typo. */
export function isRefusedAtStart(error: unknown): boolean {
  return error instanceof CliError && error.message.startsWith('unable to use topic');
}

/** Returns the readable end of each partition: its high watermark, or its last stable offset. */
export function endsOf({ cluster }: World, isCommitted: boolean, topic: string = names.topic): readonly number[] {
  return Array.from({ length: partitionsOf(cluster, topic) }, (_, partition) => {
    const open = new Map<bigint, number>();
    for (const { isControl, isTransactional, producerId, offset } of cluster.control.log(topic, partition)) {
      if (isControl) open.delete(producerId);
      else if (isTransactional && !open.has(producerId)) open.set(producerId, offset);
    }
    const { highWatermark } = cluster.control.partition(topic, partition);
    return isCommitted ? Math.min(highWatermark, ...open.values()) : highWatermark;
  });
}

/**
 * Checks whether a transactional record may have been aborted: an election cut the log between the record and the marker
 * that closes its transaction now. If an abort marker was cut off, the commit of the next transaction counts for both.
 */
export function mayHaveBeenAborted(
  { cluster }: World,
  { topic, partition }: { readonly topic: string; readonly partition: number },
  record: LoggedRecord,
): boolean {
  if (!record.isTransactional) return false;
  const marker = cluster.control
    .log(topic, partition)
    .find((one) => one.isControl && one.producerId === record.producerId && one.offset > record.offset);
  const closedAt = marker?.offset ?? Number.POSITIVE_INFINITY;
  return cluster.control
    .partition(topic, partition)
    .elections.some(
      ({ leaderEpoch, endOffset }) =>
        leaderEpoch > record.leaderEpoch && endOffset > record.offset && endOffset <= closedAt,
    );
}
