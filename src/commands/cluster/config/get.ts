import { apiFlag, byApi, type ChosenApi } from '../../../cli/by-api.ts';
import { flag, one, toggle } from '../../../cli/command.ts';
import { tableOf } from '../../../cli/forms/columns.ts';
import { notFoundError } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import type { View } from '../../../format/view.ts';
import { BrokerConfig } from '../../../kafka/cluster/brokers/broker-config-rows.ts';
import type { Kafka } from '../../../kafka/open.ts';
import { brokerId, configKey } from '../../../kinds.ts';
import { listOf } from '../../../shape/shape.ts';
import { adminConfigs } from './admin-configs.ts';
import { configInUse } from './config-in-use.ts';
import { configColumns, listHints, scopeOf, valueText, wideConfigColumns } from './config-text.ts';
import { needProperty } from './find-property.ts';

/** `cluster config get` */
export const get = byApi({
  summary: 'Print a config of brokers, or a property of a Redpanda cluster',
  description: `Prints the value alone if it is the same everywhere, otherwise a table with the value of each broker. The wide
format always prints the table. A list is printed as JSON, and null if there is no value.`,
  examples: [
    ['The value in use', 'cluster config get log.retention.ms'],
    ['On one broker, with its source', 'cluster config get log.retention.ms --broker 1 --format wide'],
    ['The default that is set for the whole cluster', 'cluster config get log.retention.ms --default'],
  ],
  args: { key: one(configKey, 'KEY', 'key of the config') },
  flags: {
    broker: flag(brokerId, { short: 'b', help: 'only on this broker' }),
    default: toggle({ help: 'the default that is set for the whole cluster' }),
    api: apiFlag,
  },
  result: listOf(BrokerConfig),
  read: (_context, { default: isCluster, ...values }) => ({
    ...values,
    isCluster,
    scope: scopeOf(values.broker, isCluster),
  }),
  kafka: {
    async run(context, { key, scope, isCluster, api }) {
      const kafka = await context.kafka();
      const rows = await (isCluster ? kafka.describeBrokerConfigs({ scope, key }) : configInUse(kafka, scope, key));
      if (rows.length > 0) return rows;
      throw isCluster
        ? await withoutDefault(key, api, kafka)
        : notFoundError(`config "${key}" does not exist`, { target: key, hints: await listHints(key, api, kafka) });
    },
  },
  admin: {
    examples: [['A property of a Redpanda cluster', 'cluster config get log_retention_ms --api admin']],
    async run(context, { key, broker, isCluster, api }) {
      const { schema, rows } = await adminConfigs(context, broker);
      // A property that is set but not in the schema was forced.
      const name = rows.some((row) => row.key === key) ? key : (await needProperty(schema, key, api)).name;
      const row = rows.find((one) => one.key === name);
      if (row !== undefined && !(isCluster && row.source === 'DEFAULT_CONFIG')) return [row];
      throw await withoutDefault(key, api);
    },
  },
  show: {
    text: valueOrTable,
    wide: (rows, view) => tableOf(rows, wideConfigColumns, view),
  },
});

async function withoutDefault(key: string, api: ChosenApi | undefined, kafka?: Kafka): Promise<Error> {
  const hints = await listHints(key, api, kafka);
  return notFoundError(`config "${key}" has no default for the whole cluster`, { target: key, hints });
}

function valueOrTable(rows: readonly BrokerConfig[], view: View): string {
  const values = new Set(rows.map((row) => (row.error === null ? String(valueText(row) ?? 'null') : undefined)));
  const [value] = values;
  return values.size === 1 && value !== undefined ? `${printable(value)}\n` : tableOf(rows, configColumns, view);
}
