/**
 * Keywords that ajv has besides those of JSON Schema, where they mean nothing: `$async` accepts everything at first and
 * ends later, `nullable` (of OpenAPI) accepts null, and is refused without a type.
 */
const ownKeywords: ReadonlySet<string> = new Set(['$async', 'nullable']);

/** Keywords whose members have names of their own, each with a schema. */
const mapsOfSchemas: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas', 'dependencies'],
]);

/** Keywords with values instead of schemas. */
const values: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** Returns a schema, or a list of them, without ajv's own keywords. */
export function withoutOwnKeywords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOwnKeywords);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !ownKeywords.has(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, inside(keyword, value)]));
}

function inside(keyword: string, value: unknown): unknown {
  if (values.has(keyword)) return value;
  if (!mapsOfSchemas.has(keyword) || typeof value !== 'object' || value === null) return withoutOwnKeywords(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutOwnKeywords(schema)]));
}
