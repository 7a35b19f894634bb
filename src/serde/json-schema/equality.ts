import type { JsonValue } from '../json/json-value.ts';
import { type Run, spend } from './run.ts';

/** The steps for an object or array besides those for its text, and the characters of a string that take one step. */
const stepsPerContainer = 32;
const charactersPerStep = 16;

/**
 * Returns something that is the same for equal values only.
 * @throws TooManySteps if that takes too long
 */
export function keyOf(value: JsonValue, run?: Run): unknown {
  if (typeof value === 'string') {
    if (run !== undefined) spend(run, value.length / charactersPerStep);
    return `s${value}`;
  }
  if (typeof value !== 'object' || value === null) return value;
  const text = canonical(value);
  if (run !== undefined) spend(run, stepsPerContainer + text.length);
  return `o${text}`;
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
