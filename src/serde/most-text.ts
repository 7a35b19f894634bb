/**
 * Returns how long the JSON of a payload may become. A few bytes can stand for long text (a symbol, a name, an
 * array of a million nulls), so this keeps hostile payloads from filling the memory.
 */
export function mostText(payloadBytes: number): number {
  return 2 ** 20 + Math.min(payloadBytes * 1024, 2 ** 26 + payloadBytes * 64);
}
