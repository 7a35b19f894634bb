import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CliError, exitCodes } from '../../errors.ts';
import { artifactName, type PluginRelease } from './release.ts';

/** The directory for the private copies that are executed; versions never start with a period. */
export const runsDirectory = '.runs';

/** What is at a plugin's path; `foreign` is a file that weir did not store, or that was changed since. */
export type Occupant = 'none' | 'plugin' | 'foreign';

/**
 * The path of a stored plugin, which contains the version and the prefix of the sha256. A file whose content does not
 * match its name was therefore not stored by weir.
 */
export function pluginPath(directory: string, { version, target, sha256Prefix }: PluginRelease): string {
  const suffix = target.os === 'windows' ? '.exe' : '';
  return join(directory, version, `${artifactName(target)}.${sha256Prefix}${suffix}`);
}

/** Checks what is at a plugin's path; makes a plugin executable if it is not. */
export async function inspectPlugin(path: string): Promise<Occupant> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unwritable(path, error);
  });
  if (stats === undefined) return 'none';
  if (!stats.isFile() || !(await hashFile(path)).startsWith(prefixOf(path))) return 'foreign';
  if ((stats.mode & 0o700) !== 0o700) await chmod(path, 0o755);
  return 'plugin';
}

/**
 * Stores a plugin atomically with mode 0755: `fill` writes a temporary file, which is verified and renamed. On any
 * failure, the existing file is kept.
 * @throws CliError if the sha256 does not match or the file cannot be written
 */
export async function storePlugin(path: string, fill: (file: string) => Promise<string>): Promise<void> {
  const aside = asideOf(path);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await removeLeftovers(dirname(path));
    const sha256 = await fill(aside);
    if (!sha256.startsWith(prefixOf(path))) throw mismatch(sha256, prefixOf(path));
    await chmod(aside, 0o755);
    // Another weir may have stored the same plugin in the meantime; any other file must not be replaced.
    if ((await inspectPlugin(path)) === 'foreign') throw foreignPlugin(path);
    await rename(aside, path);
  } catch (error) {
    throw error instanceof CliError ? error : unwritable(path, error as NodeJS.ErrnoException);
  } finally {
    await rm(aside, { force: true }).catch(() => undefined);
  }
}

/** A unique temporary file name next to a plugin's path. */
export function asideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
}

/** Writes and syncs a new file, and returns its sha256 in lower-case hex. */
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

/** A file where plugins are stored. */
export interface StoredPlugin {
  readonly path: string;
  readonly version: string;
  /** Why it is not weir's to remove; undefined for a plugin that weir stored. */
  readonly error: CliError | undefined;
}

/** The plugins that weir stored, and the other files beside them. */
export async function storedPlugins(directory: string): Promise<readonly StoredPlugin[]> {
  const plugins: StoredPlugin[] = [];
  for (const version of await versionsIn(directory)) {
    for (const name of (await entriesOf(join(directory, version))).toSorted()) {
      const path = join(directory, version, name);
      if (!leftover.test(name)) plugins.push({ path, version, error: await refusalToRemove(path) });
    }
  }
  return plugins;
}

/** Removes plugins, and what is left of downloads; returns why one was not removed, in their order. */
export async function removePlugins(
  directory: string,
  plugins: readonly Pick<StoredPlugin, 'path'>[],
): Promise<readonly (CliError | undefined)[]> {
  const errors: (CliError | undefined)[] = [];
  for (const { path } of plugins) errors.push(await removeOne(path));
  const versions = (await versionsIn(directory)).map((version) => join(directory, version));
  for (const version of versions) {
    for (const name of (await entriesOf(version)).filter((one) => leftover.test(one)))
      await rm(join(version, name), { force: true });
  }
  for (const one of [...versions, join(directory, runsDirectory), directory]) await removeEmpty(one);
  return errors;
}

async function versionsIn(directory: string): Promise<readonly string[]> {
  return (await entriesOf(directory)).filter((version) => version !== runsDirectory).toSorted();
}

async function refusalToRemove(path: string): Promise<CliError | undefined> {
  try {
    return prefixOf(path) === '' || (await inspectPlugin(path)) !== 'plugin' ? foreignPlugin(path) : undefined;
  } catch (error) {
    return error instanceof CliError ? error : unwritable(path, error as NodeJS.ErrnoException);
  }
}

/** Removes a plugin, unless it was changed since it was looked at. */
async function removeOne(path: string): Promise<CliError | undefined> {
  const refusal = await refusalToRemove(path);
  if (refusal !== undefined) return refusal;
  return await rm(path).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => unwritable(path, error),
  );
}

async function removeEmpty(directory: string): Promise<void> {
  await rmdir(directory).catch(() => undefined); // not empty, or missing
}

async function entriesOf(directory: string): Promise<readonly string[]> {
  return await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw unwritable(directory, error);
  });
}

const leftover = /^\..*\.part$/;
const leftoverAfterMs = 3_600_000;

/** Removes the files of killed downloads; files of running downloads are newer. */
async function removeLeftovers(directory: string): Promise<void> {
  for (const name of (await readdir(directory)).filter((one) => leftover.test(one))) {
    const path = join(directory, name);
    const age = Date.now() - ((await lstat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > leftoverAfterMs) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** The sha256 prefix in a plugin's path; empty if the path is not a plugin's. */
export function prefixOf(path: string): string {
  return /\.(?<prefix>[0-9a-f]{16,64})(?:\.exe)?$/.exec(path)?.groups?.prefix ?? '';
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Creates the error for a file at a plugin's path that weir did not store. */
export function foreignPlugin(path: string): CliError {
  return new CliError(
    exitCodes.conflict,
    `the file ${path} is not a plugin that weir stored, or it was changed since`,
    {
      code: 'PLUGIN_FOREIGN',
      target: path,
      hints: ['remove it, and weir downloads the plugin again; it was not started or changed'],
    },
  );
}

function mismatch(computed: string, expected: string): CliError {
  return new CliError(
    exitCodes.failure,
    `the downloaded plugin has the wrong sha256: it is ${computed}, not ${expected}…`,
    {
      code: 'PLUGIN_MISMATCH',
      hints: ['try again, and tell the vendor if the problem persists; the download was deleted'],
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
