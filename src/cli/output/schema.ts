/** A JSON Schema (draft 2020-12), as plain data. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Text. */
export const string: Schema = { type: 'string' };

/** A whole number. */
export const integerSchema: Schema = { type: 'integer' };

/** `true` or `false`. */
export const booleanSchema: Schema = { type: 'boolean' };

/** A list of `items`. */
export function arrayOf(items: Schema): Schema {
  return { type: 'array', items };
}

/** An object whose keys are all present, except those in `optional`. */
export function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((key) => !optional.includes(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The schema, or null. */
export function nullable(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

/** The `error` of one item of a result: null when the item succeeded. */
export const itemErrorSchema: Schema = nullable(
  object({
    code: string,
    number: nullable(integerSchema),
    message: string,
    retryable: booleanSchema,
    exit_code: integerSchema,
  }),
);

/** One of a few words. */
export function wordOf(...words: readonly string[]): Schema {
  return { type: 'string', enum: words };
}
