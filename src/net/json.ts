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

/** Like `parseJson`, but integers beyond 2^53 become bigints, so that they keep all their digits. */
export function parseExactJson(body: Buffer): unknown {
  try {
    // Every Node.js that weir supports passes the source of a value; the compiler's library does not declare it yet.
    const parse = JSON.parse as unknown as (
      text: string,
      revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ) => unknown;
    return parse(body.toString('utf8'), (_, value, { source = '' }) =>
      typeof value === 'number' ? exactNumber(source) : value,
    );
  } catch {
    return undefined;
  }
}

/** Reads a decimal number: a bigint for an integer that a number cannot hold exactly. */
export function exactNumber(source: string): number | bigint {
  const value = Number(source);
  return /^[+-]?\d+$/.test(source) && !Number.isSafeInteger(value) ? BigInt(source.replace(/^\+/, '')) : value;
}
