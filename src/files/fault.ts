import { dirname } from 'node:path';
import { CliError } from '../errors.ts';

/** The `code` of a system error, for example `ENOENT`; undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof CliError) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const faults: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'not permitted'],
  ['ENOENT', 'it does not exist'],
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

/** Describes why `path` cannot be written: a file that does not exist is created, so what is missing is its directory. */
export function writeFaultOf(error: unknown, path: string): string {
  return codeOf(error) === 'ENOENT' ? `the directory ${dirname(path)} does not exist` : faultOf(error);
}
