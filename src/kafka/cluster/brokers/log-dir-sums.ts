import type { DescribeLogDirsCall, LogDirAggregation, LogDirRow } from './log-dir-rows.ts';

/** The columns that rows have in common when they are added up. */
const kept: Readonly<Record<LogDirAggregation, readonly ('dir' | 'topic' | 'partition')[]>> = {
  partition: ['dir', 'topic', 'partition'],
  topic: ['dir', 'topic'],
  dir: ['dir'],
  broker: [],
};

/**
 * Adds up rows and sorts them. Rows with an error stay as they are. Rows of directories count as empty; they are left
 * out where each row is about a topic.
 */
export function aggregated(
  rows: readonly LogDirRow[],
  { aggregateInto, sortBySize }: Pick<DescribeLogDirsCall, 'aggregateInto' | 'sortBySize'>,
): LogDirRow[] {
  const failed = rows.filter(({ error }) => error !== null);
  const good = rows.filter(({ error }) => error === null);
  const isAboutTopics = aggregateInto === 'partition' || aggregateInto === 'topic';
  const parts = isAboutTopics ? good.filter(({ topic }) => topic !== null) : good.filter(isOnDisk(aggregateInto));
  const all = [...(aggregateInto === 'partition' ? parts : sums(parts, aggregateInto)), ...failed];
  return all.sort((a, b) => (sortBySize ? bySize(a, b) : 0) || byPlace(a, b));
}

/**
 * The bucket of Redpanda's tiered storage is a directory in which every replica reports the whole remote log
 * (`kafka/server/handlers/describe_log_dirs.cc`): the sum of a broker leaves it out.
 */
function isOnDisk(into: LogDirAggregation): (row: LogDirRow) => boolean {
  return ({ dir }) => into !== 'broker' || dir?.startsWith('remote://') !== true;
}

function sums(rows: readonly LogDirRow[], into: LogDirAggregation): LogDirRow[] {
  const columns = kept[into];
  const groups = Map.groupBy(rows, (row) => JSON.stringify([row.broker, ...columns.map((column) => row[column])]));
  return [...groups.values()].map((group) => sumOf(group, into));
}

function sumOf(group: readonly LogDirRow[], into: LogDirAggregation): LogDirRow {
  const [first] = group as readonly [LogDirRow];
  const volume = into === 'dir' ? group.find(({ topic }) => topic === null) : undefined;
  return {
    broker: first.broker,
    dir: into === 'broker' ? null : first.dir,
    topic: into === 'topic' ? first.topic : null,
    partition: null,
    size: group.reduce((sum, { size }) => sum + (size ?? 0n), 0n),
    offset_lag: null,
    is_future: null,
    total_bytes: volume?.total_bytes ?? null,
    usable_bytes: volume?.usable_bytes ?? null,
    error: null,
  };
}

/** Largest first; rows without a size come last. */
function bySize(a: LogDirRow, b: LogDirRow): number {
  const [one, other] = [a.size ?? -1n, b.size ?? -1n];
  return one === other ? 0 : one > other ? -1 : 1;
}

function byPlace(a: LogDirRow, b: LogDirRow): number {
  return (
    compare(a.broker, b.broker) ||
    compare(a.dir, b.dir) ||
    compare(a.topic, b.topic) ||
    compare(a.partition, b.partition) ||
    // A future replica follows the one that it will replace.
    compare(a.is_future, b.is_future)
  );
}

/** Null comes first. */
function compare<T extends string | number | boolean>(a: T | null, b: T | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}
