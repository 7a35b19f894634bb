import { RE2JS } from 're2js';
import { SchemaError } from '../schema.ts';

/** What ajv calls for `pattern` and `patternProperties`. */
interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/**
 * Compiles a pattern for matching in linear time: patterns come with the schema, and a regular expression of JavaScript
 * can take hours for one record.
 * @throws SchemaError if the pattern is not valid, or needs backtracking
 */
export function compilePattern(pattern: string): Pattern {
  const compiled = compile(pattern);
  // ajv tells patterns apart by their text.
  return { test: (text) => compiled.matcher(text).find(), toString: () => `/${pattern}/` };
}
compilePattern.code = 'patterns.compile';

function compile(pattern: string): RE2JS {
  const shown = JSON.stringify(pattern.length > 60 ? `${pattern.slice(0, 59)}…` : pattern);
  const needsBacktracking = `the pattern ${shown} uses lookaround or a backreference, which cannot be matched in a bounded time`;
  // RE2 would take the name of a group to refer to as text.
  if (namedReference.test(pattern)) throw new SchemaError(needsBacktracking);
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    if (/\(\?[=!<]|\\[1-9]/.test(pattern)) throw new SchemaError(needsBacktracking);
    throw new SchemaError(`the pattern ${shown} is not valid: ${error instanceof Error ? error.message : error}`);
  }
}

/** `\k<name>`, unless its backslash is itself escaped. */
const namedReference = /(?<!\\)(?:\\\\)*\\k</;
