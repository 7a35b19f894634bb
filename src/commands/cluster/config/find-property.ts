import type { ConfigSchema, Property } from '../../../admin/config-rows.ts';
import { apiWords, type ChosenApi } from '../../../cli/by-api.ts';
import { nearest } from '../../../config/nearest.ts';
import { notFoundError } from '../../../errors.ts';
import { excerpt } from '../../../format/excerpt.ts';

/** Finds a property by its name or an alias. */
export function findProperty(schema: ConfigSchema, key: string): Property | undefined {
  return schema.get(key) ?? schema.values().find(({ aliases }) => aliases.includes(key));
}

/** The name that was probably meant. */
export async function nearestProperty(schema: ConfigSchema, key: string): Promise<string | undefined> {
  return await nearest(key, [...schema.keys()]);
}

/**
 * Finds a property by its name or an alias.
 * @param api the `--api` that was given, for the hint
 * @throws CliError (exit 3) with the name that was probably meant
 */
export async function needProperty(schema: ConfigSchema, key: string, api: ChosenApi | undefined): Promise<Property> {
  const property = findProperty(schema, key);
  if (property !== undefined) return property;
  const meant = await nearestProperty(schema, key);
  throw notFoundError(`the cluster has no property "${excerpt(key)}"`, {
    code: 'PROPERTY_NOT_FOUND',
    target: key,
    hints: [
      ...(meant === undefined ? [] : [`did you mean "${meant}"?`]),
      `list the properties with: weir cluster config list --all${apiWords(api)}`,
      // Configs of Apache Kafka have dots, properties of Redpanda have underscores.
      ...(api === undefined && key.includes('.') ? ['for a config of Apache Kafka, add: --api kafka'] : []),
    ],
  });
}
