import type { JsonFields } from './json-fields.ts';
import type { LineLayout, ReadStep } from './parse-run.ts';
import type { Encoding } from './parse-text.ts';

/** A piece of a layout, before the ends of its fields are known. */
export type Token =
  | { readonly kind: 'literal'; readonly bytes: Buffer }
  | { readonly kind: 'text'; readonly verb: string; readonly encoding: Encoding; readonly at: number }
  | { readonly kind: 'json' | 'regex'; readonly verb: string; readonly step: ReadStep; readonly at: number }
  | { readonly kind: 'number'; readonly verb: string; readonly step: ReadStep; readonly at: number }
  | { readonly kind: 'headers'; readonly step: ReadStep; readonly at: number };

export interface ScopeOptions {
  readonly isHeader: boolean;
  /** The fields whose plain verbs read JSON. */
  readonly json: JsonFields;
}

/** The tokens of a scope, in order, and its constants, which apply from the start wherever they appear. */
export interface Scope extends ScopeOptions {
  readonly tokens: Token[];
  readonly constants: Record<string, number>;
  /** A constant timestamp. */
  timestamp: number | bigint | undefined;
  /** Number verbs seen so far. */
  readonly seen: Set<string>;
}

const newline = 0x0a;

/**
 * The bytes that end each line, if the layout has only text fields without sizes between literals, and its only newline at
 * the very end; otherwise undefined.
 */
export function lineEnd({ tokens, constants }: Scope): Buffer | undefined {
  const last = tokens.at(-1);
  if (['T', 'K', 'V'].some((size) => size in constants)) return undefined;
  if (last?.kind !== 'literal' || last.bytes.indexOf(newline) !== last.bytes.length - 1) return undefined;
  const isPlain = (token: Token, at: number): boolean => {
    if (token.kind === 'text') return tokens[at + 1]?.kind === 'literal';
    return token === last || (token.kind === 'literal' && !token.bytes.includes(newline));
  };
  return tokens.every(isPlain) ? last.bytes : undefined;
}

/** Returns the line layout of `%v`, or of `%k` and `%v`, each ended by one byte: by far the most common layouts. */
export function lineLayout({ tokens, constants, timestamp }: Scope): LineLayout | undefined {
  if (Object.keys(constants).length > 0 || timestamp !== undefined) return undefined;
  const [first, firstEnd, second, secondEnd, ...more] = tokens;
  const valueEnd = byteBehind(second === undefined ? first : second, 'v', second === undefined ? firstEnd : secondEnd);
  if (valueEnd === undefined || more.length > 0) return undefined;
  if (second === undefined) return { keyEnd: undefined, valueEnd };
  const keyEnd = byteBehind(first, 'k', firstEnd);
  // Without its newline, a last line can be a key as well as a value, so the steps decide.
  return keyEnd === undefined || keyEnd === newline ? undefined : { keyEnd, valueEnd };
}

/** Returns the byte that ends a raw field of the verb, if there is just one. */
function byteBehind(field: Token | undefined, verb: string, end: Token | undefined): number | undefined {
  const isRaw = field?.kind === 'text' && field.verb === verb && field.encoding === 'raw';
  return isRaw && end?.kind === 'literal' && end.bytes.length === 1 ? end.bytes[0] : undefined;
}
