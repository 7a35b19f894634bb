import { RE2JS } from 're2js';
import { SchemaError } from '../schema.ts';
import { type Run, spend, Undecided } from './run.ts';

/**
 * Checks whether text matches a pattern.
 * @throws TooManySteps if that takes too long
 * @throws Undecided if the pattern cannot be matched in a bounded time
 */
export type Matches = (text: string, run: Run) => boolean;

/** The patterns of a schema. */
export interface Patterns {
  /**
   * Compiles a pattern for matching in linear time: patterns come with the schema, and a regular expression of
   * JavaScript can take hours for one record.
   * @throws SchemaError if the pattern is not valid, or if all of them together are huge
   */
  compile(pattern: string): Matches;
}

/** The instructions of all patterns of a schema. */
const mostInstructions = 100_000;
/** The characters of all patterns of a schema: a class such as `\p{L}` takes 0.2 ms to compile. */
const mostCharacters = 50_000;
/** The most instructions that one pattern may seem to have before it is compiled, which takes 1 µs for each. */
const mostRepeated = 1_000_000;
/** The products of characters and instructions that count as one step. */
const workPerStep = 4;

/** Creates an empty set of patterns. */
export function createPatterns(): Patterns {
  const cache = new Map<string, Matches>();
  let [instructions, characters] = [0, 0];
  const tooLarge = (): SchemaError => new SchemaError('the patterns of the schema are too large');
  return {
    compile: (pattern) => {
      const before = cache.get(pattern);
      if (before !== undefined) return before;
      characters += pattern.length;
      if (characters > mostCharacters || pattern.length * repeatsOf(pattern) > mostRepeated) throw tooLarge();
      const compiled = compile(pattern);
      const size = compiled?.programSize() ?? 1;
      instructions += size;
      if (instructions > mostInstructions) throw tooLarge();
      const matches: Matches = (text, run) => {
        if (compiled === undefined) throw new Undecided();
        spend(run, (text.length * size) / workPerStep);
        return compiled.test(text);
      };
      cache.set(pattern, matches);
      return matches;
    },
  };
}

/** How often a part of a pattern may at most be repeated; RE2 takes no more than 1000 times, also in one another. */
function repeatsOf(pattern: string): number {
  let product = 1;
  for (const [, least = '', most = ''] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    product = Math.min(product * Math.max(Number(least), Number(most), 1), 1000);
  }
  return product;
}

/** Returns undefined for a pattern that only JavaScript can match: with lookaround, references, or many repeats. */
function compile(pattern: string): RE2JS | undefined {
  // RE2 would take the name of a group to refer to as text.
  if (!namedReference.test(pattern)) {
    try {
      return RE2JS.compile(RE2JS.translateRegExp(spelled(pattern)));
    } catch (error) {
      if (!isForJavaScript(pattern)) {
        const shown = JSON.stringify(pattern.length > 60 ? `${pattern.slice(0, 59)}…` : pattern);
        throw new SchemaError(`the pattern ${shown} is not valid: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
  return undefined;
}

/** The white space of JavaScript; that of RE2 is ASCII without the vertical tab. */
const space = '\\t\\n\\v\\f\\r\\x{2028}\\x{2029}\\x{feff}\\p{Zs}';

/** The names of categories that RE2 knows by their abbreviation only, of those that people use. */
const categories: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Letter: 'L',
    Lowercase_Letter: 'Ll',
    Uppercase_Letter: 'Lu',
    Mark: 'M',
    Number: 'N',
    Decimal_Number: 'Nd',
    digit: 'Nd',
    Punctuation: 'P',
    punct: 'P',
    Symbol: 'S',
    Separator: 'Z',
    Space_Separator: 'Zs',
    Other: 'C',
  }),
);

/** Spells what RE2 means differently as RE2 does: white space, and long names of categories. */
function spelled(pattern: string): string {
  let isInClass = false;
  return pattern.replaceAll(/\\(?:([pP])\{(\w+)\}|[\s\S])|[[\]]/g, (part, letter?: string, category = '') => {
    if (letter !== undefined) return `\\${letter}{${categories.get(category) ?? category}}`;
    if (part === '[' || part === ']') isInClass = part === '[';
    if (part === '\\s') return isInClass ? space : `[${space}]`;
    return part === '\\S' && !isInClass ? `[^${space}]` : part;
  });
}

function isForJavaScript(pattern: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(pattern, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}

/** `\k<name>`, unless its backslash is itself escaped. */
const namedReference = /(?<!\\)(?:\\\\)*\\k</;
