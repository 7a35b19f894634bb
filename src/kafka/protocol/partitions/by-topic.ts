import { partitionName } from '../../../format/partition-name.ts';

/** Groups items by topic, the layout that most requests use. */
export function groupByTopic<Item extends { readonly topic: string }>(
  items: Iterable<Item>,
): readonly (readonly [topic: string, items: readonly Item[]])[] {
  return [...Map.groupBy(items, ({ topic }) => topic)];
}

/** The rows of an answer about partitions, each with the name of its partition, as `Question.rows` wants them. */
export function rowsByPartition<Row extends { readonly partitionIndex: number }>(
  topics: readonly { readonly name: string; readonly partitions: readonly Row[] }[],
): readonly (readonly [partition: string, row: Row])[] {
  return topics.flatMap(({ name: topic, partitions }) =>
    partitions.map((row) => [partitionName({ topic, partition: row.partitionIndex }), row] as const),
  );
}

/** The order of partitions: by topic, then by number; what is about a whole topic comes before its partitions. */
export function byPartition(a: AnyPartition, b: AnyPartition): number {
  if (a.topic === b.topic) return (a.partition ?? -1) - (b.partition ?? -1);
  return a.topic < b.topic ? -1 : 1;
}

interface AnyPartition {
  readonly topic: string;
  readonly partition?: number | null | undefined;
}
