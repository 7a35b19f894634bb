import { type FileHandle, open, rm } from 'node:fs/promises';
import { nameFile, temporaryBeside, unwritable } from './replace.ts';

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
    const file = await open(aside, 'wx+', 0o600);
    let result: T | undefined;
    try {
      result = await write(file);
      if (result !== undefined) await file.sync();
    } finally {
      await file.close();
    }
    return { result, isCreated: result !== undefined && (await nameFile(aside, path)) };
  } catch (error) {
    throw unwritable(path, error);
  } finally {
    await rm(aside, { force: true }).catch(() => undefined);
  }
}
