import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Fields, fieldsOf } from '../../shape/object.ts';
import {
  type RecordFiles,
  recordFiles,
  recordsInMemory,
  type StoredRecord,
  type StoredToken,
  storedToken,
} from '../tokens/stored-tokens.ts';
import type { TokenPlace } from './options.ts';

/** A stored token with everything that it is bound to, one JSON file each. */
export interface TokenRecord extends StoredRecord {
  readonly place: TokenPlace;
  readonly token?: StoredToken | undefined;
  readonly refreshToken?: string | undefined;
  /** What a program proved its identity with (`proofMark`). */
  readonly proof?: string | undefined;
}

/** The stored tokens on this machine. */
export type TokenFiles = RecordFiles<TokenRecord>;

const places = ['grant', 'issuer', 'tokenUrl', 'clientId', 'scope', 'audience', 'resource'] as const;
/** The addresses of the cluster that a token is bound to, by option key. */
export const addressKeys = ['brokers', 'admin.hosts', 'registry.hosts'] as const;

/** The id of what a token is bound to: always the same for the same place, and different for different ones. */
export function placeId(place: TokenPlace): string {
  const parts = [...places.map((part) => place[part]), ...addressKeys.map((key) => place.addresses[key])];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}

/** Whether two places differ only in the addresses of the cluster. */
export function isSameClient(one: TokenPlace, other: TokenPlace): boolean {
  return places.every((part) => one[part] === other[part]);
}

/** Returns the tokens of a user in the state directory; without one, they are kept for this command only. */
export function tokenFiles(stateDirectory: string | undefined, uid: number | undefined): TokenFiles {
  if (stateDirectory === undefined) return recordsInMemory();
  // One that cannot be read does not hide the others: `logout --all` removes it with them.
  const directory = join(stateDirectory, 'oauth');
  return recordFiles({ directory, uid, ending: '.token.json', parse, listsReadable: true });
}

/** Ignores a file that was copied to another name or whose addresses were changed. */
function parse({ place: stored, token, refreshToken, proof }: Fields, id: string): TokenRecord | undefined {
  const fields = fieldsOf(stored);
  const addresses = fieldsOf(fields.addresses);
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const place = {
    ...Object.fromEntries(places.map((part) => [part, text(fields[part])])),
    addresses: Object.fromEntries(addressKeys.map((key) => [key, text(addresses[key])])),
  } as unknown as TokenPlace;
  if (placeId(place) !== id) return undefined;
  return { id, place, token: storedToken(token), refreshToken: text(refreshToken) || undefined, proof: text(proof) };
}
