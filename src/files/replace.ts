import { randomUUID } from 'node:crypto';
import { chown, mkdir, open, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CliError, exitCodes } from '../errors.ts';
import { codeOf, faultOf } from './fault.ts';

/** The file that a path leads to: the target of a symbolic link, also when it does not exist yet. */
export async function followLinks(path: string): Promise<string> {
  let at = path;
  for (let depth = 0; depth < 40; depth += 1) {
    const next = await readlink(at).catch(() => undefined);
    if (next === undefined) break;
    at = resolve(dirname(at), next);
  }
  return await realpath(dirname(at)).then(
    (directory) => join(directory, basename(at)),
    () => at,
  );
}

/** Makes the directory of `path`, closed to other users where it is new. */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** A new name beside `path` for a file that does not stay; `removeLeftovers` knows it. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
}

const temporary = /^\.(.+)\.[0-9a-f-]{36}\.tmp$/;

/**
 * Replaces a file whole, readable by its owner only: written to an exclusive temporary file, synced
 * and renamed, so that after a crash there is the old one or the new one. `stillWanted` is asked last.
 * Returns false, with nothing changed, when it says no.
 * @throws CliError when the file cannot be written
 */
export async function replaceFile(path: string, text: string, stillWanted: () => Promise<boolean>): Promise<boolean> {
  const aside = temporaryBeside(path);
  try {
    await writeSynced(aside, text);
    await keepOwner(path, aside);
    if (!(await stillWanted())) {
      await rm(aside, { force: true });
      return false;
    }
    await rename(aside, path);
    await syncDirectory(path);
    return true;
  } catch (error) {
    await rm(aside, { force: true }).catch(() => undefined);
    throw unwritable(path, error);
  }
}

/** Removes what writers that were killed left beside `path` and its lock. Call it with the file's lock held. */
export async function removeLeftovers(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => []);
  const own = [basename(path), `${basename(path)}.lock`];
  const left = names.filter((name) => own.includes(temporary.exec(name)?.[1] ?? ''));
  for (const name of left) await rm(join(dirname(path), name), { force: true }).catch(() => undefined);
}

async function writeSynced(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(text);
  await file.sync();
}

/** A file edited with the rights of another user (sudo) still belongs to its owner. */
async function keepOwner(path: string, aside: string): Promise<void> {
  const [old, fresh] = await Promise.all([stat(path).catch(() => undefined), stat(aside)]);
  if (old === undefined || (old.uid === fresh.uid && old.gid === fresh.gid)) return;
  await chown(aside, old.uid, old.gid).catch(() => undefined);
}

async function syncDirectory(path: string): Promise<void> {
  // Not every system lets a directory be synced; the rename itself is done.
  const directory = await open(dirname(path), 'r').catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}

function unwritable(path: string, error: unknown): Error {
  if (codeOf(error) === undefined && error instanceof CliError) return error;
  return new CliError(exitCodes.failure, `unable to write ${path}: ${faultOf(error)}`, { target: path, cause: error });
}
