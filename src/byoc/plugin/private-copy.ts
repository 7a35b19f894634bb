import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CliError, exitCodes } from '../../errors.ts';
import { foreignPlugin, prefixOf, runsDirectory, writeHashed } from './store.ts';

const leftoverAfterMs = 7 * 24 * 3_600_000;

/**
 * Copies a plugin to a private directory, verifies the copied bytes, and passes the copy to `work`; removes it
 * afterwards. Replacing the stored file between the check and the start therefore has no effect. The directory of
 * all copies stays until the plugins are removed: to remove it here could take it from a run that begins.
 * @throws CliError (exit 6) if the bytes are not the plugin's
 */
export async function withPrivateCopy<T>(
  path: string,
  directory: string,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const runs = join(directory, runsDirectory);
  const place = join(runs, randomUUID());
  try {
    const copy = await makeCopy(path, runs, place);
    return await work(copy);
  } finally {
    await rm(place, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function makeCopy(path: string, runs: string, directory: string): Promise<string> {
  const copy = join(directory, basename(path));
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await removeLeftovers(runs);
    await using source = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const sha256 = await writeHashed(copy, source.createReadStream({ autoClose: false }));
    if (!sha256.startsWith(prefixOf(path))) throw foreignPlugin(path);
    await chmod(copy, 0o500);
    return copy;
  } catch (error) {
    if (error instanceof CliError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(exitCodes.failure, `unable to copy the plugin ${path}: ${reason}`, {
      target: path,
      cause: error,
    });
  }
}

/** Removes copies older than a week, which killed processes left; no plugin runs that long. */
async function removeLeftovers(runs: string): Promise<void> {
  for (const name of await readdir(runs)) {
    const path = join(runs, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age > leftoverAfterMs) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
