import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env, pid } from 'node:process';
import { fileURLToPath } from 'node:url';
import { run } from './run.ts';

/** The programs that a release needs, and the Debian package of each. */
const programs: Readonly<Record<string, string>> = {
  tar: 'tar',
  gzip: 'gzip',
  zip: 'zip',
  unzip: 'unzip',
  dpkg: 'dpkg',
  rpm: 'rpm',
  ruby: 'ruby',
  ldd: 'libc-bin',
  unshare: 'util-linux',
  go: 'golang-go',
};

/** Fails with what to install if a program is missing. */
export function requirePrograms(): void {
  const directories = (env.PATH ?? '').split(delimiter);
  const missing = Object.keys(programs).filter((name) => !directories.some((one) => existsSync(join(one, name))));
  const packages = missing.map((name) => programs[name]).join(' ');
  if (missing.length > 0)
    throw new Error(`a release needs ${missing.join(', ')}; on Debian run: apt-get install ${packages}`);
  requireGo();
}

/** The go command fetches a newer one for a project since 1.21; before, it fails on the lines of newer ones. */
function requireGo(): void {
  const [, version = ''] = /go(\d+\.\d+)/.exec(run('go', ['version'])) ?? [];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 1 && minor < 21)
    throw new Error(`a release needs Go 1.21 or newer, and this is ${version}: install one from https://go.dev/dl/`);
}

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Makes a tool once for each version of the files that pin it, and returns the directory that holds it. */
function madeOnce(name: string, files: readonly string[], make: (directory: string) => void): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  const cache = join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'weir-release');
  const directory = join(cache, `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(directory)) return directory;
  const draft = `${directory}.${pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    make(draft);
    renameSync(draft, directory);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return directory;
}

/** Returns the program that makes the packages for Linux, compiled from the pinned source. */
export function nfpmProgram(): string {
  const files = [source('nfpm/go.mod'), source('nfpm/go.sum')];
  const build = ['build', '-trimpath', '-mod=readonly', 'github.com/goreleaser/nfpm/v2/cmd/nfpm'];
  const make = (directory: string) =>
    run('go', [...build.slice(0, -1), '-o', join(directory, 'nfpm'), ...build.slice(-1)], {
      cwd: source('nfpm'),
      env: { ...env, CGO_ENABLED: '0', GOFLAGS: '' },
    });
  return join(madeOnce('nfpm', files, make), 'nfpm');
}

/** Returns the directory of the npm packages that checks use. */
export function checkingPackages(): string {
  const files = [source('tools/package.json'), source('tools/package-lock.json')];
  const make = (directory: string) => {
    for (const file of files) copyFileSync(file, join(directory, file.slice(file.lastIndexOf('/') + 1)));
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory });
  };
  return join(madeOnce('npm', files, make), 'node_modules');
}
