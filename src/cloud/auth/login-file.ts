import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../../errors.ts';
import { codeOf, faultOf } from '../../files/fault.ts';
import { type FileLock, lockFile } from '../../files/lock.ts';
import { readOwnFile } from '../../files/read.ts';
import { makeDirectory, removeLeftovers, replaceFile } from '../../files/replace.ts';
import { type Fields, fieldsOf, isObject } from '../../shape/object.ts';
import type { LoginRow } from './login-rows.ts';
import { isTime, isTokenText } from './token-text.ts';

/** The addresses that a login is bound to: its token and its secret are never sent elsewhere. */
export interface LoginPlace {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly legacyUrl: string;
  readonly audience: string;
}

/** The fields that identify a login. */
export interface LoginKey extends LoginPlace {
  readonly kind: LoginRow['kind'];
  readonly clientId: string;
}

/** A token and its lifetime. Times are milliseconds since the epoch. */
export interface StoredToken {
  readonly text: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A stored login, one JSON file each. */
export interface StoredLogin extends LoginKey {
  /** The file name without its extension. */
  readonly id: string;
  readonly name: string;
  /** The client secret, stored only with `login --save`. */
  readonly clientSecret?: string | undefined;
  readonly organization: string;
  readonly organizationId: string;
  readonly token?: StoredToken | undefined;
}

/** The login files on this machine. */
export interface LoginFiles {
  read(id: string): Promise<StoredLogin | undefined>;
  /** Lists all logins, sorted by name. */
  list(): Promise<readonly StoredLogin[]>;
  write(login: StoredLogin): Promise<void>;
  remove(id: string): Promise<void>;
  /** The id of the login that commands use if no credentials are configured. */
  current(): Promise<string | undefined>;
  setCurrent(id: string | undefined): Promise<void>;
  /** Runs `work` with an exclusive lock on the login. */
  locked<T>(id: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** The id of a login: always the same for the same login, and different for different ones. */
export function loginId({ kind, authUrl, audience, clientId, apiUrl, legacyUrl }: LoginKey): string {
  return hashOf([kind, authUrl, audience, clientId, apiUrl, legacyUrl]);
}

/** The id of a login in files of weir 0.1.0 and earlier, which did not contain all addresses. */
function oldLoginId({ kind, authUrl, audience, clientId }: LoginKey): string {
  return hashOf([kind, authUrl, audience, clientId]);
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}

/** Whether the login was created for these addresses. */
export function isBoundTo(login: LoginPlace, place: LoginPlace): boolean {
  return (['apiUrl', 'authUrl', 'legacyUrl', 'audience'] as const).every((part) => login[part] === place[part]);
}

/**
 * Creates the login files in the state directory; without a directory, logins are kept in memory for this command only. A
 * login file without addresses is bound to those of `production`.
 */
export function createLoginFiles(stateDirectory: string | undefined, production: LoginPlace): LoginFiles {
  return stateDirectory === undefined ? inMemory() : onDisk(join(stateDirectory, 'cloud-auth'), production);
}

const ending = '.login.json';

function onDisk(directory: string, production: LoginPlace): LoginFiles {
  const fileOf = (id: string): string => join(directory, `${id}${ending}`);
  const currentFile = join(directory, 'current.json');
  async function write(path: string, value: unknown): Promise<void> {
    await makeDirectory(path);
    await replaceFile(path, `${JSON.stringify(value, null, 2)}\n`, async () => true);
  }
  return {
    read: async (id) => asLogin(readJson(fileOf(id)), id, production),
    async list() {
      const names = await readdir(directory).catch(() => []);
      const ids = names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
      const logins = ids.map((id) => asLogin(readJson(fileOf(id)), id, production));
      return logins.filter((login) => login !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    write: ({ id, ...login }) => write(fileOf(id), login),
    remove: (id) => rm(fileOf(id), { force: true }),
    async current() {
      const { login } = readJson(currentFile) ?? {};
      return typeof login === 'string' ? login : undefined;
    },
    setCurrent: (id) => (id === undefined ? rm(currentFile, { force: true }) : write(currentFile, { login: id })),
    async locked(id, signal, work) {
      const lock = await takeLock(fileOf(id), signal);
      try {
        if (lock !== undefined) await removeLeftovers(fileOf(id));
        return await work();
      } finally {
        await lock?.release();
      }
    },
  };
}

/** Locks a file; undefined if the file system is not writable, as in a container with a read-only home directory. */
async function takeLock(path: string, signal: AbortSignal): Promise<FileLock | undefined> {
  try {
    await makeDirectory(path);
    return await lockFile(`${path}.lock`, signal);
  } catch (error) {
    if (error instanceof CliError && error.exitCode === exitCodes.failure) return undefined;
    throw error;
  }
}

/** The most that a login or the file with the current one may have, in bytes. */
const mostBytes = 1024 * 1024;

/** Reads the object in a file; undefined if the file is missing or damaged, because a token can be requested again. */
function readJson(path: string): Fields | undefined {
  let text: string;
  try {
    text = readOwnFile(path, mostBytes);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw new CliError(exitCodes.failure, `unable to read ${path}: ${faultOf(error)}`, { target: path, cause: error });
  }
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function asLogin(value: Fields | undefined, id: string, production: LoginPlace): StoredLogin | undefined {
  if (value === undefined) return undefined;
  const text = (name: string): string => (typeof value[name] === 'string' ? value[name] : '');
  const key = {
    kind: value.kind === 'sso' ? 'sso' : 'client-credentials',
    authUrl: text('authUrl'),
    audience: text('audience'),
    clientId: text('clientId'),
    apiUrl: text('apiUrl') || production.apiUrl,
    legacyUrl: text('legacyUrl') || production.legacyUrl,
  } as const;
  // Ignores a file that was copied to another name or whose addresses were changed.
  const isOld = value.legacyUrl === undefined && oldLoginId(key) === id;
  if (!isOld && loginId(key) !== id) return undefined;
  return {
    ...key,
    id,
    name: text('name'),
    organization: text('organization'),
    organizationId: text('organizationId'),
    ...(text('clientSecret') === '' ? {} : { clientSecret: text('clientSecret') }),
    token: asToken(value.token),
  };
}

function asToken(value: unknown): StoredToken | undefined {
  const { text, issuedAt, expiresAt } = fieldsOf(value);
  if (typeof text !== 'string' || typeof issuedAt !== 'number' || typeof expiresAt !== 'number') return undefined;
  if (!isTokenText(text) || !isTime(issuedAt) || !isTime(expiresAt)) return undefined;
  return { text, issuedAt, expiresAt };
}

function inMemory(): LoginFiles {
  const logins = new Map<string, StoredLogin>();
  let current: string | undefined;
  return {
    read: async (id) => logins.get(id),
    list: async () => [...logins.values()],
    write: async (login) => void logins.set(login.id, login),
    remove: async (id) => void logins.delete(id),
    current: async () => current,
    async setCurrent(id) {
      current = id;
    },
    locked: (_id, _signal, work) => work(),
  };
}
