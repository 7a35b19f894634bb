import type { TopicCreation } from '../../cluster/topics/topic-rows.ts';
import type { TopicMetadata } from '../../protocol/client/client.ts';
import { noUuid } from '../../protocol/wire/primitives.ts';
import type { PartitionStart } from '../../streams/consume/position.ts';
import type { ProduceTopic } from '../../streams/produce/topics.ts';
import type { CopiedPartition } from './stored-progress.ts';

/** A topic and its destination, as they are now. */
export interface PlannedPair {
  readonly source: TopicMetadata;
  readonly target: ProduceTopic;
  /** The ids of both topics; '' where brokers report none. */
  readonly sourceId: string;
  readonly targetId: string;
  /** The group in the destination that keeps the progress. */
  readonly group: string;
  /** The name of the source and its cluster, if the group has a name that does not say it. */
  readonly origin: string | undefined;
  /** How far earlier copies got, by partition; kept up to date while this one goes on. */
  readonly copied: Map<number, CopiedPartition>;
  /** How to create the destination; undefined if it exists. */
  readonly creation: TopicCreation | undefined;
  /** Where to begin in each partition; partitions that the source gets later are added. */
  starts: readonly PartitionStart[];
  /** The size in bytes above which the destination takes no batch. */
  readonly maxBatchBytes: number;
}

/** The id of a topic; '' where brokers report none. */
export function idOf(id: string | undefined): string {
  return id === undefined || id === noUuid ? '' : id;
}

/** Whether two ids may be those of one topic. */
export function isSameId(stored: string, id: string): boolean {
  return stored === '' || id === '' || stored === id;
}
