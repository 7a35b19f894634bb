import type { Shape } from '../../shape/shape.ts';
import { leftOut, string } from '../../shape/shape.ts';
import { checked, fields, items } from '../file/fields.ts';
import type { Sections } from '../kinds/kind.ts';
import { kinds } from '../kinds/kinds.ts';

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

/** The beginning of a document that has what patterns match, and owns it. */
export function headOf(patterns: readonly string[]): Sections {
  const owned = Object.fromEntries(kinds.flatMap(({ ownedBy }) => ownedBy.map((field) => [field, patterns] as const)));
  return { weir: 1, ...(patterns.length > 0 && { owns: owned }) };
}

/** The users with ACLs in a document of what patterns match whose names they do not match: only that of them is there. */
export function strangersIn({ grants = [], acls = [] }: Sections, patterns: readonly string[]): readonly string[] {
  const owns = matcherOf(patterns) ?? (() => true);
  const entries = [...(grants as readonly Sections[]), ...(acls as readonly Sections[])];
  const users = entries.map(({ principal }) => String(principal).replace(/^User:/, ''));
  return [...new Set(users)].filter((name) => name !== '*' && !name.includes(':') && !owns(name)).sort();
}
