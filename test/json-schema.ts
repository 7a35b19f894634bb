import type { Entry } from '../src/cli/command.ts';
import { outputSchema } from '../src/cli/output/output-schema.ts';
import { findCommand } from '../src/cli/parse/named-command.ts';
import type { JsonSchema } from '../src/shape/shape.ts';

const knownKeywords = new Set([
  '$schema',
  'additionalProperties',
  'anyOf',
  'const',
  'contentMediaType',
  'description',
  'enum',
  'items',
  'maximum',
  'minimum',
  'properties',
  'required',
  'title',
  'type',
]);

/** Lists the differences between a value and a schema. Supports the keywords that weir's schemas use. */
export function schemaFaults(value: unknown, schema: JsonSchema, path = '$'): readonly string[] {
  const foreign = Object.keys(schema).filter((keyword) => !knownKeywords.has(keyword));
  if (foreign.length > 0) return [`${path}: the schema has unknown keywords ${foreign.join(', ')}`];
  const { type, anyOf, items, properties, required, additionalProperties } = schema;
  const allowed = schema.enum;
  if (Array.isArray(anyOf)) {
    const all = anyOf.map((one: JsonSchema) => schemaFaults(value, one, path));
    return all.some((faults) => faults.length === 0) ? [] : [`${path} fits no alternative: ${all.flat().join('; ')}`];
  }
  if (Array.isArray(allowed) && !allowed.includes(value))
    return [`${path} is ${JSON.stringify(value)}, not one of ${allowed}`];
  if ('const' in schema && schema.const !== value) return [`${path} is not ${JSON.stringify(schema.const)}`];
  if (schema.contentMediaType === 'application/json' && !isJson(value)) return [`${path} is not JSON`];
  if (type !== undefined && ![type].flat().includes(typeOf(value, type))) return [`${path} is no ${type}`];
  if (typeof value === 'number' && value < Number(schema.minimum ?? value)) return [`${path} is below the minimum`];
  if (typeof value === 'number' && value > Number(schema.maximum ?? value)) return [`${path} is above the maximum`];
  if (Array.isArray(value)) {
    return items === undefined
      ? []
      : value.flatMap((item, at) => schemaFaults(item, items as JsonSchema, `${path}[${at}]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  const known = (properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const missing = ((required ?? []) as readonly string[]).filter((key) => !(key in value));
  return [
    ...missing.map((key) => `${path}.${key} is missing`),
    ...Object.entries(value).flatMap(([key, inner]) => {
      const own = Object.hasOwn(known, key) ? known[key] : additionalProperties;
      if (own === false) return [`${path}.${key} is not in the schema`];
      return typeof own === 'object' && own !== null ? schemaFaults(inner, own as JsonSchema, `${path}.${key}`) : [];
    }),
  ];
}

function isJson(value: unknown): boolean {
  try {
    JSON.parse(String(value));
    return true;
  } catch {
    return false;
  }
}

function typeOf(value: unknown, wanted: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value) && [wanted].flat().includes('integer')) return 'integer';
  return typeof value;
}

/** Validates the output of a command line with `--format json` against the schema of its command. */
export async function checkRecorded(
  commands: readonly Entry[],
  words: readonly string[],
  stdout: string,
): Promise<void> {
  const at = words.lastIndexOf('--format');
  if ((at < 0 || words[at + 1] !== 'json') && !words.includes('--format=json')) return;
  const { target } = await findCommand(commands, words);
  if (target?.type !== 'command' || stdout === '' || (words.includes('list') && words.includes('-X'))) return;
  const schema = outputSchema(target);
  const faults = documentsOf(stdout).flatMap((document) => schemaFaults(document, schema));
  if (faults.length > 0)
    throw new Error(`${words.join(' ')} differs from its schema: ${faults.slice(0, 5).join('; ')}`);
}

/** Parses a single JSON document, or one per line. */
function documentsOf(stdout: string): readonly unknown[] {
  try {
    return [JSON.parse(stdout)];
  } catch {
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }
}
