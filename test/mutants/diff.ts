import { type Mutant, mutate } from './mutator.ts';

/** The lines that a mutant changes. */
export function diffOf(text: string, mutant: Mutant): { removed: readonly string[]; added: readonly string[] } {
  const { start, end } = mutant;
  const before = text.split('\n');
  const after = mutate(text, mutant).split('\n');
  return {
    removed: before.slice(start.line - 1, end.line),
    added: after.slice(start.line - 1, after.length - before.length + end.line),
  };
}
