import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { ScramMechanism } from './scram-words.ts';

const digests = {
  'SCRAM-SHA-256': { name: 'sha256', bytes: 32 },
  'SCRAM-SHA-512': { name: 'sha512', bytes: 64 },
} as const satisfies Record<ScramMechanism, unknown>;

/**
 * Salts a password as SCRAM does: the function Hi of RFC 5802, which is PBKDF2. Like Kafka, it takes the UTF-8 bytes
 * of the password as they are, without SASLprep.
 */
export async function saltedPassword(
  mechanism: ScramMechanism,
  password: string,
  { salt, iterations }: { readonly salt: Uint8Array; readonly iterations: number },
): Promise<Buffer> {
  const { name, bytes } = digests[mechanism];
  return await promisify(pbkdf2)(Buffer.from(password, 'utf8'), salt, iterations, bytes, name);
}

/** Makes a random salt. */
export function newSalt(): Buffer {
  return randomBytes(32);
}
