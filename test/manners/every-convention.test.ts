import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The conventions of command lines that weir follows: output, color, terminals, prompts, and so on. */
const conventions = {
  A: 4,
  K: 2,
  O: 9,
  C: 4,
  T: 4,
  P: 4,
  D: 1,
  E: 2,
  S: 5,
  F: 5,
  N: 3,
  U: 2,
  V: 2,
  H: 2,
  L: 2,
};

test('every convention has a test whose name begins with its id, or a reason in docs/differences.md', () => {
  const tests = globSync('test/**/*.test.ts').map((path) => readFileSync(path, 'utf8'));
  const titles = tests.flatMap((text) =>
    [...text.matchAll(/['"`]((?:[A-Z]\d(?:, )?)+): /g)].map(([, ids = '']) => ids),
  );
  const reasons = [...readFileSync('docs/differences.md', 'utf8').matchAll(/^\| ([A-Z]\d) /gm)].map(
    ([, id = '']) => id,
  );
  const proved = new Set([...titles.flatMap((ids) => ids.split(', ')), ...reasons]);
  const all = Object.entries(conventions).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, at) => `${letter}${at + 1}`),
  );
  expect(all.filter((id) => !proved.has(id))).toEqual([]);
});
