import { command, flag, one, toggle } from '../../../cli/command.ts';
import { exitCodeOfItems, notFoundError } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import type { View } from '../../../format/view.ts';
import type { BrokerConfigRow } from '../../../kafka/cluster/broker-config-rows.ts';
import { brokerId, text } from '../../../kinds.ts';
import { configsSchema, configTable, scopeOf, valueText } from './config-text.ts';

/** `cluster config get` */
export const get = command({
  summary: 'Print a config of brokers',
  description: `Prints the value alone if it is the same everywhere, otherwise a table with the value of each broker. The wide
format always prints the table.`,
  examples: [
    ['The value in use', 'cluster config get log.retention.ms'],
    ['On one broker, with its source', 'cluster config get log.retention.ms --broker 1 --format wide'],
    ['The default that is set for the whole cluster', 'cluster config get log.retention.ms --default'],
  ],
  apis: ['kafka'],
  args: { key: one(text, 'KEY', 'key of the config') },
  flags: {
    broker: flag(brokerId, { short: 'b', help: 'only on this broker' }),
    default: toggle({ help: 'the default that is set for the whole cluster' }),
  },
  changes: 'reads',
  async run(context, { key, broker, default: isCluster }) {
    const scope = scopeOf(broker, isCluster);
    const kafka = await context.kafka();
    const rows = await kafka.describeBrokerConfigs({ scope, key });
    if (rows.length > 0) return rows;
    throw notFoundError(`config "${key}" ${isCluster ? 'has no default for the whole cluster' : 'does not exist'}`, {
      target: key,
      hints: ['list the configs with: weir cluster config list --all'],
    });
  },
  output: {
    schema: configsSchema,
    text: valueOrTable,
    wide: (rows, view) => configTable(rows, view, true),
    exitCode: (rows) => exitCodeOfItems(rows.map(({ error }) => error)),
  },
});

function valueOrTable(rows: readonly BrokerConfigRow[], view: View): string {
  const values = new Set(rows.map((row) => (row.error === null ? String(valueText(row)) : undefined)));
  const [value] = values;
  return values.size === 1 && value !== undefined ? `${printable(value)}\n` : configTable(rows, view, false);
}
