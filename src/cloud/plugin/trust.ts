import { chmod, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError, exitCodes } from '../../errors.ts';
import { codeOf } from '../../files/fault.ts';

const writableByOthers = 0o022;
const writableByAll = 0o002;
const sticky = 0o1000;

/**
 * Ensures that no other user can change the files at these paths: each existing one must belong to the user, and write
 * permissions for others are removed. Does nothing without a `uid`, on a system without user ids.
 * @throws CliError (exit 6) with hints for the repair
 */
export async function checkTrusted(paths: readonly string[], uid: number | undefined): Promise<void> {
  if (uid === undefined) return;
  for (const path of paths) {
    const found = await stat(path).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
      throw unusable(path, error);
    });
    if (found === undefined) continue;
    if (found.uid !== uid) throw foreignOwner(path, found.uid);
    if ((found.mode & writableByOthers) === 0) continue;
    await chmod(path, found.mode & 0o7777 & ~writableByOthers).catch((error: unknown) => {
      throw unusable(path, error);
    });
  }
}

/**
 * Ensures that no other user can replace the directory as a whole: none of the directories above it may be writable by
 * everyone, except those where users can only remove their own files, such as /tmp.
 * @throws CliError (exit 6) with a hint for the repair
 */
export async function checkPlace(directory: string, uid: number | undefined): Promise<void> {
  if (uid === undefined) return;
  for (let at = dirname(directory), below = directory; at !== below; below = at, at = dirname(at)) {
    const mode = (await stat(at).catch(() => undefined))?.mode ?? 0;
    if ((mode & writableByAll) === 0 || (mode & sticky) !== 0) continue;
    throw new CliError(
      exitCodes.conflict,
      `unable to use ${directory}: everyone can write to ${at}, and could replace the plugin`,
      {
        code: 'PLUGIN_STORE_OPEN',
        target: at,
        hints: [`close it: chmod o-w '${at}'`, 'or set XDG_CACHE_HOME to another directory'],
      },
    );
  }
}

function foreignOwner(path: string, owner: number): CliError {
  const whose = owner === 0 ? 'root' : `another user (uid ${owner})`;
  return new CliError(
    exitCodes.conflict,
    `unable to use ${path}: it belongs to ${whose}, who could change the plugin`,
    {
      code: 'PLUGIN_STORE_FOREIGN',
      target: path,
      hints: [
        `take ownership of it: sudo chown -R "$(id -u)" '${path}'`,
        `or remove it, and weir downloads the plugin again: sudo rm -r '${path}'`,
      ],
    },
  );
}

function unusable(path: string, error: unknown): CliError {
  const reason = error instanceof Error ? error.message : String(error);
  return new CliError(exitCodes.failure, `unable to use ${path}: ${reason}`, { target: path, cause: error });
}
