import { stat } from 'node:fs/promises';
import { CliError, exitCodes, usageError } from '../../errors.ts';
import type { NamedFile } from '../../files/locations.ts';
import { type LockWait, lockBeside } from '../../files/lock.ts';
import { followLinks, replaceFile } from '../../files/replace.ts';
import { quoteWord } from '../../format/shell-word.ts';
import type { Host } from '../../host/host.ts';
import { configError, joinErrors } from '../layer.ts';
import { maskedText } from '../settings/provenance.ts';
import { checkChangeable, isWritable, readFileText } from '../yaml/file-text.ts';
import { emptyProfileFile } from './edit.ts';
import { type ProfileFile, parseProfileFile } from './file.ts';

/** An edit: takes the current file and returns the new one. It runs again if another program changes the file first. */
export type ProfileChange = (file: ProfileFile) => Promise<ProfileFile>;

/** How to change a profile file. */
export interface ChangeOptions {
  readonly dryRun?: boolean;
  readonly lockWait?: LockWait;
  /** Whether an existing file keeps its permissions, instead of becoming private. */
  readonly keepsMode?: boolean;
}

/** Whether a change keeps the permissions of a profile file: weir makes its own private, and leaves those of a named one. */
export function keepsMode({ runtime }: Host, { origin }: NamedFile): boolean {
  return origin !== undefined && runtime.uid !== undefined;
}

/**
 * Changes the profile file at `path`, which does not have to exist. The file is read, changed and replaced under a
 * lock, so parallel writers lose nothing. An unchanged text is not written. With `dryRun` the change is computed and
 * checked, but not written.
 * @throws CliError if the file cannot be read or written, or its structure is wrong
 */
export async function changeProfileFile(
  path: string,
  change: ProfileChange,
  { dryRun = false, lockWait, keepsMode: keeps = false }: ChangeOptions = {},
): Promise<ProfileFile> {
  checkChangeable(path);
  const target = await followLinks(path);
  if (dryRun) {
    const before = await readForChange(target);
    const secrets = secretsIn(before);
    const after = await change(before);
    if (keeps && before.text !== emptyProfileFile) await checkSecrets(target, secrets, after);
    return after;
  }
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const done = await changeLocked(target, change, { lockWait, keeps });
    if (done !== undefined) return done;
  }
  throw new CliError(exitCodes.conflict, `unable to write ${path}: other programs keep changing it`, {
    retryable: true,
  });
}

/** Makes one attempt under the lock; undefined if a program that does not use the lock changed the file. */
async function changeLocked(
  target: string,
  change: ProfileChange,
  { lockWait, keeps }: { readonly lockWait: LockWait | undefined; readonly keeps: boolean },
): Promise<ProfileFile | undefined> {
  await using lock = await lockBeside(target, lockWait ?? {});
  const before = await readForChange(target);
  const { text } = before; // `change` modifies the parsed document
  const secrets = secretsIn(before);
  const after = await change(before);
  if (after.errors.length > 0) throw joinErrors(after.errors);
  if (after.text === text) return after;
  if (!isWritable(after.text)) throw configError(`unable to write ${target}: a value contains control characters`);
  const mode = keeps && text !== emptyProfileFile ? await checkSecrets(target, secrets, after) : undefined;
  const isWanted = async () => (await lock.isOurs()) && readText(target) === text;
  return (await replaceFile(target, after.text, isWanted, mode)) ? after : undefined;
}

/** The secrets in a file, by option and value. */
function secretsIn({ profiles }: ProfileFile): ReadonlySet<string> {
  const all = profiles.flatMap(({ options }) => [...options.entries]);
  return new Set(all.flatMap(([key, { value }]) => (maskedText(key, value) === undefined ? [] : `${key}=${value}`)));
}

const openToReaders = 0o044;

/**
 * Ensures that a change adds no secret to a file that keeps its permissions, and that others can read. Returns them.
 * @throws CliError (exit 2) with how to repair it
 */
async function checkSecrets(path: string, before: ReadonlySet<string>, after: ProfileFile): Promise<number> {
  const mode = (await stat(path)).mode & 0o777;
  const added = [...secretsIn(after)].find((one) => !before.has(one));
  if (added === undefined || (mode & openToReaders) === 0) return mode;
  const [key = ''] = added.split('=', 1);
  throw usageError(`unable to store ${key} in ${path}: other users can read it, and weir does not make it private`, {
    target: key,
    hints: [`make it private first: chmod 600 ${quoteWord(path)}`],
  });
}

async function readForChange(path: string): Promise<ProfileFile> {
  const file = await parseProfileFile(path, readText(path));
  if (file.errors.length > 0) throw joinErrors(file.errors);
  return file;
}

/** Returns the file's text, or that of a new file if the file is missing or blank. */
function readText(path: string): string {
  const content = readFileText(path);
  return content === undefined || content.text.trim() === '' ? emptyProfileFile : content.text;
}
