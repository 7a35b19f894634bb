import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Product } from './sbom.ts';
import { sumOf } from './sums.ts';
import { archiveName, targets } from './targets.ts';

/** The files that tell package managers where a release is: by the name in the folder of the release. */
export const manifests: Readonly<Record<string, string>> = { 'weir.rb': 'Homebrew', 'weir.json': 'Scoop' };

/** Replaces each `{{name}}` of a template; fails if a name has no value. */
export function fill(template: string, values: ReadonlyMap<string, string>): string {
  return template.replaceAll(/\{\{(.*?)\}\}/g, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`the template asks for ${name}, which has no value`);
    return value;
  });
}

/** Makes the Homebrew formula and the Scoop manifest of the archives in the folder, which are downloaded from `url`. */
export function makeManifests(
  { version, description, homepage }: Pick<Product, 'version' | 'description' | 'homepage'>,
  url: string,
  out: string,
): void {
  const values = new Map([
    ['version', version],
    ['description', description],
    ['homepage', homepage],
    ['url', url],
  ]);
  for (const target of targets) {
    const file = archiveName(target, version);
    values.set(`file:${target.name}`, file);
    values.set(`folder:${target.name}`, file.replace(/\.(tar\.gz|zip)$/, ''));
    values.set(`sha256:${target.name}`, sumOf(join(out, file)));
  }
  for (const name of Object.keys(manifests)) {
    const template = readFileSync(new URL(`templates/${name}`, import.meta.url), 'utf8');
    writeFileSync(join(out, name), fill(template, values));
  }
}
