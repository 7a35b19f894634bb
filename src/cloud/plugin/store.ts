import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CliError, exitCodes } from '../../errors.ts';
import type { PluginRelease } from './release.ts';
import { artifactName } from './target.ts';

/** The directory beside the versions in which plugins run; no version begins with a period. */
export const runsDirectory = '.runs';

/** What stands in a plugin's place; `foreign`: not what weir put there, or changed since. */
export type Occupant = 'none' | 'plugin' | 'foreign';

/**
 * Where a plugin is kept: by version, and in its name what its sha256 begins with. A file whose content
 * does not fit its name was therefore never put there by weir.
 */
export function pluginPath(directory: string, { version, target, sha256Prefix }: PluginRelease): string {
  const suffix = target.os === 'windows' ? '.exe' : '';
  return join(directory, version, `${artifactName(target)}.${sha256Prefix}${suffix}`);
}

/** Looks at a plugin's place; a plugin that may not be started is made executable. */
export async function inspectPlugin(path: string): Promise<Occupant> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unwritable(path, error);
  });
  if (found === undefined) return 'none';
  if (!found.isFile() || !(await hashFile(path)).startsWith(prefixOf(path))) return 'foreign';
  if ((found.mode & 0o700) !== 0o700) await chmod(path, 0o755);
  return 'plugin';
}

/**
 * Puts a plugin into its place whole, with mode 0755: written beside it by `fill`, checked, renamed. Whatever
 * goes wrong, what stood there stays.
 * @throws CliError when what was written has another sha256, or cannot be written
 */
export async function storePlugin(path: string, fill: (file: string) => Promise<string>): Promise<void> {
  const aside = asideOf(path);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await removeLeftovers(dirname(path));
    const sha256 = await fill(aside);
    if (!sha256.startsWith(prefixOf(path))) throw mismatch(sha256, prefixOf(path));
    await chmod(aside, 0o755);
    // What came meanwhile: the same plugin, by another weir, or a file that is not ours to replace.
    if ((await inspectPlugin(path)) === 'foreign') throw foreignPlugin(path);
    await rename(aside, path);
  } catch (error) {
    throw error instanceof CliError ? error : unwritable(path, error as NodeJS.ErrnoException);
  } finally {
    await rm(aside, { force: true }).catch(() => undefined);
  }
}

/** A file beside a plugin's place that nobody else writes to. */
export function asideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
}

/** Writes a new file, and reports its sha256 in lower-case hex. Synced, so that a rename never precedes its content. */
export async function writeHashed(file: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  await using output = await open(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  for await (const chunk of chunks) {
    hash.update(chunk);
    await output.writeFile(chunk);
  }
  await output.sync();
  return hash.digest('hex');
}

/** One plugin file, removed or not. */
export interface Removal {
  readonly path: string;
  readonly version: string;
  /** Why it was left where it is; undefined when it was removed. */
  readonly error: CliError | undefined;
}

/** Removes every plugin that weir stored; what is not weir's stays, and is told. With `dryRun` nothing is removed. */
export async function removePlugins(directory: string, { dryRun }: { dryRun: boolean }): Promise<readonly Removal[]> {
  const removals: Removal[] = [];
  for (const version of (await entriesOf(directory)).toSorted()) {
    if (version === runsDirectory) continue;
    const place = join(directory, version);
    for (const name of (await entriesOf(place)).toSorted()) {
      const path = join(place, name);
      if (leftover.test(name)) await (dryRun ? undefined : rm(path, { force: true }));
      else removals.push({ path, version, error: await removeOne(path, dryRun) });
    }
    if (!dryRun) await removeEmpty(place);
  }
  if (!dryRun) await removeEmpty(join(directory, runsDirectory));
  if (!dryRun) await removeEmpty(directory);
  return removals;
}

async function removeOne(path: string, dryRun: boolean): Promise<CliError | undefined> {
  try {
    if (prefixOf(path) === '' || (await inspectPlugin(path)) !== 'plugin') return foreignPlugin(path);
    if (!dryRun) await rm(path);
    return undefined;
  } catch (error) {
    return error instanceof CliError ? error : unwritable(path, error as NodeJS.ErrnoException);
  }
}

async function removeEmpty(directory: string): Promise<void> {
  await rmdir(directory).catch(() => undefined); // not empty, or not there
}

async function entriesOf(directory: string): Promise<readonly string[]> {
  return await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw unwritable(directory, error);
  });
}

const leftover = /^\..*\.part$/;
const leftoverAfterMs = 3_600_000;

/** Removes what downloads left that were killed; one that still runs is younger. */
async function removeLeftovers(directory: string): Promise<void> {
  for (const name of (await readdir(directory)).filter((one) => leftover.test(one))) {
    const path = join(directory, name);
    const age = Date.now() - ((await lstat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > leftoverAfterMs) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** What the sha256 of the plugin at this path begins with; empty for a file that is no plugin's. */
export function prefixOf(path: string): string {
  return /\.(?<prefix>[0-9a-f]{16,64})(?:\.exe)?$/.exec(path)?.groups?.prefix ?? '';
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** The error for a file in a plugin's place that weir did not put there. */
export function foreignPlugin(path: string): CliError {
  return new CliError(
    exitCodes.conflict,
    `the file ${path} stands where the plugin belongs, and is not what weir put there`,
    {
      code: 'PLUGIN_FOREIGN',
      target: path,
      hints: ['it was not started and not changed; remove it, and weir downloads the plugin anew'],
    },
  );
}

function mismatch(computed: string, expected: string): CliError {
  return new CliError(
    exitCodes.failure,
    `the plugin that was downloaded is not the right one: its sha256 is ${computed}, and ${expected}… is expected`,
    {
      code: 'PLUGIN_MISMATCH',
      hints: ['it was not kept and not started; try again, and tell the vendor if it stays so'],
    },
  );
}

function unwritable(path: string, error: NodeJS.ErrnoException): CliError {
  const reason =
    error.code === undefined ? error.message : `${error.code}: ${error.message.split(',')[0]?.split(': ')[1] ?? ''}`;
  return new CliError(exitCodes.failure, `unable to store the plugin at ${path}: ${reason}`, {
    target: path,
    cause: error,
  });
}
