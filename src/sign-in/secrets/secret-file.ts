import { statSync } from 'node:fs';
import { codeOf, faultOf, unreadable } from '../../files/fault.ts';
import { absolutePath } from '../../files/locations.ts';
import { readSmallFile } from '../../files/read.ts';
import { mostSecretBytes, secretLine } from '../../format/secret-line.ts';
import { quoteWord } from '../../format/shell-word.ts';
import { placeOf, type SecretParts, secretFault, type WantedSecret } from './parts.ts';

const readableByOthers = 0o044;

/** What is read from pipes, which have their content once: `<(pass show kafka)`. */
const pipes = new WeakMap<SecretParts, Map<string, Promise<string>>>();

/**
 * Reads a secret from a file, whose only line it is.
 * @throws CliError (exit 2) if there is no such file, and (exit 4) if it cannot be read or has something else
 */
export async function readSecretFile(parts: SecretParts, secret: WantedSecret): Promise<string> {
  const { host, deadline } = parts;
  const path = absolutePath(host, secret.from.text);
  const lines = pipes.get(parts) ?? new Map<string, Promise<string>>();
  pipes.set(parts, lines);
  try {
    const isPipe = warnIfOpen(parts, secret, path) === 'pipe';
    const read = lines.get(path) ?? readLine(path, deadline.signal);
    // Before anything is awaited, so that two that ask at the same time share it.
    if (isPipe) lines.set(path, read);
    return await read;
  } catch (error) {
    deadline.signal.throwIfAborted();
    if (codeOf(error) === 'ENOENT')
      throw unreadable(`${path} (${secret.key}${secret.option === undefined ? '' : '.file'})`, error, placeOf(secret));
    throw secretFault({ ...secret, from: { way: 'file', text: path } }, faultOf(error), { cause: error });
  }
}

async function readLine(path: string, signal: AbortSignal): Promise<string> {
  return secretLine((await readSmallFile(path, mostSecretBytes, signal)).toString('utf8'));
}

/** Warns if others can read the file, and the user can change that. */
function warnIfOpen({ host, warnOnce }: SecretParts, { key }: WantedSecret, path: string): 'pipe' | 'file' {
  const stats = statSync(path);
  if (stats.isFIFO()) return 'pipe';
  if (stats.uid === host.runtime.uid && (stats.mode & readableByOthers) !== 0)
    warnOnce(`other users can read ${path}, which has ${key}: run chmod 600 ${quoteWord(path)}`);
  return 'file';
}
