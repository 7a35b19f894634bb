import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { notFoundError, unreachableError, usageError } from '../errors.ts';
import { checkPlace, checkTree, type ExecutedFiles } from '../files/trust.ts';
import { grouped } from '../format/count.ts';
import { withLock } from './lock.ts';
import { execution, type Machine } from './machine.ts';

/** Something that Maven downloads into the cache, once. */
interface Download {
  /** What it is, for messages, for example `Kafka 4.1.1`. */
  readonly what: string;
  /** The directory that it becomes. */
  readonly directory: string;
  /** Path of the `mvn` program; undefined if it is not installed. */
  readonly maven: string | undefined;
  /** What to do without Maven. */
  readonly installHint: string;
  /** The group id whose missing artifact means that this version does not exist. */
  readonly group: string;
  /** Downloads into a scratch directory and returns the directory to keep, which lies inside it. */
  fill(scratch: string, maven: string): Promise<string>;
}

/**
 * Returns the directory of a download. If it is not in the cache, Maven fetches it from the repositories in its own
 * configuration, while other weir processes wait.
 * @throws CliError, among others (exit 6) if another user could change the files
 */
export async function fromCache(machine: Machine, download: Download): Promise<string> {
  const { what, directory, maven, installHint } = download;
  const files: ExecutedFiles = {
    uid: machine.uid,
    what: `the libraries of ${what}`,
    code: 'SANDBOX_LIBRARIES',
    again: 'weir downloads the libraries again',
  };
  await checkPlace(directory, files);
  if (await exists(directory)) return await checked(directory, files);
  if (maven === undefined) {
    throw usageError(`unable to download ${what}: Maven is not installed`, { hints: [installHint] });
  }
  const onWait = (holder: string) => {
    machine.progress(`waiting for another weir process that is downloading ${what}: ${holder}`);
    return machine.lockWait.onWait?.(holder);
  };
  return withLock(dirname(directory), { ...machine.lockWait, onWait }, async () => {
    if (!(await exists(directory))) await fetchInto(directory, (scratch) => download.fill(scratch, maven));
    return await checked(directory, files);
  });
}

/** Nobody else may change what Java runs: neither the directory, which may be a link, nor anything in it. */
async function checked(directory: string, files: ExecutedFiles): Promise<string> {
  await checkPlace(join(directory, 'libraries'), files);
  await checkTree(directory, files);
  return directory;
}

async function fetchInto(directory: string, fill: (scratch: string) => Promise<string>): Promise<void> {
  const parent = dirname(directory);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const scratch = await mkdtemp(join(parent, `.${basename(directory)}-`));
  try {
    await rename(await fill(scratch), directory);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Whether there is a file or directory of this path. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Runs Maven in the scratch directory of a download. @throws CliError that says why it failed */
export async function runMaven(
  machine: Machine,
  download: Pick<Download, 'what' | 'group'>,
  maven: string,
  run: { readonly cwd: string; readonly args: readonly string[] },
): Promise<void> {
  machine.progress(`downloading ${download.what} with Maven (only needed once)`);
  // Maven takes extensions and Java's options from the next .mvn above, where others may have put one.
  await mkdir(join(run.cwd, '.mvn'), { recursive: true });
  const child = execa(maven, ['--batch-mode', ...run.args], {
    cwd: run.cwd,
    ...execution(machine),
    all: true,
    forceKillAfterDelay: 2000,
  });
  let count = 0;
  for await (const line of child.iterable({ from: 'all' })) {
    const [, file, size] =
      /^(?:\[INFO\] )?Downloaded from \S+ \S*\/([^/\s]+\.(?:jar|tar\.gz)) \(([^)]*?) at /.exec(String(line)) ?? [];
    if (file === undefined) continue;
    count += 1;
    machine.progress(`downloaded ${grouped(count, 'file')}: ${file} (${size})`);
  }
  const result = await child;
  machine.signal.throwIfAborted();
  if (result.failed) throw failedDownload(download, tellingLine(String(result.all)), String(result.all));
}

function tellingLine(output: string): string {
  const line = output.split('\n').find((candidate) => candidate.startsWith('[ERROR]'));
  return line === undefined ? 'Maven failed' : line.replace('[ERROR]', '').trim();
}

/** The error of a download that failed; `output` is what Maven printed. */
export function failedDownload({ what, group }: Pick<Download, 'what' | 'group'>, why: string, output: string): Error {
  const message = `unable to download ${what}: ${why}`;
  if (output.includes(`Could not find artifact ${group}:`))
    return notFoundError(`${what} does not exist`, { cause: new Error(message) });
  return unreachableError(message, {
    hints: ['check the repositories in the settings.xml of Maven with: mvn help:effective-settings'],
    cause: new Error(output),
  });
}
