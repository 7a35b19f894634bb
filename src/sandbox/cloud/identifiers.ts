import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuv';

/** Creates an id of 20 characters `0-9a-v` for a cluster, network, operation or account. */
export function newId(): string {
  let bits = BigInt(`0x${randomBytes(13).toString('hex')}`);
  let id = '';
  for (let digit = 0; digit < 20; digit++) {
    id += alphabet[Number(bits & 31n)];
    bits >>= 5n;
  }
  return id;
}

/** Creates a random secret or code of `bytes` bytes in base64url. */
export function newSecret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}
