import type { BrokerConfig, ConfigScope } from '../../../kafka/cluster/brokers/broker-config-rows.ts';
import type { Kafka } from '../../../kafka/open.ts';

/** The configs that apply if `log.retention.ms` is unset, with the milliseconds of their unit. */
const olderUnits = [
  ['log.retention.minutes', 60_000],
  ['log.retention.hours', 3_600_000],
] as const;

/**
 * What applies on each of the brokers. A config without a value may have an older one that applies in its place: its value
 * is shown then, with its source.
 */
export async function configInUse(
  kafka: Kafka,
  scope: ConfigScope | undefined,
  key: string,
): Promise<readonly BrokerConfig[]> {
  const read = (one: string) => kafka.describeBrokerConfigs({ scope, key: one });
  let rows = await read(key);
  if (key !== 'log.retention.ms') return rows;
  for (const [older, milliseconds] of olderUnits) {
    if (rows.every(({ value }) => value !== null)) break;
    const others = new Map((await read(older)).map((row) => [row.broker, row]));
    rows = rows.map((row) => {
      const { value, source } = others.get(row.broker) ?? row;
      if (row.value !== null || value === null) return row;
      return { ...row, value: String(Math.max(Number(value) * milliseconds, -1)), source };
    });
  }
  return rows;
}
