import type { Transform } from '../../admin/transforms/transform-rows.ts';
import { command, toggle } from '../../cli/command.ts';
import { arrayOf, integerSchema, nullable, object, string } from '../../cli/output/schema.ts';
import { printable } from '../../format/printable.ts';
import { healthCell } from '../../format/style.ts';
import { type Cell, table } from '../../format/table.ts';
import type { View } from '../../format/view.ts';
import { topicsOf } from './transform-name.ts';

/** A transform in the list. */
interface TransformRow extends Omit<Transform, 'partitions'> {
  /** Partitions that it is processing. */
  readonly running: number;
  /** Records that wait for it in all partitions. */
  readonly lag: number;
  readonly status: Transform['partitions'];
}

/** `transform list` */
export const list = command({
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
  changes: 'reads',
  run: async (context): Promise<readonly TransformRow[]> => (await (await context.admin()).transforms()).map(rowOf),
  output: {
    schema: arrayOf(
      object({
        name: string,
        input_topic: string,
        output_topics: arrayOf(string),
        environment: arrayOf(object({ key: string, value: string })),
        compression: string,
        running: integerSchema,
        lag: integerSchema,
        status: arrayOf(
          object({ partition: integerSchema, node_id: nullable(integerSchema), status: string, lag: integerSchema }),
        ),
      }),
    ),
    text: (rows, view, { detailed }) => (detailed ? details(rows, view) : summary(rows, view)),
    wide: details,
  },
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
  const cells = rows.map((row): Cell[] => [
    ...[row.name, row.input_topic, row.output_topics.join(', ')],
    ...[`${row.running} / ${row.status.length}`, row.lag],
  ]);
  return table(['name', 'input topic', 'output topic', 'running', 'lag'], cells, view);
}

function details(rows: readonly TransformRow[], view: View): string {
  return rows
    .map((row) => {
      const cells = row.status.map((one): Cell[] => ['', one.partition, one.node_id, stateCell(one.status), one.lag]);
      return `${printable(`${row.name}, ${topicsOf(row)}`)}\n${table(['', 'partition', 'node', 'status', 'lag'], cells, view)}`;
    })
    .join('');
}

function stateCell(status: string): Cell {
  return status === 'errored' ? healthCell(status, 'bad') : status;
}
