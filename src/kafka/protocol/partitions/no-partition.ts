import { type CliError, notFoundError } from '../../../errors.ts';
import { commandText } from '../../../format/shell-word.ts';

/** `topic "t" has no partition 7, it has 2 (0 to 1)` */
export function noPartition(topic: string, partition: number, partitions: number): string {
  return `topic "${topic}" has no partition ${partition}, it has ${partitions} (0 to ${partitions - 1})`;
}

/** What to do about it. */
export function partitionHints(topic: string): readonly string[] {
  return [commandText`list its partitions with: weir topic describe ${topic} -p`];
}

/** The error for a partition that a flag names and the topic does not have. */
export function noPartitionError(topic: string, partition: number, partitions: number): CliError {
  const details = { target: topic, code: 'UNKNOWN_TOPIC_OR_PARTITION', hints: partitionHints(topic) };
  return notFoundError(noPartition(topic, partition, partitions), details);
}
