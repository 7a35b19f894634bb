import type { Partition } from '../replication/partition.ts';

/** A topic at the controller. */
export interface Topic {
  readonly name: string;
  readonly id: string;
  readonly isInternal: boolean;
  readonly partitions: Partition[];
  /** The configs set on the topic; all others have defaults. */
  readonly configs: Map<string, string>;
}
