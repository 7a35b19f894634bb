import type { JsonSchema } from '../../shape/shape.ts';
import type { Command } from '../command.ts';

/** The schema of a command as it is published: its id stays the same from version to version. */
export function publishedSchema(path: readonly string[], command: Command): JsonSchema {
  const { $schema, ...rest } = outputSchema(command);
  return { $schema, $id: `urn:weir:${path.join('-')}`, ...rest };
}

/** The schema of a command's JSON output. */
export function outputSchema({ result }: Command): JsonSchema {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...result.schema() };
}
