import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dice } from '../simulation/virtual-clock.ts';
import { isTypeScript, type Mutant, mutantsOf, mutate } from './mutator.ts';

/** What to draw. */
export interface Draw {
  /** The root of the checkout. */
  readonly root: string;
  readonly sample: number;
  readonly seed: number;
  /** The folders or files to draw from. */
  readonly under: readonly string[];
}

/** Programs of other languages, and what `npm run generate` writes. */
const notDrawn = /\/assembly\/|\/wasm-module\.ts$/;

/**
 * Draws mutants: first a line, each with the same chance, then one of the mutants that begin there. A line that has none
 * (a type, a comment, a text of the help) is drawn again. The same sources and seed give the same mutants.
 */
export async function drawMutants({ root, sample, seed, under }: Draw): Promise<readonly Mutant[]> {
  const files = globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !notDrawn.test(file) && under.some((one) => file === one || file.startsWith(`${one}/`)))
    .sort();
  if (files.length === 0) throw new Error(`no sources below ${under.join(', ')}`);
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const lines = files.flatMap((file) =>
    (texts.get(file) ?? '').split('\n').map((_, index) => ({ file, line: index + 1 })),
  );
  const known = new Map<string, readonly Mutant[]>();
  const random = dice(seed);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const drawn = new Map<string, Mutant>();
  for (let tries = 0; drawn.size < sample && tries < sample * 200; tries += 1) {
    const { file = '', line = 0 } = pick(lines) ?? {};
    const text = texts.get(file) ?? '';
    const all = known.get(file) ?? (await mutantsOf(file, text));
    known.set(file, all);
    const mutant = pick(all.filter(({ start }) => start.line === line));
    if (mutant === undefined || !(await isTypeScript(file, mutate(text, mutant)))) continue;
    drawn.set(JSON.stringify(mutant), mutant);
  }
  return [...drawn.values()];
}
