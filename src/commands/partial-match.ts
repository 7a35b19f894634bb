import { shellWord } from '../format/shell-word.ts';
import { compileLoosePatterns, compileNamePatterns } from '../kafka/protocol/partitions/name-words.ts';

/**
 * What to say of patterns that match no name: how they would match those of which they match a part, if there are any.
 * @param names those that exist
 */
export function partialMatch(patterns: readonly string[], names: readonly string[]): string | undefined {
  if (!names.some(compileLoosePatterns(patterns))) return undefined;
  const wider = patterns.flatMap((pattern) => {
    const whole = pattern.includes('|') ? `(${pattern})` : pattern;
    // A star of the shell, as in ba*.
    const glob = whole.replace(/(?<=[\w-])\*/g, '.*');
    return [...(glob === whole ? [] : [glob]), `${whole}.*`, `.*${whole}`, `.*${whole}.*`];
  });
  const meant = wider.find((pattern) => names.some(compileNamePatterns([pattern])));
  return meant && `the pattern must match the whole name; did you mean ${shellWord(meant)}?`;
}
