import { CliError, exitCodes } from '../errors.ts';
import { codeOf, faultOf } from './fault.ts';
import { readOwnFile } from './read.ts';
import { makeDirectory, replaceFile } from './replace.ts';

/** The most that a record may have, in bytes. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Reads a JSON record of weir's own; undefined if there is no file. Change it only while holding `lockBeside`.
 * @param parse gets the value of the file, or undefined if it is not JSON
 * @throws CliError if the file cannot be read, and what `parse` throws
 */
export function readRecord<T>(path: string, parse: (value: unknown) => T, maxBytes = mostBytes): T | undefined {
  let text: string;
  try {
    text = readOwnFile(path, maxBytes);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw new CliError(exitCodes.failure, `unable to read ${path}: ${faultOf(error)}`, { target: path, cause: error });
  }
  return parse(jsonIn(text));
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Writes a JSON record whole, in a file that only its owner can read (mode 0600 in a directory of 0700).
 * @throws CliError if it cannot be written
 */
export async function writeRecord(
  path: string,
  value: object,
  layout: 'indented' | 'compact' = 'indented',
): Promise<void> {
  await makeDirectory(path);
  await replaceFile(path, layout === 'compact' ? JSON.stringify(value) : `${JSON.stringify(value, null, 2)}\n`);
}
