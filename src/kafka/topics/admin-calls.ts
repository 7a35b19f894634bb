import type { AddPartitionsCall, GrownTopicRow } from './add-partitions.ts';
import type { AlterConfigsCall, AlteredTopicRow } from './alter-configs.ts';
import type { ElectionRow, ElectLeadersCall } from './elections.ts';
import type { TrimRow } from './topic-rows.ts';
import type { TrimTarget } from './trim.ts';

/** The calls of the broker data API that change topics after their creation. Every row carries its own error. */
export interface TopicAdminCalls {
  /** Changes configs of topics; returns rows sorted by name. */
  alterTopicConfigs(call: AlterConfigsCall): Promise<AlteredTopicRow[]>;
  /**
   * Adds partitions to topics; returns rows sorted by name.
   * @throws CliError (exit 6) before any change if a topic is internal and `force` is not set
   */
  addPartitions(call: AddPartitionsCall): Promise<GrownTopicRow[]>;
  /** Elects leaders where they are needed; returns rows sorted by topic and partition. */
  electLeaders(call: ElectLeadersCall): Promise<ElectionRow[]>;
  /** Finds out what a trim would do; returns rows sorted by topic and partition. */
  planTrim(targets: readonly TrimTarget[]): Promise<TrimRow[]>;
  /** Deletes the oldest records as planned; returns the rows of the plan with their results. */
  trim(plan: readonly TrimRow[]): Promise<TrimRow[]>;
}
