import type { ErrorObject, FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';

/**
 * The keywords that compare values. ajv's own fail on objects with a key such as `toString`, and its `uniqueItems`
 * compares every two objects, which takes hours for a large array.
 */
export const equalityKeywords: readonly FuncKeywordDefinition[] = [
  {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isAsked: boolean, items: readonly unknown[]) =>
      !isAsked || new Set(items.map(keyOf)).size === items.length,
  },
  {
    keyword: 'const',
    compile: (allowedValue: unknown) => oneOf([allowedValue], { keyword: 'const', params: { allowedValue } }),
  },
  {
    keyword: 'enum',
    schemaType: 'array',
    compile: (allowedValues: readonly unknown[]) =>
      oneOf(allowedValues, { keyword: 'enum', params: { allowedValues } }),
  },
];

function oneOf(values: readonly unknown[], error: Partial<ErrorObject>): SchemaValidateFunction {
  const keys = new Set(values.map(keyOf));
  const validate: SchemaValidateFunction = (value: unknown) => {
    if (keys.has(keyOf(value))) return true;
    validate.errors = [{ ...error, message: 'must be one of the allowed values' }];
    return false;
  };
  return validate;
}

/** Returns something that is the same for equal values only. */
function keyOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return `o${canonical(value)}`;
  return typeof value === 'string' ? `s${value}` : value;
}

/** Returns text that is the same for equal values: the keys of objects are sorted. */
function canonical(value: object): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const keys = Object.keys(part);
    // Sorted keys alone would leave those that are numbers in front, which is the same for equal objects.
    return Object.fromEntries(keys.sort().map((key) => [key, (part as Readonly<Record<string, unknown>>)[key]]));
  });
}
