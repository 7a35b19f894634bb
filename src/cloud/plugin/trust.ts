import type { Stats } from 'node:fs';
import { chmod, lstat, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../../errors.ts';
import { codeOf } from '../../files/fault.ts';

const writableByOthers = 0o022;
const writableByAll = 0o002;
const sticky = 0o1000;
const mostLinks = 40;

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
 * Ensures that no other user can replace what is at a path: every directory above it, and above the target of every
 * symbolic link on the way, must belong to root or the user. None may be writable by others, except those where users
 * can only remove their own files, such as /tmp, and those that only the user's private group can write to, as a umask
 * of 002 makes them. The rest of a path that does not exist is not checked.
 * @throws CliError (exit 6) with a hint for the repair
 */
export async function checkPlace(path: string, uid: number | undefined): Promise<void> {
  if (uid === undefined) return;
  const rest = path.split('/');
  let at = '/';
  for (let links = 0; rest.length > 0 && links < mostLinks; ) {
    const name = rest.shift() ?? '';
    if (name === '' || name === '.') continue;
    const next = join(at, name);
    checkAbove(path, at, await statusOf(at), uid);
    const found = await statusOf(next);
    if (found === undefined) return;
    if (!found.isSymbolicLink()) at = next;
    else {
      // Only the owner of a link in a directory such as /tmp can replace it.
      checkOwner(path, next, found, uid);
      links += 1;
      const target = await readlink(next);
      rest.unshift(...target.split('/'));
      if (target.startsWith('/')) at = '/';
    }
  }
}

async function statusOf(path: string): Promise<Stats | undefined> {
  return await lstat(path).catch(() => undefined);
}

function checkAbove(path: string, at: string, found: Stats | undefined, uid: number): void {
  if (found === undefined) return;
  checkOwner(path, at, found, uid);
  if ((found.mode & writableByOthers) === 0 || (found.mode & sticky) !== 0) return;
  if ((found.mode & writableByAll) === 0 && isPrivateGroup(found)) return;
  throw new CliError(
    exitCodes.conflict,
    `unable to use ${path}: other users can write to ${at}, and could replace the plugin`,
    {
      code: 'PLUGIN_STORE_OPEN',
      target: at,
      hints: [`close it: chmod go-w '${at}'`, elsewhere],
    },
  );
}

/** By convention, the group of a user alone has the number of the user. That of root is shared in some containers. */
function isPrivateGroup({ uid, gid }: Stats): boolean {
  return gid === uid && uid !== 0;
}

const elsewhere = 'or set XDG_CACHE_HOME to another directory';

function checkOwner(path: string, at: string, found: Stats, uid: number): void {
  if (found.uid === uid || found.uid === 0) return;
  throw new CliError(
    exitCodes.conflict,
    `unable to use ${path}: ${at} belongs to another user (uid ${found.uid}), who could replace the plugin`,
    { code: 'PLUGIN_STORE_FOREIGN', target: at, hints: ['set XDG_CACHE_HOME to a directory of your own'] },
  );
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
