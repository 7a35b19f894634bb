import { CliError, exitCodes } from '../../errors.ts';
import { type LockWait, lockFile } from '../../files/lock.ts';
import { followLinks, makeDirectory, removeLeftovers, replaceFile } from '../../files/replace.ts';
import { configError, joinErrors } from '../resolve/layer.ts';
import { isWritable, readFileText } from '../yaml/file-text.ts';
import { emptyProfileFile } from './edit.ts';
import { type ProfileFile, parseProfileFile } from './file.ts';

/** An edit: the file as it is, to the file as it is to be. It may run again when another writer was faster. */
export type ProfileChange = (file: ProfileFile) => Promise<ProfileFile>;

/**
 * Changes the profile file at `path`, which need not exist: read, changed and replaced under a lock, so
 * that parallel writers lose nothing. A text that stays the same is not written. With `dryRun` the
 * change is worked out, with all its errors, and not written.
 * @throws CliError when the file cannot be read or written, or its structure is wrong
 */
export async function changeProfileFile(
  path: string,
  change: ProfileChange,
  { dryRun = false, lockWait }: { readonly dryRun?: boolean; readonly lockWait?: LockWait } = {},
): Promise<ProfileFile> {
  const target = await followLinks(path);
  if (dryRun) return await change(await readForChange(target));
  await makeDirectory(target);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const done = await changeLocked(target, change, lockWait);
    if (done !== undefined) return done;
  }
  throw new CliError(exitCodes.conflict, `unable to write ${path}: other programs keep changing it`, {
    retryable: true,
  });
}

/** One try under the lock; undefined when the file was changed by somebody who does not use the lock. */
async function changeLocked(
  target: string,
  change: ProfileChange,
  lockWait: LockWait | undefined,
): Promise<ProfileFile | undefined> {
  const lock = await lockFile(`${target}.lock`, lockWait?.signal, lockWait);
  try {
    await removeLeftovers(target);
    const before = await readForChange(target);
    const { text } = before; // the change works on the parsed document itself
    const after = await change(before);
    if (after.errors.length > 0) throw joinErrors(after.errors);
    if (after.text === text) return after;
    if (!isWritable(after.text)) throw configError(`unable to write ${target}: a value holds control characters`);
    const isUnchanged = async () => readText(target) === text;
    return (await replaceFile(target, after.text, async () => (await lock.isOurs()) && (await isUnchanged())))
      ? after
      : undefined;
  } finally {
    await lock.release();
  }
}

async function readForChange(path: string): Promise<ProfileFile> {
  const content = readFileText(path);
  const file = await parseProfileFile(
    path,
    content === undefined || content.text === '' ? emptyProfileFile : content.text,
  );
  if (file.errors.length > 0) throw joinErrors(file.errors);
  return file;
}

/** The file's text; that of a new file where there is none or an empty one. */
function readText(path: string): string {
  const content = readFileText(path);
  return content === undefined || content.text.trim() === '' ? emptyProfileFile : content.text;
}
