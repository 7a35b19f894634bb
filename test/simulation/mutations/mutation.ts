import type { Scenario } from '../scenario.ts';

/** A defect that is put into the sources, to see whether it is noticed. */
export interface Mutation {
  /** What is wrong then. */
  readonly name: string;
  /** The line of the issue that it is about; `mutants` for one of the sample of changes that no test noticed. */
  readonly letter: string;
  /** Below `src/`. */
  readonly file: string;
  /** Occurs once in the file. */
  readonly from: string;
  readonly to: string;
  /** The same in other files. */
  readonly also?: readonly Pick<Mutation, 'file' | 'from' | 'to'>[];
  /** What the seeds are to be about. */
  readonly kind: Scenario['kind'];
  /** The test file that notices it where the simulation cannot, below `test/`, and why it cannot. */
  readonly test?: { readonly file: string; readonly why: string };
}

/** Puts a mutation into the text of one of its files. @throws Error where the text is not as it was */
export function mutated({ name, file, from, to, also = [] }: Mutation, path: string, text: string): string {
  let result = text;
  for (const change of [{ file, from, to }, ...also]) {
    if (!path.endsWith(`/src/${change.file}`)) continue;
    if (result.split(change.from).length !== 2) {
      throw new Error(`mutation "${name}": ${change.file} does not hold this text once: ${change.from}`);
    }
    result = result.replace(change.from, () => change.to);
  }
  return result;
}

/** Whether a mutation changes this file. */
export function isMutated({ file, also = [] }: Mutation, path: string): boolean {
  return [file, ...also.map((one) => one.file)].some((one) => path.endsWith(`/src/${one}`));
}
