import { apiWords, type ChosenApi } from '../../../cli/by-api.ts';
import { type Column, errorIfAny } from '../../../cli/forms/columns.ts';
import { nearest } from '../../../config/nearest.ts';
import { usageError } from '../../../errors.ts';
import type { Cell } from '../../../format/table.ts';
import type { BrokerConfig, ConfigScope } from '../../../kafka/cluster/brokers/broker-config-rows.ts';
import type { Kafka } from '../../../kafka/open.ts';

const columns: readonly Column<BrokerConfig>[] = [
  ['broker', brokerText],
  'key',
  ['value', valueText],
  ['source', sourceText],
];

/** The columns of configs. */
export const configColumns = [...columns, errorIfAny<BrokerConfig>()];
/** The columns of configs in `--format wide`. */
export const wideConfigColumns = [...columns, 'read_only' as const, errorIfAny<BrokerConfig>()];

/** The id of a broker, or a word for the defaults of the cluster. */
export function brokerText({ broker }: Pick<BrokerConfig, 'broker'>): string {
  return broker === null ? 'cluster' : String(broker);
}

/** What is set for the whole cluster has no other source; brokers name theirs as Kafka does. */
function sourceText({ broker, source }: BrokerConfig): string | null {
  if (broker !== null || source === null) return source;
  return source === 'DEFAULT_CONFIG' ? 'default' : 'set';
}

/** Shown instead of a value that is secret. */
export const sensitiveText = '(sensitive)';

/** The value of a config as text; null if it has none. */
export function valueText({ value, sensitive, error }: BrokerConfig): Cell {
  if (error !== null) return null;
  return sensitive ? sensitiveText : value;
}

/**
 * What to do about a config that brokers do not have.
 * @param api the `--api` that was given
 * @param kafka to suggest the nearest config that brokers list
 */
export async function listHints(key: string, api: ChosenApi | undefined, kafka?: Kafka): Promise<readonly string[]> {
  const rows = (await kafka?.describeBrokerConfigs({ scope: undefined, key: undefined })) ?? [];
  const keys = [...new Set(rows.flatMap((row) => row.key ?? []))];
  const meant = keys.includes(key) ? undefined : await nearest(key, keys);
  // Configs of Apache Kafka have dots, properties of Redpanda have underscores.
  const isProperty = api === undefined && /^[a-z\d]+(_[a-z\d]+)+$/.test(key);
  return [
    ...(meant === undefined ? [] : [`did you mean "${meant}"?`]),
    `list the configs with: weir cluster config list --all${apiWords(api)}`,
    ...(isProperty ? ['for a property of a Redpanda cluster, add: --api admin'] : []),
  ];
}

/** The scope that the flags name. @throws CliError (exit 2) when they name two */
export function scopeOf(broker: number | undefined, isCluster: boolean): ConfigScope | undefined {
  if (broker === undefined) return isCluster ? 'cluster' : undefined;
  if (isCluster) throw usageError('--broker and --default exclude each other');
  return { broker };
}
