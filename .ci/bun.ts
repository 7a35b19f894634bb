import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The systems that an executable is built for. */
export const targets = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'windows-x64'] as const;

/** A system that an executable is built for, as Node.js names its parts. */
export type Target = (typeof targets)[number];

/** The lock file's entry of a package. */
interface LockedPackage {
  readonly version: string;
  readonly integrity: string;
}

/**
 * Returns the path of Bun for a target: from node_modules, or else from npm, of the version and with the checksum of
 * the lock file.
 */
export function bunOf(target: Target): string {
  const name = `@oven/bun-${target.replace('arm64', 'aarch64')}`;
  const program = `bin/bun${target.startsWith('windows') ? '.exe' : ''}`;
  const installed = resolve('node_modules', name, program);
  if (existsSync(installed)) return installed;
  const { version, integrity } = lockedPackage(name);
  const cache = resolve('node_modules/.cache/bun');
  const kept = join(cache, `${target}-${version}`);
  if (!existsSync(kept)) {
    mkdirSync(cache, { recursive: true });
    const place = mkdtempSync(join(cache, 'new-'));
    try {
      unpack(place, `${name}@${version}`, integrity);
      renameSync(join(place, 'package'), kept);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }
  return join(kept, program);
}

function lockedPackage(name: string): LockedPackage {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage | undefined>>;
  };
  const found = lock.packages[`node_modules/${name}`];
  if (found === undefined) throw new Error(`package-lock.json does not name ${name}`);
  return found;
}

function unpack(place: string, spec: string, integrity: string): void {
  const [algorithm = '', expected] = integrity.split(/-(.*)/s);
  const packed = execFileSync('npm', ['pack', spec, '--silent', '--pack-destination', place], { encoding: 'utf8' });
  const file = join(place, packed.trim().split('\n').at(-1) ?? '');
  const found = createHash(algorithm).update(readFileSync(file)).digest('base64');
  if (found !== expected) throw new Error(`${spec} has the ${algorithm} ${found}, the lock file says ${expected}`);
  execFileSync('tar', ['xzf', file, '-C', place]);
}
