import { chmodSync, copyFileSync, cpSync, globSync, lutimesSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { env } from 'node:process';
import { packagesInside } from './contents.ts';
import { thirdPartyLicences } from './licences.ts';
import { run } from './run.ts';
import { programName, type Target } from './targets.ts';

/** Lays out what the archive of a target contains in the directory, which gives its name to the archive's only folder. */
export function layOutArchive(target: Target, executable: string, directory: string): void {
  mkdirSync(join(directory, 'man'), { recursive: true });
  copyFileSync(executable, join(directory, programName(target)));
  cpSync('dist/man', join(directory, 'man/man1'), { recursive: true });
  cpSync('completions', join(directory, 'completions'), { recursive: true });
  for (const path of ['LICENSE', 'README.md', 'CHANGELOG.md']) copyFileSync(path, join(directory, path));
  writeFileSync(join(directory, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(packagesInside(), true));
  chmodSync(join(directory, programName(target)), 0o755);
}

/** Packs a directory so that the same files always give the same bytes: sorted, of nobody, all of one time. */
export function pack(directory: string, file: string, epoch: number): void {
  const paths = [directory, ...globSync(`${directory}/**`).sort()];
  for (const path of paths) settle(path, epoch);
  const parent = dirname(directory);
  if (file.endsWith('.zip')) {
    const names = [...new Set(paths)].filter((path) => statSync(path).isFile()).map((path) => relative(parent, path));
    run('zip', ['-q', '-X', '-@', file], { cwd: parent, env: { ...env, TZ: 'UTC' }, input: names.join('\n') });
  } else {
    const steady = ['--sort=name', '--format=ustar', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${epoch}`];
    run('tar', [...steady, '-I', 'gzip -6n', '-C', parent, '-cf', file, basename(directory)]);
  }
}

/** Gives a file the time of the release and permissions that do not depend on the umask. */
function settle(path: string, epoch: number): void {
  const { mode } = statSync(path);
  chmodSync(path, (mode & 0o100) === 0 ? 0o644 : 0o755);
  lutimesSync(path, epoch, epoch);
}
