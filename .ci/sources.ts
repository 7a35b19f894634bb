import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Written last, so that an unfinished build has none.
const mark = 'dist/.sources';

/** A digest of everything that the build depends on: the sources, how they are bundled, and the versions of packages. */
export function digestOfSources(root = '.'): string {
  const hash = createHash('sha256');
  const files = ['package.json', 'package-lock.json', ...globSync(['src/**/*.*', '.ci/*.ts'], { cwd: root }).sort()];
  for (const file of files) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Forgets what dist/ was built from. */
export function forgetSources(root = '.'): void {
  rmSync(join(root, mark), { force: true });
}

/** Keeps the digest of what dist/ was built from. */
export function keepSources(digest: string, root = '.'): void {
  writeFileSync(join(root, mark), digest);
}

/** Whether dist/ was built from the sources as they are. */
export function isBuilt(root = '.'): boolean {
  const file = join(root, mark);
  return existsSync(file) && readFileSync(file, 'utf8') === digestOfSources(root);
}
