import { randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, mkdir, open, readdir, readlink, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CliError, exitCodes } from '../errors.ts';
import { codeOf, writeFaultOf } from './fault.ts';

/** Resolves the symbolic links of a path; the target does not have to exist. */
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

/** Creates the directory of `path` if it is missing, with mode 0700. */
export async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** A new name for a temporary file next to `path`, in the form that `removeLeftovers` finds. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
}

const temporary = /^\.(.+)\.[0-9a-f-]{36}\.tmp$/;

/**
 * Replaces a file atomically: writes an exclusive temporary file, syncs and renames it, so that a
 * crash leaves either the old or the new file. Calls `isWanted` just before the rename; if it returns false,
 * changes nothing and returns false.
 * @param mode the mode of the new file
 * @throws CliError if the file cannot be written
 */
export async function replaceFile(
  path: string,
  text: string,
  isWanted: () => Promise<boolean> = async () => true,
  mode = 0o600,
): Promise<boolean> {
  const aside = temporaryBeside(path);
  try {
    await writeSynced(aside, text, { mode, likeOwnerOf: path });
    if (!(await isWanted())) {
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

/**
 * Creates a file that has its whole content from the moment it exists, so that a crash leaves either no file or all of
 * it. Returns the open file; undefined if the path exists, or another process was faster.
 * @param mode less what the umask takes away
 * @throws CliError if the file cannot be written
 */
export async function createWhole(path: string, text: string, mode = 0o600): Promise<FileHandle | undefined> {
  const aside = temporaryBeside(path);
  let file: FileHandle | undefined;
  try {
    file = await open(aside, 'wx', mode);
    await file.writeFile(text);
    if (await nameFile(aside, path)) return file;
    await file.close();
    return undefined;
  } catch (error) {
    await file?.close().catch(() => undefined);
    throw unwritable(path, error);
  } finally {
    await rm(aside, { force: true }).catch(() => undefined);
  }
}

/**
 * Creates a large file that has its whole content from the moment it exists, readable by its owner only.
 * @param write writes it; with undefined as its result, no file is created
 * @returns what `write` returned, and whether the path was free; without that, the file is gone
 * @throws CliError if the file cannot be written, and what `write` throws
 */
export async function createStreamed<T>(
  path: string,
  write: (file: FileHandle) => Promise<T | undefined>,
): Promise<{ readonly result: T | undefined; readonly isCreated: boolean }> {
  const aside = temporaryBeside(path);
  try {
    const result = await writeStreamed(aside, write);
    return { result, isCreated: result !== undefined && (await nameFile(aside, path)) };
  } catch (error) {
    throw unwritable(path, error);
  } finally {
    await rm(aside, { force: true }).catch(() => undefined);
  }
}

async function writeStreamed<T>(
  aside: string,
  write: (file: FileHandle) => Promise<T | undefined>,
): Promise<T | undefined> {
  await using file = await open(aside, 'wx+', 0o600);
  const result = await write(file);
  if (result !== undefined) await file.sync();
  return result;
}

/** What `link` fails with on file systems without hard links, for example FAT. */
const withoutLinks: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Gives the file at `aside` the name `path`; false if that name is taken, or `removeLeftovers` took the file away. */
async function nameFile(aside: string, path: string): Promise<boolean> {
  try {
    await link(aside, path);
    return true;
  } catch (error) {
    if (!withoutLinks.has(codeOf(error))) return falseOn(['EEXIST', 'ENOENT'], error);
  }
  try {
    await using _reserved = await open(path, 'wx', 0o600);
    await rename(aside, path);
    return true;
  } catch (error) {
    return falseOn(['EEXIST'], error);
  }
}

/** Returns false if the error has one of the codes; throws it otherwise. */
function falseOn(codes: readonly string[], error: unknown): false {
  if (codes.includes(codeOf(error) ?? '')) return false;
  throw error;
}

/** Removes temporary files that killed writers left next to `path` and its lock. Requires the file's lock. */
export async function removeLeftovers(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => []);
  const bases = [basename(path), `${basename(path)}.lock`];
  const left = names.filter((name) => bases.includes(temporary.exec(name)?.[1] ?? ''));
  for (const name of left) await rm(join(dirname(path), name), { force: true }).catch(() => undefined);
}

async function writeSynced(
  aside: string,
  text: string,
  { mode, likeOwnerOf }: { readonly mode: number; readonly likeOwnerOf: string },
): Promise<void> {
  await using file = await open(aside, 'wx', 0o600);
  await file.writeFile(text);
  if (mode !== 0o600) await file.chmod(mode);
  await keepOwner(likeOwnerOf, file);
  await file.sync();
}

/**
 * Keeps the owner of a file that another user edits, for example with sudo. By its handle: whoever owns the directory
 * could put a link to any file in the place of the new one, and would get that.
 */
async function keepOwner(path: string, file: FileHandle): Promise<void> {
  const [old, fresh] = await Promise.all([lstat(path).catch(() => undefined), file.stat()]);
  if (old === undefined || (old.uid === fresh.uid && old.gid === fresh.gid)) return;
  await file.chown(old.uid, old.gid).catch(() => undefined);
}

async function syncDirectory(path: string): Promise<void> {
  // Some systems cannot sync a directory; the rename has succeeded in any case.
  const directory = await open(dirname(path), 'r').catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close();
}

/** Says that a file cannot be written, and why; other errors stay as they are. */
function unwritable(path: string, error: unknown): Error {
  if (codeOf(error) === undefined && error instanceof CliError) return error;
  return new CliError(exitCodes.failure, `unable to write ${path}: ${writeFaultOf(error, path)}`, {
    target: path,
    cause: error,
  });
}
