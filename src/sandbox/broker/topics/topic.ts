import type { Partition } from '../replication/partition.ts';

/** A topic as the controller keeps it. */
export interface Topic {
  readonly name: string;
  readonly id: string;
  readonly isInternal: boolean;
  readonly partitions: Partition[];
  /** What was set; the rest has defaults. */
  readonly configs: Map<string, string>;
}
