import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { pack } from '../../.ci/release/archive.ts';
import { writeSums } from '../../.ci/release/sums.ts';
import { runner, weir } from '../built.ts';
import { temporaryDirectory } from '../world.ts';

/** A host of repositories that runs jobs: what happens to a repository runs the jobs for that, each in a clone of its own. */
export interface Host {
  /** What was written about the pull request last. */
  comment(): string;
  /** A branch was pushed, and is to be merged. */
  opened(branch: string): Promise<readonly Job[]>;
  /** The main branch was pushed. */
  pushed(): Promise<readonly Job[]>;
  /** It is night. */
  scheduled(): Promise<readonly Job[]>;
  close(): Promise<void>;
}

/** A job that has run. */
export interface Job {
  readonly name: string;
  readonly exitCode: number;
  /** Both streams of all its steps. */
  readonly text: string;
}

/** What a host finds: a repository, and what its settings have. */
export interface Project {
  /** The repository that clones come from. */
  readonly origin: string;
  readonly settings: Readonly<Record<string, string>>;
  /** The variables of the machine that runs the jobs. */
  readonly machine: Readonly<Record<string, string>>;
}

/** Runs git, and returns what it prints. */
export async function git(cwd: string, ...words: readonly string[]): Promise<string> {
  const who = ['-c', 'user.name=ana', '-c', 'user.email=ana@weir.example', '-c', 'init.defaultBranch=main'];
  return (await execa('git', [...who, ...words], { cwd })).stdout;
}

/** Makes a repository with files, and the one that others clone. */
export async function newRepository(
  files: Readonly<Record<string, string>>,
): Promise<{ work: string; origin: string }> {
  const [work, origin] = [temporaryDirectory(), temporaryDirectory()];
  await git(origin, 'init', '--bare', '--quiet');
  await git(work, 'init', '--quiet');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, name)), { recursive: true });
    writeFileSync(join(work, name), text, { mode: name.endsWith('.sh') ? 0o755 : 0o644 });
  }
  await git(work, 'add', '.');
  await git(work, 'commit', '--quiet', '-m', 'the cluster as it is');
  await git(work, 'remote', 'add', 'origin', origin);
  await git(work, 'push', '--quiet', 'origin', 'main');
  return { work, origin };
}

/** Runs a script of a job with the bash of its host. */
export async function runScript(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Omit<Job, 'name'>> {
  const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
  const { exitCode = -1, all } = await execa('bash', words, { cwd, env, extendEnv: false, reject: false, all: true });
  return { exitCode, text: all };
}

/** Packs files of a release that start the weir of this checkout, and returns their address. */
export function newRelease(version: string): string {
  const directory = temporaryDirectory();
  const folder = join(directory, 'stage', `weir-${version}-linux-x64`);
  const release = join(directory, 'release');
  mkdirSync(folder, { recursive: true });
  mkdirSync(release);
  writeFileSync(join(folder, 'weir'), `#!/bin/sh\nexec ${runner} ${weir} "$@"\n`);
  chmodSync(join(folder, 'weir'), 0o755);
  cpSync(resolve('LICENSE'), join(folder, 'LICENSE'));
  pack(folder, join(release, `weir-${version}-linux-x64.tar.gz`), 1_764_000_000);
  writeSums(release);
  return `file://${release}`;
}
