import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { weir } from './world.ts';

const built = new Map<string, string>();

/**
 * Translates a program of this folder to JavaScript, beside weir's build, and gives its path: what is measured must
 * not pay for reading TypeScript. Packages are loaded from where weir's are.
 */
export function program(name: string): string {
  const known = built.get(name);
  if (known !== undefined) return known;
  const outfile = resolve(weir, '../..', `${name}.js`);
  buildSync({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  built.set(name, outfile);
  return outfile;
}
