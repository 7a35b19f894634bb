import { createHmac } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { SecretFrom } from './options.ts';

/** Enough to notice a change, and too little to find a secret out: many others have the same digits. */
const digits = 4;

/** What a program proves its identity with, besides a secret. */
interface Proof {
  readonly words: readonly (string | undefined)[];
  readonly files: readonly (string | undefined)[];
}

/**
 * Marks what a program proves its identity with, so that a token is not used after that has changed. A secret that a
 * command or the keychain gives is not asked for: the command or the entry counts. Of a file, its state does. The same
 * secret of a client has the same mark everywhere, so that several files reveal no more than one.
 * @param client the server and the client
 */
export async function proofMark(
  client: readonly string[],
  secret: SecretFrom,
  { words, files }: Proof = { words: [], files: [] },
): Promise<string> {
  const [secretFile, secretText] = 'file' in secret ? [secret.file, ''] : [undefined, secret];
  const parts = [secretText, ...words, await Promise.all([secretFile, ...files].map(stateOf))];
  return createHmac('sha256', JSON.stringify(client)).update(JSON.stringify(parts)).digest('hex').slice(0, digits);
}

/** A file as it is now, without reading it: the next reading of a pipe would find nothing. */
async function stateOf(path: string | undefined): Promise<readonly unknown[]> {
  if (path === undefined) return [];
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return [path, 'missing'];
  return stats.isFile() ? [path, stats.size, stats.mtimeMs] : [path];
}
