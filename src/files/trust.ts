import type { Stats } from 'node:fs';
import { chmod, lstat, readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../errors.ts';
import { quoteWord } from '../format/shell-word.ts';
import { codeOf } from './fault.ts';

const writableByOthers = 0o022;
const writableByAll = 0o002;
const sticky = 0o1000;
const mostLinks = 40;

/** Files that weir runs, and whom it trusts with them. */
export interface ExecutedFiles {
  /** The user whose files are trusted; undefined on a system without user ids. */
  readonly uid: number | undefined;
  /** What the files are, for messages, for example `the plugin`. */
  readonly what: string;
  /** How the codes of the errors begin, for example `PLUGIN_STORE`. */
  readonly code: string;
  /** What happens after they were removed, for example `weir downloads the plugin again`. */
  readonly again: string;
  /** The permissions that others lose if they have them (default: to write). */
  readonly closes?: number;
  /** What else to do about a directory that others can change (default: advice about the cache directory). */
  readonly elsewhere?: string;
}

/**
 * Ensures that no other user can change the files at these paths: each existing one must belong to the user, and write
 * permissions for others are removed. Does nothing on a system without user ids.
 * @throws CliError (exit 6) with hints for the repair
 */
export async function checkTrusted(paths: readonly string[], files: ExecutedFiles): Promise<void> {
  if (files.uid === undefined) return;
  for (const path of paths) {
    const stats = await stat(path).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
      throw unusable(path, error);
    });
    if (stats === undefined) continue;
    if (stats.uid !== files.uid) throw foreignOwner(path, stats.uid, files);
    await close(path, stats, files);
  }
}

/**
 * Ensures that only the user or root can change a file, without changing its permissions. A file that only the user's
 * private group can write to is accepted.
 * @throws CliError (exit 6) with hints for the repair
 */
export async function checkUnchanged(path: string, files: ExecutedFiles): Promise<void> {
  const stats = await stat(path).catch((error: unknown) => {
    throw unusable(path, error);
  });
  if (stats.uid !== files.uid && stats.uid !== 0) {
    throw new CliError(
      exitCodes.conflict,
      `unable to use ${path}: it belongs to another user (uid ${stats.uid}), who could change ${files.what}`,
      { code: `${files.code}_FOREIGN`, target: path, hints: ['run weir as that user, or use a copy of your own'] },
    );
  }
  if ((stats.mode & writableByOthers) === 0 || ((stats.mode & writableByAll) === 0 && isPrivateGroup(stats))) return;
  throw new CliError(exitCodes.conflict, `unable to use ${path}: other users can change ${files.what}`, {
    code: `${files.code}_OPEN`,
    target: path,
    hints: [`close it: chmod go-w ${quoteWord(path)}`],
  });
}

/** Like `checkTrusted`, for a directory and everything in it, which may also belong to root. */
export async function checkTree(directory: string, files: ExecutedFiles): Promise<void> {
  if (files.uid === undefined) return;
  const names = await readdir(directory, { recursive: true }).catch((error: unknown) => {
    throw unusable(directory, error);
  });
  for (const path of [directory, ...names.map((name) => join(directory, name))]) {
    const stats = path === directory ? await stat(path) : await statusOf(path);
    if (stats === undefined) continue; // a lock of another weir, for example
    if (stats.uid !== files.uid && stats.uid !== 0) throw foreignOwner(path, stats.uid, files);
    if (!stats.isSymbolicLink()) await close(path, stats, files);
  }
}

/** Removes the permissions of others. */
async function close(path: string, { mode }: Stats, { closes = writableByOthers }: ExecutedFiles): Promise<void> {
  if ((mode & closes) === 0) return;
  await chmod(path, mode & 0o7777 & ~closes).catch((error: unknown) => {
    throw unusable(path, error);
  });
}

/**
 * Ensures that no other user can replace what is at a path: every directory above it, and above the target of every
 * symbolic link on the way, must belong to root or the user. None may be writable by others, except those where users
 * can only remove their own files, such as /tmp, and those that only the user's private group can write to, as a umask
 * of 002 makes them. The rest of a path that does not exist is not checked.
 * @throws CliError (exit 6) with a hint for the repair
 */
export async function checkPlace(path: string, files: ExecutedFiles): Promise<void> {
  if (files.uid === undefined) return;
  const rest = path.split('/');
  let at = '/';
  for (let links = 0; rest.length > 0 && links < mostLinks; ) {
    const name = rest.shift() ?? '';
    if (name === '' || name === '.') continue;
    const next = join(at, name);
    checkAbove(path, at, await statusOf(at), files);
    const stats = await statusOf(next);
    if (stats === undefined) return;
    if (!stats.isSymbolicLink()) at = next;
    else {
      // Only the owner of a link in a directory such as /tmp can replace it.
      checkOwner(path, next, stats, files);
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

function checkAbove(path: string, at: string, stats: Stats | undefined, files: ExecutedFiles): void {
  if (stats === undefined) return;
  checkOwner(path, at, stats, files);
  if ((stats.mode & writableByOthers) === 0 || (stats.mode & sticky) !== 0) return;
  if ((stats.mode & writableByAll) === 0 && isPrivateGroup(stats)) return;
  throw new CliError(
    exitCodes.conflict,
    `unable to use ${path}: other users can write to ${at}, and could replace ${files.what}`,
    {
      code: `${files.code}_OPEN`,
      target: at,
      hints: [`close it: chmod go-w ${quoteWord(at)}`, `or ${files.elsewhere ?? anotherDirectory}`],
    },
  );
}

/** By convention, the group of a user alone has the number of the user. That of root is shared in some containers. */
function isPrivateGroup({ uid, gid }: Stats): boolean {
  return gid === uid && uid !== 0;
}

const anotherDirectory = 'set XDG_CACHE_HOME to another directory';

function checkOwner(path: string, at: string, stats: Stats, { uid, what, code, elsewhere }: ExecutedFiles): void {
  if (stats.uid === uid || stats.uid === 0) return;
  throw new CliError(
    exitCodes.conflict,
    `unable to use ${path}: ${at} belongs to another user (uid ${stats.uid}), who could replace ${what}`,
    { code: `${code}_FOREIGN`, target: at, hints: [elsewhere ?? 'set XDG_CACHE_HOME to a directory of your own'] },
  );
}

function foreignOwner(path: string, owner: number, { what, code, again }: ExecutedFiles): CliError {
  const whose = owner === 0 ? 'root' : `another user (uid ${owner})`;
  return new CliError(exitCodes.conflict, `unable to use ${path}: it belongs to ${whose}, who could change ${what}`, {
    code: `${code}_FOREIGN`,
    target: path,
    hints: [
      `take ownership of it: sudo chown -R "$(id -u)" ${quoteWord(path)}`,
      `or remove it, and ${again}: sudo rm -r ${quoteWord(path)}`,
    ],
  });
}

function unusable(path: string, error: unknown): CliError {
  const reason = error instanceof Error ? error.message : String(error);
  return new CliError(exitCodes.failure, `unable to use ${path}: ${reason}`, { target: path, cause: error });
}
