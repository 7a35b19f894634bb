// Every Node.js that weir supports has JSON.rawJSON, but the compiler's library does not declare it yet.
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/** What `JSON.stringify` writes as this integer, with all its digits. */
export function rawInteger(value: bigint): unknown {
  return rawJson(value.toString());
}

/** JSON in which bigints are integers with all their digits; null for what JSON cannot hold. */
export function exactJson(value: unknown, indent?: number): string {
  const exact = (_: string, inner: unknown) => (typeof inner === 'bigint' ? rawInteger(inner) : inner);
  return JSON.stringify(value, exact, indent) ?? 'null';
}
