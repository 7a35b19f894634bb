/** The escapes of characters that JSON or line readers do not accept as they are. */
const escapes: ReadonlyMap<string, string> = new Map([
  ...Array.from({ length: 32 }, (_, code): [string, string] => [
    String.fromCharCode(code),
    `\\u${code.toString(16).padStart(4, '0')}`,
  ]),
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u2028', '\\u2028'],
  ['\u2029', '\\u2029'],
]);

/** The slow and simple way to write bytes as a JSON string: UTF-8 with escapes, otherwise base64. */
export function slowJsonText(bytes: Buffer): { readonly text: Buffer; readonly isText: boolean } {
  let decoded: string;
  try {
    decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { text: Buffer.from(`"${bytes.toString('base64')}"`), isText: false };
  }
  const inside = [...decoded].map((character) => escapes.get(character) ?? character).join('');
  return { text: Buffer.from(`"${inside}"`), isText: true };
}
