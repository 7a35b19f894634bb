import { apiFlag, byApi } from '../../../cli/by-api.ts';
import { flag, toggle } from '../../../cli/command.ts';
import { tableShow } from '../../../cli/forms/read.ts';
import type { Context } from '../../../context.ts';
import { BrokerConfig } from '../../../kafka/cluster/brokers/broker-config-rows.ts';
import { compileLoosePatterns } from '../../../kafka/protocol/partitions/name-words.ts';
import { brokerId, text } from '../../../kinds.ts';
import { listOf } from '../../../shape/shape.ts';
import { adminConfigs } from './admin-configs.ts';
import { configColumns, scopeOf, wideConfigColumns } from './config-text.ts';

const keyPattern = { ...text, name: 'regular expression', hint: 'REGEX' } as const;

const isSet = ({ source }: { readonly source: string | null }): boolean => source !== 'DEFAULT_CONFIG';

/** `cluster config list` */
export const list = byApi({
  summary: 'List the configs of brokers, or the properties of a Redpanda cluster',
  description: `Without a flag, lists what is set on each broker, in its file (STATIC_BROKER_CONFIG) or while it runs
(DYNAMIC_BROKER_CONFIG for one broker, DYNAMIC_DEFAULT_BROKER_CONFIG for the whole cluster). --all adds built-in
defaults. Sensitive values are never shown.

On a Redpanda cluster, lists the properties of the cluster, which are the same on every broker: without a flag those that
are set.`,
  examples: [
    ['What is set on each broker', 'cluster config list'],
    ['Every config of a broker', 'cluster config list --broker 1 --all'],
    ['The defaults that are set for the whole cluster', 'cluster config list --default'],
    ['Everything about retention', 'cluster config list --all --filter retention'],
  ],
  aliases: ['ls'],
  flags: {
    broker: flag(brokerId, { short: 'b', help: 'only the configs of this broker' }),
    nodeId: flag(brokerId, { hidden: true, help: 'as --broker, but ignored by the Admin API' }),
    default: toggle({ help: 'the defaults that are set for the whole cluster' }),
    all: toggle({ help: 'include built-in defaults' }),
    filter: flag(keyPattern, { help: 'only those whose name matches this regular expression anywhere' }),
    api: apiFlag,
  },
  result: listOf(BrokerConfig),
  read(_context, { broker, nodeId, default: isCluster, all, filter }) {
    const scope = scopeOf(broker ?? nodeId, isCluster);
    const matches = filter === undefined ? () => true : compileLoosePatterns([filter]);
    // A row without a name says why a broker has none to show.
    const isWanted = ({ key }: { readonly key: string | null }): boolean => key === null || matches(key);
    return { broker, isCluster, all, scope, filter, isWanted };
  },
  kafka: {
    async run(context, { all, isWanted, scope, filter }) {
      const rows = await (await context.kafka()).describeBrokerConfigs({ scope, key: undefined });
      return wantedRows(context, rows.filter(isWanted), { all, isCluster: false, filter });
    },
  },
  admin: {
    examples: [['Every property of a Redpanda cluster', 'cluster config list --all --api admin']],
    async run(context, { broker, isCluster, all, isWanted, filter }) {
      const { rows } = await adminConfigs(context, broker);
      return wantedRows(context, rows.filter(isWanted), { all, isCluster, filter });
    },
  },
  show: tableShow(configColumns, wideConfigColumns),
});

/** The matching rows that are asked for; says so if only defaults match, which nobody asked for. */
function wantedRows<Row extends { readonly source: string | null }>(
  context: Context,
  matching: readonly Row[],
  { all, isCluster, filter }: { all: boolean; isCluster: boolean; filter: string | undefined },
): readonly Row[] {
  const rows = matching.filter((row) => (all && !isCluster) || isSet(row));
  if (filter !== undefined && rows.length === 0 && matching.length > 0) {
    context.notice('only built-in defaults match: add --all to see them');
  }
  return rows;
}
