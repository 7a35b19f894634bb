import type { Schema } from '../src/cli/schema.ts';

const knownKeywords = new Set([
  '$schema',
  'additionalProperties',
  'anyOf',
  'description',
  'enum',
  'items',
  'properties',
  'required',
  'title',
  'type',
]);

/**
 * What in the value the JSON Schema does not allow, one line per place; nothing when it conforms. Knows
 * the keywords that weir's schemas are made of, and says so when it meets another one.
 */
export function faultsOf(value: unknown, schema: Schema, place = '$'): string[] {
  const foreign = Object.keys(schema).filter((keyword) => !knownKeywords.has(keyword));
  if (foreign.length > 0) return [`${place}: the schema has unknown keywords ${foreign.join(', ')}`];
  const { type, anyOf, enum: words } = schema;
  if (Array.isArray(anyOf)) {
    const fits = anyOf.some((choice: Schema) => faultsOf(value, choice, place).length === 0);
    return fits ? [] : [`${place}: ${JSON.stringify(value)} is none of the choices`];
  }
  if (type !== undefined && ![type].flat().includes(typeOf(value, type))) return [`${place}: is no ${String(type)}`];
  if (Array.isArray(words) && !words.includes(value)) return [`${place}: ${JSON.stringify(value)} is not allowed`];
  if (Array.isArray(value)) {
    const items = (schema.items ?? {}) as Schema;
    return value.flatMap((item, at) => faultsOf(item, items, `${place}[${at}]`));
  }
  return typeof value === 'object' && value !== null ? faultsOfObject(value as Fields, schema, place) : [];
}

type Fields = Readonly<Record<string, unknown>>;

function faultsOfObject(value: Fields, schema: Schema, place: string): string[] {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>;
  const required = (schema.required ?? []) as readonly string[];
  const other = schema.additionalProperties;
  const missing = required.filter((key) => !(key in value)).map((key) => `${place}.${key}: is missing`);
  const wrong = Object.entries(value).flatMap(([key, item]) => {
    const own = properties[key] ?? (typeof other === 'object' ? (other as Schema) : undefined);
    if (own !== undefined) return faultsOf(item, own, `${place}.${key}`);
    return other === false ? [`${place}.${key}: is not in the schema`] : [];
  });
  return [...missing, ...wrong];
}

/** The value's JSON type; a whole number is an `integer` where the schema wants one. */
function typeOf(value: unknown, wanted: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' && [wanted].flat().includes('integer')) {
    return Number.isInteger(value) ? 'integer' : 'number';
  }
  return typeof value;
}
