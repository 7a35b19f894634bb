import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { digestOfSources, forgetSources, isBuilt, keepSources } from '../.ci/sources.ts';
import { temporaryDirectory } from './world.ts';

let root: string;

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

beforeEach(() => {
  root = temporaryDirectory();
  for (const file of [
    'package.json',
    'package-lock.json',
    'src/main.ts',
    'src/cli/run.ts',
    '.ci/build.ts',
    'dist/main.js',
  ])
    write(file, 'one');
  keepSources(digestOfSources(root), root);
});

test('a build is up to date while its sources are the same, whatever else changes', () => {
  write('src/main.ts', 'one');
  write('dist/main.js', 'another');
  write('test/main.test.ts', 'another');
  expect(isBuilt(root)).toBe(true);
});

test.each<readonly [what: string, change: () => void]>([
  ['a source that is changed', () => write('src/cli/run.ts', 'two')],
  ['one that is added', () => write('src/cli/more.ts', '')],
  ['one that is removed', () => rmSync(join(root, 'src/cli/run.ts'))],
  ['one that has another name', () => renameSync(join(root, 'src/cli/run.ts'), join(root, 'src/cli/ran.ts'))],
  ['another way to bundle', () => write('.ci/build.ts', 'two')],
  ['other packages', () => write('package-lock.json', 'two')],
  ['a build that has begun', () => forgetSources(root)],
  ['no build', () => rmSync(join(root, 'dist'), { recursive: true })],
])('%s needs a new build', (_, change) => {
  change();
  expect(isBuilt(root)).toBe(false);
});
