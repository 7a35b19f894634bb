import { usageError } from '../../errors.ts';

/** Whether a name is meant by one of the patterns. */
export type NameMatcher = (name: string) => boolean;

/**
 * Reads regular expressions that must match a whole name; a lone `*` matches every name and a
 * leading `(?i)` ignores case. Fails (exit 2) on a pattern that is not valid, before anything is sent.
 */
export function compileNamePatterns(patterns: readonly string[]): NameMatcher {
  return matcherOf(patterns, (source) => `^(?:${source})$`);
}

/** The same for patterns that may match anywhere in a name, as those of `topic consume` do. */
export function compileLoosePatterns(patterns: readonly string[]): NameMatcher {
  return matcherOf(patterns, (source) => source);
}

function matcherOf(patterns: readonly string[], anchor: (source: string) => string): NameMatcher {
  const compiled = patterns.map((pattern) => compilePattern(pattern, anchor));
  return (name) => compiled.some((pattern) => pattern.test(name));
}

function compilePattern(pattern: string, anchor: (source: string) => string): RegExp {
  if (pattern === '') throw usageError('a regular expression is empty', { hints: ['"*" matches every name'] });
  if (/^\^?\*\$?$/.test(pattern)) return /^/;
  const ignoresCase = pattern.startsWith('(?i)');
  try {
    return new RegExp(anchor(ignoresCase ? pattern.slice(4) : pattern), ignoresCase ? 'i' : '');
  } catch (cause) {
    throw usageError(`the regular expression "${pattern}" is not valid: ${reason(cause)}`, {
      target: pattern,
      hints: ['"*" alone matches every name; elsewhere "*" repeats what stands before it, as in "foo.*"'],
      cause,
    });
  }
}

/** The engine's reason without its repetition of the pattern. */
function reason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return message.slice(message.lastIndexOf(': ') + 2).toLowerCase();
}
