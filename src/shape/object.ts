/** The fields of an object of unknown form, none of them checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object: neither null nor a list. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of an unknown value; empty if the value is not an object. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** The value on a way through objects, for example `['status', 'draining']`; undefined if one of them is not there. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, name) => fieldsOf(inner)[name], value);
}
