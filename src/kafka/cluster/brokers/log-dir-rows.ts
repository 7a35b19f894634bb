import { itemError } from '../../../shape/item-error.ts';
import { described, int64, maybe, type RowOf, row, string, truth, whole } from '../../../shape/shape.ts';

/** What a row of log directories stands for. */
export type LogDirAggregation = 'partition' | 'topic' | 'dir' | 'broker';

/** Which log directories to describe, and how to add up their sizes. */
export interface DescribeLogDirsCall {
  /** Undefined: every broker. */
  readonly broker: number | undefined;
  /** Empty: every topic. */
  readonly topics: readonly string[];
  readonly aggregateInto: LogDirAggregation;
  /** Sorts by size, largest first, instead of by broker, directory, topic and partition. */
  readonly sortBySize: boolean;
}

/** The size of one replica, or of everything that is added up; null for what does not apply to the row. */
export const LogDirRow = row({
  /** Null for a topic that does not exist. */
  broker: maybe(whole),
  dir: maybe(string),
  topic: maybe(string),
  partition: maybe(whole),
  size: maybe(described(int64, 'bytes on disk; null if they cannot be read')),
  offset_lag: maybe(described(int64, 'how many records the replica is behind; null for sums')),
  /** Whether the replica is a copy that will replace the one in another directory of the broker; null for sums. */
  is_future: maybe(truth),
  total_bytes: maybe(described(int64, 'size of the volume of the directory; in rows for directories')),
  usable_bytes: maybe(described(int64, 'free space of the volume of the directory; in rows for directories')),
  error: itemError,
});
export type LogDirRow = RowOf<typeof LogDirRow>;
