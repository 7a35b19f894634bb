import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../src/serde/random.ts';
import { isTypeScript, type Mutant, mutantsOf, mutate } from './mutator.ts';

/** What to draw. */
export interface Draw {
  /** The root of the checkout. */
  readonly root: string;
  readonly sample: number;
  readonly seed: number;
  /** The folders, files or lines (`FILE:LINE`) to draw from. */
  readonly under: readonly string[];
}

/** Programs of other languages, and what `npm run generate` writes. */
const notDrawn = /\/assembly\/|\/wasm-module\.ts$/;

/**
 * Draws mutants: first a line, each with the same chance, then one of the mutants that begin there. A line that has none
 * (a type, a comment, a text of the help) is drawn again. The same sources and seed give the same mutants.
 */
export async function drawMutants({ root, sample, seed, under }: Draw): Promise<readonly Mutant[]> {
  const isUnder = (file: string, line?: number): boolean =>
    under.some((one) => {
      const [path = '', only] = one.split(':');
      const isPath = file === path || file.startsWith(`${path}/`);
      return isPath && (only === undefined || line === undefined || Number(only) === line);
    });
  const files = globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !notDrawn.test(file) && isUnder(file))
    .sort();
  if (files.length === 0) throw new Error(`no sources below ${under.join(', ')}`);
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const lines = files.flatMap((file) =>
    (texts.get(file) ?? '')
      .split('\n')
      .map((_, index) => ({ file, line: index + 1 }))
      .filter(({ line }) => isUnder(file, line)),
  );
  const known = new Map<string, readonly Mutant[]>();
  const random = seededRandom(seed);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const drawn = new Map<string, Mutant>();
  for (let tries = 0; drawn.size < sample && tries < sample * 200; tries += 1) {
    const { file = '', line = 0 } = pick(lines) ?? {};
    const text = texts.get(file) ?? '';
    const all = known.get(file) ?? (await mutantsOf(file, text));
    known.set(file, all);
    const mutant = pick(all.filter(({ start }) => start.line === line));
    const key = JSON.stringify(mutant);
    if (mutant === undefined || drawn.has(key) || !(await isTypeScript(file, mutate(text, mutant)))) continue;
    drawn.set(key, mutant);
  }
  return [...drawn.values()];
}
