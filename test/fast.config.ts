import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { mergeConfig } from 'vitest/config';
import { longest } from './services/longest-first.ts';
import config from './vitest.config.ts';

/** What starts other programs (real brokers and registries, the build of weir), and what reads the build. */
const starters = ['services/services.ts', 'services/registry.ts', 'built.ts', '../.ci/release/contents.ts'].map(
  (path) => join(import.meta.dirname, path),
);

/** It starts a process only when the tests are about an executable. */
const world = join(import.meta.dirname, 'world.ts');

const startsPrograms = new Map<string, boolean>([[world, false], ...starters.map((path) => [path, true] as const)]);

/** Whether a file of the tests starts other programs, itself or through a file of the tests that it imports. */
function doesStartPrograms(path: string): boolean {
  const known = startsPrograms.get(path);
  if (known !== undefined) return known;
  startsPrograms.set(path, false); // for files that import each other
  const text = readFileSync(path, 'utf8');
  const imported = [...text.matchAll(/ from '(\.[^']*\.ts)'/g)].map(([, to = '']) => resolve(dirname(path), to));
  const starts =
    /'(node:child_process|execa)'/.test(text) ||
    imported.some((to) => (to.startsWith(import.meta.dirname) || starters.includes(to)) && doesStartPrograms(to));
  startsPrograms.set(path, starts);
  return starts;
}

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join(import.meta.dirname, name));

/** `npm run test:fast`: the tests that start no other programs and are not among the longest. */
export default mergeConfig(config, {
  test: { exclude: files.filter((path) => doesStartPrograms(path) || longest.includes(path)) },
});
