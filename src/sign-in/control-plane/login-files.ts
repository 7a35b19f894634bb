import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecord, writeRecord } from '../../files/record.ts';
import { byName } from '../../format/order.ts';
import { type Fields, fieldsOf } from '../../shape/object.ts';
import {
  type RecordFiles,
  recordFiles,
  recordsInMemory,
  type StoredRecord,
  type StoredToken,
  storedToken,
} from '../tokens/stored-tokens.ts';
import type { ControlPlaneLogin } from './login-rows.ts';
import type { CloudAddresses, CloudOptions } from './options.ts';

/** The fields that identify a login. */
export interface LoginKey extends CloudAddresses {
  readonly kind: ControlPlaneLogin['kind'];
  readonly clientId: string;
}

/** A stored login, one JSON file each. */
export interface StoredLogin extends LoginKey, StoredRecord {
  readonly name: string;
  /** The client secret, stored only with `login --save`. */
  readonly clientSecret?: string | undefined;
  readonly organization: string;
  readonly organizationId: string;
  readonly token?: StoredToken | undefined;
  /** Marks the secret that the token was requested with, so that it is not used with another one. */
  readonly proof?: string;
}

/** The login files on this machine, sorted by name. */
export interface LoginFiles extends RecordFiles<StoredLogin> {
  /** The id of the login that commands use if no credentials are configured. */
  current(): Promise<string | undefined>;
  setCurrent(id: string | undefined): Promise<void>;
}

/** The id of a login: always the same for the same login, and different for different ones. */
export function loginId({ kind, authUrl, audience, clientId, apiUrl, legacyUrl }: LoginKey): string {
  const parts = [kind, authUrl, audience, clientId, apiUrl, legacyUrl];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}

/** Whether the login was created for these addresses. */
export function isBoundTo(login: CloudAddresses, addresses: CloudAddresses): boolean {
  return (['apiUrl', 'authUrl', 'legacyUrl', 'audience'] as const).every((part) => login[part] === addresses[part]);
}

/** The login files in the state directory; without a directory, logins are kept in memory for this command only. */
export function createLoginFiles({ stateDirectory, uid }: Pick<CloudOptions, 'stateDirectory' | 'uid'>): LoginFiles {
  const directory = stateDirectory === undefined ? undefined : join(stateDirectory, 'cloud-auth');
  const records =
    directory === undefined
      ? recordsInMemory<StoredLogin>()
      : recordFiles<StoredLogin>({
          directory,
          uid,
          ending: '.login.json',
          parse: asLogin,
        });
  return {
    ...records,
    ...currentIn(directory === undefined ? undefined : join(directory, 'current.json')),
    list: async () => (await records.list()).toSorted(byName),
  };
}

/** The id of the current login, in a file or in memory. */
function currentIn(file: string | undefined): Pick<LoginFiles, 'current' | 'setCurrent'> {
  let selected: string | undefined;
  return {
    async current() {
      if (file === undefined) return selected;
      const login = readRecord(file, (value) => fieldsOf(value).login);
      return typeof login === 'string' ? login : undefined;
    },
    async setCurrent(id) {
      selected = id;
      if (file !== undefined) await (id === undefined ? rm(file, { force: true }) : writeRecord(file, { login: id }));
    },
  };
}

function asLogin(value: Fields, id: string): StoredLogin | undefined {
  const text = (name: string): string => (typeof value[name] === 'string' ? value[name] : '');
  const key = {
    kind: value.kind === 'sso' ? 'sso' : 'client-credentials',
    authUrl: text('authUrl'),
    audience: text('audience'),
    clientId: text('clientId'),
    apiUrl: text('apiUrl'),
    legacyUrl: text('legacyUrl'),
  } as const;
  // Ignores a file that was copied to another name or whose addresses were changed.
  if (loginId(key) !== id) return undefined;
  return {
    ...key,
    id,
    name: text('name'),
    organization: text('organization'),
    organizationId: text('organizationId'),
    ...(text('clientSecret') === '' ? {} : { clientSecret: text('clientSecret') }),
    token: storedToken(value.token),
    ...(text('proof') === '' ? {} : { proof: text('proof') }),
  };
}
