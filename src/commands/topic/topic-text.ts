import { type Column, columnTable, errorColumn } from '../../format/columns.ts';
import { count } from '../../format/count.ts';
import { statusText } from '../../format/status.ts';
import { type Cell, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import type {
  DetailedTopicRow,
  ListedTopicRow,
  PartitionRow,
  TopicRow,
} from '../../kafka/cluster/topics/topic-rows.ts';

/** The style of a listing: `topic list` and `cluster info` spell two columns differently. */
export interface ListingStyle {
  /** Joins the words of `OFFLINE_REPLICAS` and `LOAD_ERROR`, as in rpk. */
  readonly joiner: '_' | '-';
  /** Adds the preferred leader and the in-sync replicas. */
  readonly wide: boolean;
}

/** One line per topic that a command changed: its name and what became of it. */
export function statusTable<T extends { readonly topic: string }>(
  rows: readonly T[],
  statusOf: (row: T) => Cell,
  view: View,
): string {
  const cells = rows.map((row) => [row.topic, statusOf(row)]);
  return table(['topic', 'status'], cells, view);
}

/** The rows with or without their partitions. */
export function listedTopics(rows: readonly DetailedTopicRow[], detailed: boolean): readonly ListedTopicRow[] {
  return detailed ? rows : rows.map(({ partition_list: _, ...topic }) => topic);
}

/** A table of topics, or one table per topic if they have partitions. */
export function topicListing(rows: readonly ListedTopicRow[], view: View, style: ListingStyle): string {
  const detailed = rows.filter((row): row is DetailedTopicRow => row.partition_list !== undefined);
  return detailed.length > 0 ? detailedTopics(detailed, view, style) : topicTable(rows, view);
}

/** One line per topic, with a column ERROR if a topic has one. */
function topicTable(rows: readonly TopicRow[], view: View): string {
  return columnTable(
    rows,
    [
      ['name', ({ name }) => name],
      ['partitions', ({ partitions }) => partitions],
      ['replicas', ({ replicas }) => replicas],
      errorColumn(rows),
    ],
    view,
  );
}

/** A line and a nested table per topic, with an empty line between topics. */
function detailedTopics(rows: readonly DetailedTopicRow[], view: View, style: ListingStyle): string {
  return rows
    .map((row) => {
      const { name, internal, partitions, replicas, error } = row;
      if (error !== null) return `${name}: ${statusText(error)}\n`;
      const title = `${name}${internal ? ' (internal)' : ''}, ${count(partitions, 'partition')}, ${count(replicas, 'replica')}\n`;
      const columns = partitionColumns(row.partition_list, style);
      return title + columnTable(row.partition_list, [['', () => ''], ...columns], view);
    })
    .join('\n');
}

/** The partition columns of all listings; optional ones appear only if a row needs them. */
export function partitionColumns<T extends PartitionRow>(
  rows: readonly T[],
  { joiner, wide }: ListingStyle,
): readonly Column<T>[] {
  return [
    ['partition', ({ partition }) => partition],
    ['leader', ({ leader }) => leader],
    ['epoch', ({ epoch }) => epoch, rows.some(({ epoch }) => epoch !== null)],
    ['replicas', ({ replicas }) => replicas],
    ['preferred leader', (row) => row.preferred_leader, wide],
    ['isr', ({ isr }) => isr, wide],
    [
      `offline${joiner}replicas`,
      (row) => row.offline_replicas,
      rows.some(({ offline_replicas: offline }) => offline.length > 0),
    ],
    [`load${joiner}error`, (row) => row.load_error, rows.some(({ load_error: error }) => error !== null)],
  ];
}
