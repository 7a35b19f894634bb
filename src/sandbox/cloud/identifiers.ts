import { randomBytes, randomInt } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuv';

/** This process, in the place of a machine and a process id. */
const origin = randomBytes(5);
/** Begins at random, in the lower half: the ids of a process stay in their order. */
let count = randomInt(2 ** 23);

/**
 * Creates an id of 20 characters `0-9a-v` for a cluster, network, operation or account: like an id of the vendor, it
 * has the seconds since the epoch, the origin and a counter, so that ids sort in the order in which they were created.
 */
export function newId(): string {
  count = (count + 1) % 2 ** 24;
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(Math.trunc(Date.now() / 1000));
  origin.copy(bytes, 4);
  bytes.writeUIntBE(count, 9, 3);
  let bits = BigInt(`0x${bytes.toString('hex')}`) << 4n;
  let id = '';
  for (let digit = 0; digit < 20; digit++) {
    id = `${alphabet[Number(bits & 31n)]}${id}`;
    bits >>= 5n;
  }
  return id;
}

/** Creates a random secret or code of `bytes` bytes in base64url. */
export function newSecret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}
