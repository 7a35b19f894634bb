import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The SCRAM mechanisms of a user. */
export const algorithms = ['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;

/** One of `algorithms`. */
export type Algorithm = (typeof algorithms)[number];

/** What a server stores of a SCRAM user (RFC 5802, section 3). The password cannot be read from it. */
export interface Credential {
  readonly algorithm: Algorithm;
  readonly salt: Buffer;
  readonly iterations: number;
  readonly storedKey: Buffer;
  /** When the password was set, in milliseconds since the epoch. */
  readonly setAt: number;
}

const defaultIterations = 4096;

/** Creates a credential with a new salt. @param setAt in milliseconds since the epoch */
export function makeCredential(algorithm: Algorithm, password: string, setAt: number): Credential {
  const salt = randomBytes(24);
  const storedKey = storedKeyOf(password, { algorithm, salt, iterations: defaultIterations });
  return { algorithm, salt, iterations: defaultIterations, storedKey, setAt };
}

/** Checks a password, as the Admin API checks basic authentication against SCRAM credentials. */
export function isPassword(credential: Credential, password: string): boolean {
  return timingSafeEqual(storedKeyOf(password, credential), credential.storedKey);
}

function storedKeyOf(
  password: string,
  { algorithm, salt, iterations }: Omit<Credential, 'storedKey' | 'setAt'>,
): Buffer {
  const hash = algorithm === 'SCRAM-SHA-256' ? 'sha256' : 'sha512';
  const length = hash === 'sha256' ? 32 : 64;
  const salted = pbkdf2Sync(password, salt, iterations, length, hash);
  const clientKey = createHmac(hash, salted).update('Client Key').digest();
  return createHash(hash).update(clientKey).digest();
}
