import { type Column, errorIfAny, tableOf } from '../../cli/forms/columns.ts';
import { spaced } from '../../format/pieces.ts';
import { type Section, sections } from '../../format/sections.ts';
import { statusCell, statusText } from '../../format/status.ts';
import { type Cell, pairs, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import type {
  DescribedPartition,
  DescribedTopic,
  PartitionSize,
  TopicConfig,
  TopicSummary,
} from '../../kafka/cluster/topics/topic-rows.ts';
import { partitionColumns } from './topic-text.ts';

/** Which sections are shown. */
interface ShownSections {
  readonly summary: boolean;
  readonly configs: boolean;
  readonly partitions: boolean;
  readonly sizes: boolean;
  /** Adds columns. */
  readonly isWide?: boolean;
}

/** The sections of each topic, with an empty line between topics. */
export function descriptions(rows: readonly DescribedTopic[], shown: ShownSections, view: View): Iterable<string> {
  return spaced(rows, (row) => sections(sectionsOf(row, shown, view), view));
}

function sectionsOf(row: DescribedTopic, shown: ShownSections, view: View): Section[] {
  const { summary, configs, configs_error: error, partitions, sizes } = row;
  const summarySection = { title: 'summary', body: summaryText(summary, view) };
  if (summary.error !== null) return [summarySection];
  const { isWide = false } = shown;
  return [
    ...(shown.summary ? [summarySection] : []),
    ...(shown.configs
      ? [{ title: 'configs', body: error ? `${statusText(error)}\n` : configsText(configs, view) }]
      : []),
    ...(shown.partitions ? [{ title: 'partitions', body: partitionsText(partitions, view, isWide) }] : []),
    ...(shown.sizes ? [{ title: 'sizes', body: sizesText(sizes ?? [], view, isWide) }] : []),
  ];
}

function summaryText({ name, internal, partitions, replicas, error }: TopicSummary, view: View): string {
  const rows: [string, Cell][] = [['NAME', name]];
  if (internal) rows.push(['INTERNAL', true]);
  rows.push(['PARTITIONS', partitions]);
  if (partitions > 0) rows.push(['REPLICAS', replicas]);
  if (error) rows.push(['ERROR', statusCell(error)]);
  return pairs(rows, view);
}

function configsText(configs: readonly TopicConfig[], view: View): string {
  const rows = configs.map(({ key, value, source, sensitive }) => [
    key,
    sensitive ? '(sensitive)' : (value ?? ''),
    source,
  ]);
  return table(['key', 'value', 'source'], rows, view);
}

function partitionsText(rows: readonly DescribedPartition[], view: View, wide: boolean): string {
  const offset = (value: bigint | null, { error }: DescribedPartition): Cell =>
    value ?? (error.length === 0 ? '-' : error.join(','));
  const isBehind = (row: DescribedPartition): boolean =>
    row.last_stable_offset !== null && row.last_stable_offset !== row.high_watermark;
  const columns: readonly Column<DescribedPartition>[] = [
    ...partitionColumns({ joiner: '-', wide }),
    ['log start offset', (row) => offset(row.log_start_offset, row)],
    ['last stable offset', (row) => offset(row.last_stable_offset, row), (all) => all.some(isBehind)],
    ['high watermark', (row) => offset(row.high_watermark, row)],
    ['records', (row) => offset(row.records, row), () => wide],
  ];
  return tableOf(rows, columns, view);
}

/** One line per replica. */
function sizesText(rows: readonly PartitionSize[], view: View, wide: boolean): string {
  const all = rows.flatMap(({ partition, replicas }) => replicas.map((replica) => ({ partition, ...replica })));
  return tableOf(
    all,
    ['partition', 'broker', 'bytes', 'lag', ['dir', ({ dir }) => dir, () => wide], errorIfAny()],
    view,
  );
}
