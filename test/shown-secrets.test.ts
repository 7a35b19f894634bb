import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const texts = [
  'README.md',
  ...globSync('{docs,completions}/**/*', { cwd: root, withFileTypes: false }).filter((file) =>
    /\.(md|\d|bash|fish)$/.test(file),
  ),
  ...globSync('src/{commands,cli,config,clients,cloud,byoc}/**/*.ts', { cwd: root }),
];

/** Matches a secret typed as the value of an option, flag or variable; `…` and `$(…)` are not values. */
const shown = /\b(?:pass|password|client[_-]secret)[= ](?!=)(?:'[^']*'|["\w](?!\w*\(|\w* is))[\w-]*/gi;
const harmless = /^(?:pass|password|client[_-]secret) (?!PASS|SECRET|'|x\b)/i;

describe('no help, example, guide or hint shows a secret on a command line', () => {
  test.each(texts)('%s', (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const found = [...text.matchAll(/(?:-X|--set|profile set|weir)[^\n`]*/g)].flatMap(([line]) =>
      [...line.matchAll(shown)].map(([match]) => match).filter((match) => !harmless.test(match)),
    );
    expect(found).toEqual([]);
  });
});
