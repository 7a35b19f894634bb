import { createHmac } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { OAuthOptions, SecretFrom } from './options.ts';

/** Enough to notice a change, and too little to find a secret out: many others have the same digits. */
const digits = 4;

/**
 * Marks what a program proves its identity with, so that a token is not used after that has changed. A secret that a
 * command or the keychain gives is not asked for: the command or the entry counts. Of a file, its state does. The same
 * secret of a client has the same mark everywhere, so that several files reveal no more than one.
 */
export async function proofMark({ place, client, tls }: OAuthOptions): Promise<string> {
  const { secretFrom: from } = client;
  const files = ['file' in from ? from.file : undefined, client.keyFile, client.assertionFile, tls.cert];
  const parts = ['file' in from ? '' : from, client.auth, client.keyId, await Promise.all(files.map(stateOf))];
  return markOf([place.issuer, place.tokenUrl, place.clientId], parts);
}

/** Marks the secret of a client in the same way, so that a token is not used with another one. */
export async function secretMark(from: SecretFrom, salt: readonly string[]): Promise<string> {
  return markOf(salt, ['file' in from ? await stateOf(from.file) : from]);
}

function markOf(salt: readonly string[], parts: readonly unknown[]): string {
  return createHmac('sha256', JSON.stringify(salt)).update(JSON.stringify(parts)).digest('hex').slice(0, digits);
}

/** A file as it is now, without reading it: the next reading of a pipe would find nothing. */
async function stateOf(path: string | undefined): Promise<readonly unknown[]> {
  if (path === undefined) return [];
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return [path, 'missing'];
  return found.isFile() ? [path, found.size, found.mtimeMs] : [path];
}
