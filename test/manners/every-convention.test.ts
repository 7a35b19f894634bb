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

/** Those that weir does not follow in every point, and why. */
const exceptions: Readonly<Record<string, string>> = {
  A3: '`-o`, `-f` and `-n` are what they are in rpk, mostly `--offset`, `--record-format` and `--num`: lines of rpk work',
  A4: 'a file that must be named cannot be `-`, nor can a file beside the result, which has standard output',
  O7: 'times of text are UTC and not local: the same on every machine, and in logs',
  O8: 'cells that do not fit wrap instead of ending with `…`: every name and id can be read and copied',
  C4: '`…` and `→` are always UTF-8: no status depends on them, and names from a cluster are UTF-8, too',
  T4: 'no pager: output is the same in every place',
  U1: 'no notice about new versions: weir connects only to what the user names',
};

test('every convention has a test whose name begins with its id, or is an exception', () => {
  const tests = globSync('test/**/*.test.ts').map((path) => readFileSync(path, 'utf8'));
  const titles = tests.flatMap((text) =>
    [...text.matchAll(/['"`]((?:[A-Z]\d(?:, )?)+): /g)].map(([, ids = '']) => ids),
  );
  const proved = new Set([...titles.flatMap((ids) => ids.split(', ')), ...Object.keys(exceptions)]);
  const all = Object.entries(conventions).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, at) => `${letter}${at + 1}`),
  );
  expect(all.filter((id) => !proved.has(id))).toEqual([]);
});
