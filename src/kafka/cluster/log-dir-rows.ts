import type { ItemError } from '../../errors.ts';

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
export interface LogDirRow {
  /** Null for a topic that does not exist. */
  readonly broker: number | null;
  readonly dir: string | null;
  readonly topic: string | null;
  readonly partition: number | null;
  /** Bytes on disk; null if they cannot be read. */
  readonly size: bigint | null;
  /** How far the replica is behind, in records; null for sums. */
  readonly offset_lag: bigint | null;
  /** Whether the replica is a copy that will replace the one in another directory of the broker; null for sums. */
  readonly is_future: boolean | null;
  /** The size of the directory's volume, in rows for directories; null if unknown. */
  readonly total_bytes: bigint | null;
  /** The free space of the directory's volume, in rows for directories; null if unknown. */
  readonly usable_bytes: bigint | null;
  readonly error: ItemError | null;
}

/** The calls about log directories. */
export interface LogDirCalls {
  /**
   * Describes the log directories with one request per broker. A broker, a directory or a topic that cannot be
   * described has a row with its error.
   */
  describeLogDirs(call: DescribeLogDirsCall): Promise<LogDirRow[]>;
}
