import type { Shape } from '../../shape/shape.ts';
import { leftOut, string } from '../../shape/shape.ts';
import { checked, fields, items } from '../file/fields.ts';

/** A name, or the beginning of names with a `*` at its end. */
export const namePattern: Shape<string> = checked(string, patternFault);

/** Why a text is no pattern of names. */
export function patternFault(text: string): string | undefined {
  if (text === '') return 'it is empty';
  return text.slice(0, -1).includes('*') ? 'a "*" may only be at the end' : undefined;
}

/** `owns`: what the files may delete with --prune, by kind. */
export function ownsShape(names: readonly string[]) {
  return fields(Object.fromEntries(names.map((name) => [name, leftOut(items(namePattern))])));
}

/** Whether one of the patterns matches a name; undefined for no pattern. */
export function matcherOf(patterns: readonly string[]): ((name: string) => boolean) | undefined {
  if (patterns.length === 0) return undefined;
  const names = new Set(patterns.filter((one) => !one.endsWith('*')));
  const prefixes = patterns.filter((one) => one.endsWith('*')).map((one) => one.slice(0, -1));
  return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
