import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getuid } from 'node:process';
import { run } from '../run.ts';

/** Makes a root directory that has the C library that the program is linked with, and nothing else. */
export function makeRoot(directory: string, program: string): void {
  for (const name of ['tmp', 'root', 'proc']) mkdirSync(join(directory, name), { recursive: true });
  const libraries = run('ldd', [program]).matchAll(/(\/\S+) \(0x/g);
  for (const [, library = ''] of libraries) {
    const copy = join(directory, library);
    if (existsSync(copy)) continue;
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(library, copy);
  }
}

/** Runs a program with the directory as its root and /proc, which every container has and Bun needs. */
export function runInRoot(directory: string, program: string, args: readonly string[]): string {
  const asRoot = getuid?.() === 0 ? [] : ['--map-root-user'];
  const room = [...asRoot, '--fork', '--pid', '--mount-proc', `--root=${directory}`];
  return run('unshare', [...room, program, ...args], {
    env: { HOME: '/root', PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
}
