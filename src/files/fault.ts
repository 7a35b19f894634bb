import { dirname } from 'node:path';
import { CliError, type ErrorDetails, exitCodes } from '../errors.ts';

/** The `code` of a system error, for example `ENOENT`; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof CliError) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Why a file that does not exist cannot be read. */
export const noSuchFile = 'no such file';

const faults: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'not permitted'],
  ['ENOENT', noSuchFile],
  ['ENOTDIR', 'a part of its path is not a directory'],
  ['EISDIR', 'it is a directory'],
  ['ELOOP', 'its symbolic links form a loop'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space left on the disk'],
  ['ENAMETOOLONG', 'its name is too long'],
]);

/** Describes a system error in plain words. */
export function faultOf(error: unknown): string {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return (code === undefined ? undefined : faults.get(code)) ?? message.replace(/\p{Cc}/gu, '?');
}

/**
 * Creates the error for a file that was named and cannot be read: exit 2 if there is none, because its name is wrong, and
 * otherwise 1.
 */
export function unreadable(name: string, cause: unknown, details: ErrorDetails = {}): CliError {
  const isAbsent = codeOf(cause) === 'ENOENT';
  return new CliError(isAbsent ? exitCodes.usage : exitCodes.failure, `unable to read ${name}: ${faultOf(cause)}`, {
    ...(isAbsent && { code: 'NO_SUCH_FILE' }),
    cause,
    ...details,
  });
}

/** Describes why `path` cannot be written: a file that does not exist is created, so what is missing is its directory. */
export function writeFaultOf(error: unknown, path: string): string {
  return codeOf(error) === 'ENOENT' ? `the directory ${dirname(path)} does not exist` : faultOf(error);
}
