import { type Column, errorIfAny, tableOf } from '../../cli/forms/columns.ts';
import { showSize } from '../../format/size.ts';
import { type Cell, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import type { FrequentKey, SampleRow, TopicAnalysis } from '../../kafka/cluster/analysis/analysis-rows.ts';

/** A line for each topic, followed by the keys and partitions if there is only one. */
export function analysisText(rows: readonly TopicAnalysis[], view: View): string {
  return rows.length === 1 ? detailedAnalysis(rows, view) : tableOf(rows, summaryColumns, view);
}

/** A line for each topic, followed by the keys and partitions of each. */
export function detailedAnalysis(rows: readonly TopicAnalysis[], view: View): string {
  const details = rows.filter(({ records }) => records > 0).map((row) => detailsOf(row, rows.length > 1, view));
  return [tableOf(rows, summaryColumns, view), ...details].join('\n');
}

const summaryColumns: readonly Column<TopicAnalysis>[] = [
  'topic',
  'partitions',
  ['records', (row) => `${row.records}${row.is_cut && row.error === null ? ' (limit)' : ''}`],
  ['records/s', (row) => rateCells(row)[0]],
  ['bytes/s', (row) => rateCells(row)[1]],
  ...(['average', 'p50', 'p99', 'max'] as const).map((name): Column<TopicAnalysis> => {
    return [name, (row) => sizeCell(row.record_size?.[name])];
  }),
  ['keys', ({ keys }) => `${keys.is_estimate ? '~' : ''}${keys.distinct}`],
  errorIfAny(),
];

function detailsOf(
  { topic, keys, records, partition_list: partitions }: TopicAnalysis,
  isOneOfMany: boolean,
  view: View,
): string {
  const lines: Cell[][] = keys.top.map((row) => [keyCell(row), row.records, percent(row.share)]);
  if (keys.without_key > 0) lines.push(['(no key)', keys.without_key, percent(keys.without_key / records)]);
  const title = isOneOfMany ? `${topic}\n` : '';
  const keyTable = table(['key', 'records', 'share'], lines, view);
  const partitionTable = tableOf(
    partitions,
    [
      'partition',
      'records',
      ['share', (row) => percent(row.records / records)],
      ['records/s', (row) => rateCells(row)[0]],
      ['bytes/s', (row) => rateCells(row)[1]],
      'batches',
    ],
    view,
  );
  return `${title}${keyTable}\n${partitionTable}`;
}

function rateCells({ records_per_second: records, bytes_per_second: bytes }: SampleRow): readonly [Cell, Cell] {
  return [records === null ? null : Number(records.toPrecision(3)), sizeCell(bytes)];
}

function sizeCell(bytes: number | null | undefined): Cell {
  return bytes === null || bytes === undefined ? null : showSize(bytes);
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))}%`;
}

function keyCell({ key, key_encoding: encoding, is_truncated: isTruncated }: FrequentKey): string {
  return `${encoding === 'base64' ? 'base64:' : ''}${key}${isTruncated ? '…' : ''}`;
}
