/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** The schema of an answer without a body. */
export const empty = 'empty' as const;
/** The schema of an answer that is not JSON. */
export const raw = 'raw' as const;

export const text = { type: 'string' };
export const integer = { type: 'integer' };
export const boolean = { type: 'boolean' };
export const any = {};
export const id = { type: 'integer', minimum: -1 };
export const word = (...words: readonly string[]): Schema => ({ enum: words });
export const list = (items: Schema): Schema => ({ type: 'array', items });
/** A list that is written even if it is empty, which only a few are. */
export const forcedList = (items: Schema): Schema => ({ ...list(items), minItems: 0 });
/** An object with exactly these keys, of which `optional` may be missing, and so are lists that are empty. */
export const object = (
  required: Readonly<Record<string, Schema>>,
  optional: Readonly<Record<string, Schema>> = {},
): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries({ ...required, ...optional }).map(([name, schema]) => [
      name,
      mayBeMissing(schema) ? { ...schema, minItems: 1 } : schema,
    ]),
  ),
  required: Object.keys(required).filter((name) => !mayBeMissing(required[name])),
  additionalProperties: false,
});
const mayBeMissing = (schema: Schema | undefined): boolean =>
  schema?.type === 'array' && !Object.hasOwn(schema, 'minItems');
export const map = (value: Schema): Schema => ({ type: 'object', additionalProperties: value });

/** A replica of a partition. */
export const replica = object({ node_id: id, core: integer });
/** The fields that name a partition. */
export const ntp = { ns: text, topic: text, partition: integer };
/** The fields that name a partition in lists. */
export const named = { ns: text, topic: text, partition_id: integer };
/** The moves that were cancelled. */
export const cancelled = list(object({ ...ntp, result: text }));
