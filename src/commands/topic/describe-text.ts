import {
  arrayOf,
  booleanSchema,
  integerSchema,
  itemErrorSchema,
  nullable,
  object,
  type Schema,
  string,
} from '../../cli/output/schema.ts';
import { columnTable, errorColumn } from '../../format/columns.ts';
import { spaced } from '../../format/pieces.ts';
import { type Section, sections } from '../../format/sections.ts';
import { statusCell, statusText } from '../../format/status.ts';
import { type Cell, pairs, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import type { PartitionSizeRow } from '../../kafka/topics/sizes.ts';
import type { ConfigRow, PartitionOffsetsRow, TopicDescription, TopicRow } from '../../kafka/topics/topic-rows.ts';
import { partitionColumns, partitionSchema, topicSchema } from './topic-text.ts';

/** A described topic; hidden sections are absent. */
export type ShownTopic = { readonly [K in keyof TopicDescription]?: TopicDescription[K] | undefined };

/** The JSON of `topic describe`: every section of every topic. */
export const describeSchema: Schema = arrayOf(
  object(
    {
      summary: object(topicSchema),
      configs: arrayOf(object({ key: string, value: nullable(string), source: string, sensitive: booleanSchema })),
      configs_error: itemErrorSchema,
      partitions: arrayOf(
        object({
          ...partitionSchema,
          log_start_offset: nullable(integerSchema),
          last_stable_offset: nullable(integerSchema),
          high_watermark: nullable(integerSchema),
          error: arrayOf(string),
        }),
      ),
      sizes: arrayOf(
        object({
          partition: integerSchema,
          bytes: nullable(integerSchema),
          total_bytes: integerSchema,
          replicas: arrayOf(
            object({
              broker: integerSchema,
              bytes: nullable(integerSchema),
              lag: nullable(integerSchema),
              dir: nullable(string),
              error: itemErrorSchema,
            }),
          ),
        }),
      ),
    },
    ['configs_error', 'sizes'],
  ),
);

/** The sections of each topic, with an empty line between topics. */
export function descriptions(rows: readonly ShownTopic[], view: View, wide: boolean): Iterable<string> {
  return spaced(rows, (row) => sections(sectionsOf(row, view, wide), view));
}

function sectionsOf(
  { summary, configs, configs_error: error, partitions, sizes }: ShownTopic,
  view: View,
  wide: boolean,
): Section[] {
  const parts: Section[] = [];
  if (summary) parts.push({ title: 'summary', body: summaryText(summary, view) });
  if (summary?.error) return parts;
  if (configs) parts.push({ title: 'configs', body: error ? `${statusText(error)}\n` : configsText(configs, view) });
  if (partitions) parts.push({ title: 'partitions', body: partitionsText(partitions, view, wide) });
  if (sizes) parts.push({ title: 'sizes', body: sizesText(sizes, view, wide) });
  return parts;
}

function summaryText({ name, internal, partitions, replicas, error }: TopicRow, view: View): string {
  const rows: [string, Cell][] = [['NAME', name]];
  if (internal) rows.push(['INTERNAL', true]);
  rows.push(['PARTITIONS', partitions]);
  if (partitions > 0) rows.push(['REPLICAS', replicas]);
  if (error) rows.push(['ERROR', statusCell(error)]);
  return pairs(rows, view);
}

function configsText(configs: readonly ConfigRow[], view: View): string {
  const rows = configs.map(({ key, value, source, sensitive }) => [
    key,
    sensitive ? '(sensitive)' : (value ?? ''),
    source,
  ]);
  return table(['key', 'value', 'source'], rows, view);
}

function partitionsText(rows: readonly PartitionOffsetsRow[], view: View, wide: boolean): string {
  const offset = (value: bigint | null, { error }: PartitionOffsetsRow): Cell =>
    value ?? (error.length === 0 ? '-' : error.join(','));
  const isBehind = (row: PartitionOffsetsRow): boolean =>
    row.last_stable_offset !== null && row.last_stable_offset !== row.high_watermark;
  return columnTable(
    rows,
    [
      ...partitionColumns(rows, { joiner: '-', wide }),
      ['log start offset', (row) => offset(row.log_start_offset, row)],
      ['last stable offset', (row) => offset(row.last_stable_offset, row), rows.some(isBehind)],
      ['high watermark', (row) => offset(row.high_watermark, row)],
    ],
    view,
  );
}

/** One line per replica. */
function sizesText(rows: readonly PartitionSizeRow[], view: View, wide: boolean): string {
  const all = rows.flatMap(({ partition, replicas }) => replicas.map((replica) => ({ partition, ...replica })));
  return columnTable(
    all,
    [
      ['partition', ({ partition }) => partition],
      ['broker', ({ broker }) => broker],
      ['bytes', ({ bytes }) => bytes],
      ['lag', ({ lag }) => lag],
      ['dir', ({ dir }) => dir, wide],
      errorColumn(all),
    ],
    view,
  );
}
