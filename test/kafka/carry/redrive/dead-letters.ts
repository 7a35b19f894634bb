import { readFileSync } from 'node:fs';

/** A header as `RecordDeadLetters.java` has recorded it. */
export type RecordedHeader = readonly [name: string, hex: string | null];

/** The dead letters that the classes of frameworks have made of partition 2 of the topic "orders". */
export const recordedLetters: readonly { readonly framework: string; readonly headers: readonly RecordedHeader[] }[] =
  readFileSync(new URL('./dead-letters.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The value of a recorded header. */
export function bytesOf(hex: string | null): Buffer | null {
  return hex === null ? null : Buffer.from(hex, 'hex');
}
