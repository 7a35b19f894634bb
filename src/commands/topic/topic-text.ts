import { type Column, errorIfAny, tableOf } from '../../cli/forms/columns.ts';
import { count } from '../../format/count.ts';
import { statusText } from '../../format/status.ts';
import type { View } from '../../format/view.ts';
import type {
  DetailedTopic,
  ListedPartition,
  ListedTopic,
  TopicSummary,
} from '../../kafka/cluster/topics/topic-rows.ts';

/** The style of a listing: `topic list` and `cluster info` spell two columns differently. */
export interface ListingStyle {
  /** Joins the words of `OFFLINE_REPLICAS` and `LOAD_ERROR`, as in rpk. */
  readonly joiner: '_' | '-';
  /** Adds the preferred leader and the in-sync replicas. */
  readonly wide: boolean;
}

/** The rows with or without their partitions. */
export function listedTopics(rows: readonly DetailedTopic[], detailed: boolean): readonly ListedTopic[] {
  return detailed ? rows : rows.map(({ partition_list: _, ...topic }) => topic);
}

/** A table of topics, or one table per topic if they have partitions. */
export function topicListing(rows: readonly ListedTopic[], view: View, style: ListingStyle): string {
  const detailed = rows.filter((row): row is DetailedTopic => row.partition_list !== undefined);
  return detailed.length > 0 ? detailedTopics(detailed, view, style) : tableOf(rows, topicColumns, view);
}

const topicColumns: readonly Column<TopicSummary>[] = ['name', 'partitions', 'replicas', errorIfAny()];

/** A line and a nested table per topic, with an empty line between topics. */
function detailedTopics(rows: readonly DetailedTopic[], view: View, style: ListingStyle): string {
  return rows
    .map((row) => {
      const { name, internal, partitions, replicas, error } = row;
      if (error !== null) return `${name}: ${statusText(error)}\n`;
      const title = `${name}${internal ? ' (internal)' : ''}, ${count(partitions, 'partition')}, ${count(replicas, 'replica')}\n`;
      return title + tableOf(row.partition_list, [['', () => ''], ...partitionColumns(style)], view);
    })
    .join('\n');
}

/** The partition columns of all listings; optional ones appear only if a row needs them. */
export function partitionColumns({ joiner, wide }: ListingStyle): readonly Column<ListedPartition>[] {
  return [
    'partition',
    'leader',
    ['epoch', ({ epoch }) => epoch, (rows) => rows.some(({ epoch }) => epoch !== null)],
    'replicas',
    ['preferred leader', (row) => row.preferred_leader, () => wide],
    ['isr', ({ isr }) => isr, () => wide],
    [
      `offline${joiner}replicas`,
      (row) => row.offline_replicas,
      (rows) => rows.some(({ offline_replicas: offline }) => offline.length > 0),
    ],
    [`load${joiner}error`, (row) => row.load_error, (rows) => rows.some(({ load_error: error }) => error !== null)],
  ];
}
