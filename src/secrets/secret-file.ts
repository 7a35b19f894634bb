import { statSync } from 'node:fs';
import { faultOf } from '../files/fault.ts';
import { absolutePath } from '../files/locations.ts';
import { readSmallFile } from '../files/read.ts';
import { mostSecretBytes, secretLine } from '../format/secret-line.ts';
import { quoteWord } from '../format/shell-word.ts';
import { secretFault } from './fault.ts';
import type { SecretParts, WantedSecret } from './secrets.ts';

const readableByOthers = 0o044;

/** What was read from a pipe, which has its content once: `<(pass show kafka)`. */
const pipes = new WeakMap<SecretParts, Map<string, string>>();

/**
 * Reads a secret from a file, whose only line it is.
 * @throws CliError (exit 4) if the file cannot be read or has something else
 */
export async function readSecretFile(parts: SecretParts, wanted: WantedSecret): Promise<string> {
  const { host, deadline } = parts;
  const path = absolutePath(host, wanted.from.text);
  const read = pipes.get(parts) ?? new Map<string, string>();
  pipes.set(parts, read);
  const before = read.get(path);
  if (before !== undefined) return before;
  try {
    const isPipe = warnIfOpen(parts, wanted, path) === 'pipe';
    const text = secretLine((await readSmallFile(path, mostSecretBytes, deadline.signal)).toString('utf8'));
    if (isPipe) read.set(path, text);
    return text;
  } catch (error) {
    deadline.signal.throwIfAborted();
    throw secretFault(wanted, faultOf(error), { cause: error });
  }
}

/** Warns if others can read the file, and the user can change that. */
function warnIfOpen({ host, warnOnce }: SecretParts, { key }: WantedSecret, path: string): 'pipe' | 'file' {
  const found = statSync(path);
  if (found.isFIFO()) return 'pipe';
  if (found.uid === host.runtime.uid && (found.mode & readableByOthers) !== 0)
    warnOnce(`other users can read ${path}, which has ${key}: run chmod 600 ${quoteWord(path)}`);
  return 'file';
}
