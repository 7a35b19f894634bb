import type { ConfigSchema, Configuration, ConfigValue } from '../../../admin/config-rows.ts';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import type { BrokerConfig } from '../../../kafka/cluster/brokers/broker-config-rows.ts';
import { jsonText } from './property-value.ts';

/**
 * The properties of a Redpanda cluster as configs: one row each, because all brokers have the same values.
 * @throws CliError (exit 2) if a broker is named
 */
export async function adminConfigs(
  context: Context,
  broker: number | undefined,
): Promise<{ readonly schema: ConfigSchema; readonly now: Configuration; readonly rows: readonly BrokerConfig[] }> {
  refuseBroker(broker);
  const admin = await context.admin();
  const schema = await admin.configSchema();
  const now = await admin.configuration();
  const rows = [...now.values]
    .map(([key, value]): BrokerConfig => {
      const isSecret = schema.get(key)?.is_secret ?? false;
      return {
        broker: null,
        key,
        value: isSecret ? null : textOf(value),
        source: now.set.has(key) ? 'DYNAMIC_DEFAULT_BROKER_CONFIG' : 'DEFAULT_CONFIG',
        read_only: false,
        sensitive: isSecret,
        error: null,
      };
    })
    .sort((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
  return { schema, now, rows };
}

/** @throws CliError (exit 2) if a broker is named */
export function refuseBroker(broker: number | undefined): void {
  if (broker === undefined) return;
  throw usageError('--broker cannot be used with the Admin API: its properties are those of the whole cluster', {
    target: '--broker',
    hints: ['for the configs of one broker, add: --api kafka'],
  });
}

/** The text of a value: what is not text as JSON; null for null. */
export function textOf(value: ConfigValue): string | null {
  if (value === null || typeof value === 'string') return value;
  return jsonText(value);
}
