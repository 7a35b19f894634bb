import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { codeOf, unreadable } from '../../files/fault.ts';
import { absolutePath } from '../../files/locations.ts';
import { ReadRefusal, readSmallFile } from '../../files/read.ts';

/** How a file is read. */
interface NamedFile {
  readonly maxBytes: number;
  /** What to do if it does not exist. */
  readonly hints?: readonly string[];
}

/**
 * Reads a file that a person named; its path is relative to the working directory.
 * @throws CliError: exit 2 when it does not exist, is too large or has no name, 1 when it cannot be read
 */
export async function readNamedFile(
  { host, signal }: Context,
  file: string,
  { maxBytes, hints = [] }: NamedFile,
): Promise<Buffer> {
  // It would be the working directory.
  if (file === '') throw usageError('the name of the file is empty');
  try {
    return await readSmallFile(absolutePath(host, file), maxBytes, signal);
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ReadRefusal)
      throw usageError(`unable to use ${file}: it is ${cause.message}`, { target: file });
    throw unreadable(file, cause, { target: file, hints: codeOf(cause) === 'ENOENT' ? hints : [] });
  }
}
