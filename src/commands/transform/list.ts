import { Transform, transformPartition } from '../../admin/transform-rows.ts';
import { toggle } from '../../cli/command.ts';
import { listCommand } from '../../cli/forms/read.ts';
import { printable } from '../../format/printable.ts';
import { healthCell } from '../../format/style.ts';
import { type Cell, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import { listOf, type RowOf, row, whole } from '../../shape/shape.ts';
import { topicsOf } from './transform-name.ts';

const { partitions: _, ...ownFields } = Transform.fields;

/** A transform in the list. */
const TransformRow = row({
  ...ownFields,
  /** Partitions that it is processing. */
  running: whole,
  /** Records that wait for it in all partitions. */
  lag: whole,
  status: listOf(transformPartition),
});
type TransformRow = RowOf<typeof TransformRow>;

/** `transform list` */
export const list = listCommand({
  summary: 'List the deployed transforms, with their state and lag',
  description: `RUNNING counts the partitions of the input topic that the transform is processing. LAG counts the records of the input
that wait for it. With -d, shows each partition: STATUS is running, inactive (paused, or about to start), errored or
unknown. The values of environment variables are in the JSON output only.`,
  examples: [
    ['All transforms', 'transform list'],
    ['The state of each partition', 'transform list -d'],
    ['For a script', 'transform list --format json'],
  ],
  aliases: ['ls'],
  apis: ['admin'],
  flags: { detailed: toggle({ short: 'd', help: 'show the state of each partition in text' }) },
  row: TransformRow,
  read: async (context) => (await (await context.admin()).transforms()).map(rowOf),
  text: (rows, view, { detailed }) => (detailed ? details(rows, view) : summary(rows, view)),
  wide: details,
});

function rowOf({ partitions, ...rest }: Transform): TransformRow {
  return {
    ...rest,
    running: partitions.filter(({ status }) => status === 'running').length,
    lag: partitions.reduce((sum, { lag }) => sum + lag, 0),
    status: partitions,
  };
}

function summary(rows: readonly TransformRow[], view: View): string {
  const cells = rows.map((one): Cell[] => [
    one.name,
    one.input_topic,
    one.output_topics.join(', '),
    `${one.running} / ${one.status.length}`,
    one.lag,
  ]);
  return table(['name', 'input topic', 'output topic', 'running', 'lag'], cells, view);
}

function details(rows: readonly TransformRow[], view: View): string {
  return rows
    .map((one) => {
      const cells = one.status.map((part): Cell[] => [
        '',
        part.partition,
        part.node_id,
        stateCell(part.status),
        part.lag,
      ]);
      return `${printable(`${one.name}, ${topicsOf(one)}`)}\n${table(['', 'partition', 'node', 'status', 'lag'], cells, view)}`;
    })
    .join('');
}

function stateCell(status: string): Cell {
  return status === 'errored' ? healthCell(status, 'bad') : status;
}
