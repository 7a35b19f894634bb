import { type Arena, appendAscii } from '../../../bytes/arena.ts';
import { jsonTextWriter } from '../../../bytes/json-text/json-text.ts';
import type { Found, Occurrences } from './message-plan.ts';
import { failure, type Payload, readLength } from './payload.ts';

const writeText = jsonTextWriter();

/** Returns the occurrences of the field of that number; undefined if there are none. */
export function occurrencesOf(payload: Payload, { plan, base }: Found, number: number): Occurrences | undefined {
  const index = plan.find(number)?.index;
  let [from, to] = [-1, -1];
  for (let at = base; at < payload.foundLength; at += 2) {
    if ((payload.found[at] as number) >>> 3 !== index) continue;
    if (from < 0) from = at;
    to = at + 2;
  }
  return from < 0 ? undefined : { from, to };
}

/** Moves to the last value of a field; returns false if there is none. */
export function moveTo(payload: Payload, found: Found, number: number): boolean {
  const occurrences = occurrencesOf(payload, found, number);
  if (occurrences !== undefined) payload.at = payload.found[occurrences.to - 1] as number;
  return occurrences !== undefined;
}

/** Appends the text field of that number as JSON, without moving. */
export function writeTextField(payload: Payload, arena: Arena, found: Found, number: number): void {
  if (!moveTo(payload, found, number)) {
    appendAscii(arena, '""');
    return;
  }
  const length = readLength(payload);
  if (!writeText(arena, payload.source, payload.at, length)) throw failure(payload, 'a string is not valid UTF-8');
}
