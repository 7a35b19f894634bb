import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of others that is part of what users get. */
export interface Package {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression of its licence. */
  readonly license: string;
  /** The packages that it needs. */
  readonly needs: readonly string[];
  readonly directory: string;
}

// The compiled WebAssembly modules contain parts of its standard library.
const compiledIn = 'node_modules/assemblyscript';

/** Finds the packages that the build contains: esbuild writes the path of each module above its code. */
export function packagesInside(dist = 'dist'): readonly Package[] {
  const modules = /^\s*\/\/ (node_modules\/(?:\S+\/node_modules\/)?(?:@[^/\s]+\/)?[^/\s]+)\/\S+$/gm;
  const directories = new Set([compiledIn]);
  for (const file of globSync(`${dist}/**/*.js`)) {
    for (const [, directory = ''] of readFileSync(file, 'utf8').matchAll(modules)) directories.add(directory);
  }
  return [...directories].map(readPackage).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads what a package says about itself. */
export function readPackage(directory: string): Package {
  const {
    name,
    version,
    license,
    dependencies = {},
  } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  return { name, version, license, needs: Object.keys(dependencies), directory };
}

/** The files of a package that hold its licence and what it asks to be passed on. */
export function licenceFiles({ directory }: Package): readonly string[] {
  const names = readdirSync(directory).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  return names.sort().map((name) => join(directory, name));
}
