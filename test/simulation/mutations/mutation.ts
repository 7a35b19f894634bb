import type { Scenario } from '../scenario.ts';

/** A defect inserted into the sources to see whether the tests detect it. */
export interface Mutation {
  /** A description of the defect. */
  readonly name: string;
  /** The item of the issue that it refers to; `mutants` for a sampled change that no test detected. */
  readonly letter: string;
  /** The path below `src/`. */
  readonly file: string;
  /** The text to replace, which must occur once in the file. */
  readonly from: string;
  readonly to: string;
  /** Replacements in other files. */
  readonly also?: readonly Pick<Mutation, 'file' | 'from' | 'to'>[];
  /** The kind of seeds to run. */
  readonly kind: Scenario['kind'];
  /** The test file below `test/` that detects the defect when the simulation cannot, and the reason. */
  readonly test?: { readonly file: string; readonly why: string };
}

/** Applies a mutation to the text of one of its files. @throws Error when the text to replace is not there once */
export function mutated({ name, file, from, to, also = [] }: Mutation, path: string, text: string): string {
  let result = text;
  for (const change of [{ file, from, to }, ...also]) {
    if (!path.endsWith(`/src/${change.file}`)) continue;
    if (result.split(change.from).length !== 2) {
      throw new Error(`mutation "${name}": ${change.file} does not contain this text exactly once: ${change.from}`);
    }
    result = result.replace(change.from, () => change.to);
  }
  return result;
}

/** Checks whether a mutation changes this file. */
export function isMutated({ file, also = [] }: Mutation, path: string): boolean {
  return [file, ...also.map((one) => one.file)].some((one) => path.endsWith(`/src/${one}`));
}
