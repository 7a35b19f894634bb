import type { JsonSchema } from '../../shape/shape.ts';
import type { Command } from '../command.ts';

/** The schema of a command as it is published: its id stays the same from version to version. */
export function publishedSchema(path: readonly string[], command: Command): JsonSchema {
  const { $schema, ...rest } = outputSchema(command);
  return { $schema, $id: `urn:weir:${path.join('-')}`, ...rest };
}

/** The schema of a command's JSON output, with `dry_run` if the command changes something. */
export function outputSchema(command: Command): JsonSchema {
  const schema = command.result.schema();
  const complete = command.changes === 'reads' ? schema : allowDryRun(schema);
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...complete };
}

function allowDryRun(schema: JsonSchema): JsonSchema {
  const { items, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: anyOf.map(allowDryRun) };
  if (schema.type === 'array' && typeof items === 'object' && items !== null) {
    return { ...schema, items: allowDryRun(items as JsonSchema) };
  }
  if (schema.type !== 'object') return schema;
  const properties = schema.properties as Readonly<Record<string, JsonSchema>> | undefined;
  return { ...schema, properties: { ...properties, dry_run: { type: 'boolean' } } };
}
