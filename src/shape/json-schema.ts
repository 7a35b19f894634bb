import { type OverrideSchemaContext, toJsonSchema } from '@valibot/to-json-schema';
import { anything, exact, int64, object, type Shape } from './shape.ts';

/** A JSON Schema (draft 2020-12), as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** The JSON Schema of what a shape reads: lists and optional values are there, undeclared fields are not. */
export function jsonSchemaOf(shape: Shape<unknown>): JsonSchema {
  const { $schema: _, ...schema } = toJsonSchema(shape, {
    target: 'draft-2020-12',
    typeMode: 'output',
    // What a reader demands of texts and numbers says nothing about the output that a schema of JSON could check.
    ignoreActions: ['finite', 'max_value', 'min_value', 'non_empty', 'transform'],
    overrideSchema,
  });
  return schema as JsonSchema;
}

type Override = ReturnType<NonNullable<NonNullable<Parameters<typeof toJsonSchema>[1]>['overrideSchema']>>;

/** What valibot describes as the input of a reader, or not at all, described as output. */
function overrideSchema({ valibotSchema, jsonSchema }: OverrideSchemaContext): Override {
  if (valibotSchema === exact || valibotSchema === int64) return { type: 'integer' };
  if (valibotSchema === object) return { type: 'object' };
  const { default: fallback, ...schema } = jsonSchema;
  if (valibotSchema.type === 'nullish') return (fallback ?? null) === null ? schema : (schema.anyOf?.[0] as Override);
  if ('entries' in valibotSchema) {
    const entries = Object.entries(valibotSchema.entries as Readonly<Record<string, Shape<unknown>>>);
    const required = entries.filter(([, one]) => !('isLeftOut' in one)).map(([name]) => name);
    return { ...schema, required, additionalProperties: valibotSchema.type === 'loose_object' };
  }
  if (valibotSchema.type === 'optional') return schema;
  if (valibotSchema.type === 'picklist') return { type: 'string', ...schema };
  if (valibotSchema.type === 'union') return typesOf(schema.anyOf ?? []);
  if (valibotSchema.type === 'record') {
    const { propertyNames: _, additionalProperties: value, ...record } = schema;
    const isAny = 'value' in valibotSchema && valibotSchema.value === anything;
    return isAny ? record : { ...record, additionalProperties: value };
  }
  return undefined;
}

/** Alternatives that are nothing but different types, as a list of types. */
function typesOf(alternatives: readonly unknown[]): Override {
  const types = alternatives.map((one) => (isType(one) ? one.type : undefined));
  const isShort = !types.includes(undefined) && new Set(types).size === types.length;
  return isShort ? ({ type: types } as Override) : undefined;
}

function isType(schema: unknown): schema is { readonly type: unknown } {
  return typeof schema === 'object' && schema !== null && 'type' in schema && Object.keys(schema).length === 1;
}
