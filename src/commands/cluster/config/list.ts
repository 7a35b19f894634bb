import { command, flag, toggle } from '../../../cli/command.ts';
import { exitCodeOfItems } from '../../../errors.ts';
import { brokerId } from '../../../kinds.ts';
import { configsSchema, configTable, scopeOf } from './config-text.ts';

/** `cluster config list` */
export const list = command({
  summary: 'List the configs of brokers with their sources',
  description: `Without a flag, lists what is set on each broker, in its file (STATIC_BROKER_CONFIG) or while it runs
(DYNAMIC_BROKER_CONFIG for one broker, DYNAMIC_DEFAULT_BROKER_CONFIG for the whole cluster). --all adds built-in
defaults. Sensitive values are never shown.`,
  examples: [
    ['What is set on each broker', 'cluster config list'],
    ['Every config of a broker', 'cluster config list --broker 1 --all'],
    ['The defaults that are set for the whole cluster', 'cluster config list --default'],
  ],
  aliases: ['ls'],
  apis: ['kafka'],
  flags: {
    broker: flag(brokerId, { short: 'b', help: 'only the configs of this broker' }),
    default: toggle({ help: 'the defaults that are set for the whole cluster' }),
    all: toggle({ help: 'include built-in defaults' }),
  },
  changes: 'reads',
  async run(context, { broker, default: isCluster, all }) {
    const scope = scopeOf(broker, isCluster);
    const kafka = await context.kafka();
    const rows = await kafka.describeBrokerConfigs({ scope, key: undefined });
    return rows.filter(({ source }) => all || source !== 'DEFAULT_CONFIG');
  },
  output: {
    schema: configsSchema,
    text: (rows, view) => configTable(rows, view, false),
    wide: (rows, view) => configTable(rows, view, true),
    exitCode: (rows) => exitCodeOfItems(rows.map(({ error }) => error)),
  },
});
