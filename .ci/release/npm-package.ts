import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesInside } from './contents.ts';
import { thirdPartyLicences } from './licences.ts';
import { run } from './run.ts';

/** What a user of the package needs to know; the rest of package.json is for work on weir. */
const kept = [
  ...['name', 'version', 'description', 'keywords', 'homepage', 'bugs', 'repository'],
  ...['license', 'type', 'bin', 'engines'],
];

/**
 * Lays out the npm package in an empty directory: the built program with its manual pages and completions. It has no
 * dependencies, because the bundle contains them, and no scripts.
 */
export function stageNpmPackage(directory: string): void {
  for (const path of ['bin/weir.js', 'bin/old-node.js', 'dist', 'completions', 'README.md', 'LICENSE']) {
    const isOurs = (source: string) => !/^dist\/(release|second-build|weir)/.test(source);
    cpSync(path, join(directory, path), { recursive: true, filter: isOurs });
  }
  writeFileSync(join(directory, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(packagesInside(), false));
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const own = Object.fromEntries(Object.entries(manifest).filter(([key]) => kept.includes(key)));
  const files = ['bin', 'dist', 'completions', 'THIRD-PARTY-LICENSES.txt'];
  // npm links them where `man weir` finds them.
  const man = readdirSync('dist/man').map((page) => `dist/man/${page}`);
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify({ ...own, files, man }, null, 2)}\n`);
}

/** Makes the npm package in the folder of the release. */
export function makeNpmPackage(stage: string, out: string): void {
  stageNpmPackage(stage);
  const packed = run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], { cwd: stage }).trim();
  // npm puts the scope into the name of the file.
  renameSync(join(out, packed), join(out, packed.replace(/^.*(?=weir-)/, '')));
}
