/** The fields of an object in an answer, none of them checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an unknown value; empty if the value is not an object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Parses a body as JSON; undefined if it is not JSON. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The text of an unknown value; numbers and booleans as text, '' for other values. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
