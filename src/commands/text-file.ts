import { isUtf8 } from 'node:buffer';
import type { Context } from '../context.ts';
import { usageError } from '../errors.ts';
import { unreadable } from '../files/fault.ts';
import { absolutePath } from '../files/locations.ts';
import { ReadRefusal, readSmallFile, readStream } from '../files/read.ts';

/** The largest file that is read, in bytes: some hundred thousand lines. */
const largest = 16 << 20;

/**
 * Reads a file, or standard input (`-`).
 * @throws CliError: exit 2 when the file does not exist, is too large or not UTF-8, 1 when it cannot be read
 */
export async function readTextFile(context: Context, file: string): Promise<string> {
  const { host, signal } = context;
  const name = nameOfFile(file);
  if (file === '-' && host.stdin.isTerminal) context.notice('reading standard input; end with Ctrl-D');
  try {
    const bytes = await (file === '-'
      ? readStream(host.stdin.stream, largest, signal)
      : readSmallFile(absolutePath(host, file), largest, signal));
    if (!isUtf8(bytes)) throw new ReadRefusal('not UTF-8 text');
    return bytes.toString('utf8').replace(/^\ufeff/, ''); // the mark of editors on Windows
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ReadRefusal) throw usageError(`unable to use ${name}: it is ${cause.message}`);
    throw unreadable(name, cause, { target: file });
  }
}

/** The name of a file in messages. */
export function nameOfFile(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** Whether a file is JSON or YAML, by its name or by what it begins with. */
export function isData(file: string, content: string): boolean {
  return isDataFile(file) || /^\s*(\[|\{|- |---)/.test(content);
}

/** Whether a file with this name is read as JSON or YAML, whatever it begins with. */
export function isDataFile(file: string): boolean {
  return /\.(json|ya?ml)$/i.test(file);
}
