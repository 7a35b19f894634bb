import { invalidError, usageError } from '../../../errors.ts';

/** Tells whether a name matches one of the patterns. */
export type NameMatcher = (name: string) => boolean;

/**
 * Compiles regular expressions that must match a whole name. `*` alone matches every name; a leading `(?i)` ignores
 * case.
 * @throws CliError (exit 2) when a pattern is not valid
 */
export function compileNamePatterns(patterns: readonly string[]): NameMatcher {
  return matcherOf(patterns, (source) => `^(?:${source})$`);
}

/** Compiles regular expressions that may match anywhere in a name, as in `topic consume`. */
export function compileLoosePatterns(patterns: readonly string[]): NameMatcher {
  return matcherOf(patterns, (source) => source);
}

function matcherOf(patterns: readonly string[], anchor: (source: string) => string): NameMatcher {
  const compiled = patterns.map((pattern) => compilePattern(pattern, anchor));
  return (name) => compiled.some((pattern) => pattern.test(name));
}

const repeatHint = 'use "*" alone to match every name; elsewhere "*" repeats what precedes it, as in "foo.*"';

function compilePattern(pattern: string, anchor: (source: string) => string): RegExp {
  if (pattern === '') throw usageError('empty regular expression', { hints: ['use "*" to match every name'] });
  if (/^\^?\*\$?$/.test(pattern)) return /^/;
  const ignoresCase = pattern.startsWith('(?i)');
  try {
    return new RegExp(anchor(ignoresCase ? pattern.slice(4) : pattern), ignoresCase ? 'i' : '');
  } catch (cause) {
    const why = reason(cause);
    throw invalidError(`invalid regular expression "${pattern}": ${why}`, {
      target: pattern,
      hints: [
        why === 'nothing to repeat' ? repeatHint : 'put "\\" before a character that stands for itself, as in "a\\.b"',
      ],
      cause,
    });
  }
}

/** The engine's reason, without the pattern that it repeats. */
function reason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.slice(message.lastIndexOf(': ') + 2).toLowerCase();
}
