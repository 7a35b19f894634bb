import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect, test } from 'vitest';
import { stageNpmPackage } from '../../.ci/release/npm-package.ts';

const place = mkdtempSync(join(tmpdir(), 'weir-npm-package-'));
afterAll(() => rmSync(place, { recursive: true }));
stageNpmPackage(place);

test('has no dependencies, and no scripts that npm would run or warn about', () => {
  const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining([expect.stringMatching(/dependencies|scripts/i)]));
  expect(manifest).toMatchObject({
    name: '@weir-cli/weir',
    bin: { weir: 'bin/weir.js' },
    engines: { node: '>=22.19.0' },
  });
});

test('holds what weir needs, and nothing else', () => {
  const top = new Set(globSync('*', { cwd: place }));
  expect([...top].sort()).toEqual(
    ['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES.txt', 'bin', 'completions', 'dist', 'package.json'].sort(),
  );
  const names = globSync('dist/*', { cwd: place });
  expect(names).toContain('dist/main.js');
  expect(names.filter((name) => !/\.js$|\/(chunks|man)$/.test(name))).toEqual([]);
});

test('runs where no other package is, also with what is rarely needed', async () => {
  const weir = (...args: readonly string[]) =>
    execa(resolve('node_modules/node/bin/node'), [join(place, 'bin/weir.js'), ...args], {
      cwd: place,
      env: { HOME: place, PATH: process.env.PATH },
      extendEnv: false,
      all: true,
    });
  expect((await weir('--version')).stdout).toBe('weir 0.1.0');
  // The widths of other scripts come from a package that loads with the first such text.
  await weir('profile', 'create', 'bücher', '--set', 'brokers=b:1');
  expect((await weir('profile', 'list')).stdout).toContain('bücher');
});
