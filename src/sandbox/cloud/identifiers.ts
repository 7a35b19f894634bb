import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuv';

/** A new id of 20 characters `0-9a-v`: what clusters, networks, operations and accounts are named by. */
export function newId(): string {
  let bits = BigInt(`0x${randomBytes(13).toString('hex')}`);
  let id = '';
  for (let digit = 0; digit < 20; digit++) {
    id += alphabet[Number(bits & 31n)];
    bits >>= 5n;
  }
  return id;
}

/** A new random word for secrets and codes. */
export function newSecret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}
