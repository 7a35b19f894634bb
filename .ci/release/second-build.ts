import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { execPath } from 'node:process';
import { run } from './run.ts';
import { sumsName } from './sums.ts';

/**
 * Makes the release again in a copy of the checkout at another place, with the arguments of make.ts. Returns the names of
 * the files that differ from those in the first folder.
 */
export function differences(out: string, args: readonly string[]): readonly string[] {
  // On the same file system, for hard links: symbolic ones would lead back to the paths of this checkout.
  const copy = mkdtempSync(resolve('dist/second-build-'));
  try {
    // What git knows or would add: as the release sees it.
    const names = run('git', ['ls-files', '--cached', '--others', '--exclude-standard']).trim().split('\n');
    for (const name of names) {
      mkdirSync(dirname(join(copy, name)), { recursive: true });
      cpSync(name, join(copy, name));
    }
    run('cp', ['--archive', '--link', 'node_modules', copy]);
    run(execPath, ['.ci/release/make.ts', '--out', join(copy, 'out'), ...args], { cwd: copy });
    const [first, second] = [out, join(copy, 'out')].map((folder) => linesOf(join(folder, sumsName)));
    return [...new Set([...(first ?? []), ...(second ?? [])])]
      .filter((line) => !(first?.has(line) && second?.has(line)))
      .map((line) => line.slice(66));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function linesOf(file: string): ReadonlySet<string> {
  return new Set(readFileSync(file, 'utf8').trim().split('\n'));
}
