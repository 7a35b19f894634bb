import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../../errors.ts';
import { lockIfWritable } from '../../files/lock.ts';
import { readRecord, writeRecord } from '../../files/record.ts';
import { checkTrusted } from '../../files/trust.ts';
import { isTime, isTokenText } from '../../net/jwt.ts';
import { type Fields, fieldsOf, isObject } from '../../shape/object.ts';

/** A token and its lifetime. Times are milliseconds since the epoch. */
export interface StoredToken {
  readonly text: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A record that is kept in a file of its own. */
export interface StoredRecord {
  /** The file name without its ending. */
  readonly id: string;
}

/** The records of one kind on this machine. */
export interface RecordFiles<T extends StoredRecord> {
  read(id: string): Promise<T | undefined>;
  /** The ids of all files, also of those that cannot be read. */
  ids(): Promise<readonly string[]>;
  list(): Promise<readonly T[]>;
  write(record: T): Promise<void>;
  remove(id: string): Promise<void>;
  /** Runs `work` with an exclusive lock on the record. */
  locked<R>(id: string, signal: AbortSignal, work: () => Promise<R>): Promise<R>;
}

/** The most that a file may have, in bytes. */
const mostBytes = 1024 * 1024;

/** One kind of records: where they are kept, and how they are read. */
export interface RecordKind<T extends StoredRecord> {
  readonly directory: string;
  /** The user whose files they are; undefined on a system without user ids. */
  readonly uid: number | undefined;
  /** The end of the file names. */
  readonly ending: string;
  /** Reads a record; undefined if it is not the one that its name says, or damaged: it can be made again. */
  parse(fields: Fields, id: string): T | undefined;
  /** Whether a listing leaves out files that cannot be read, instead of failing. */
  readonly listsReadable?: true;
}

/**
 * Records in JSON files of one directory, which only their owner can read (mode 0600 in 0700). Those that others can read
 * or change are closed; those of others are refused.
 */
export function recordFiles<T extends StoredRecord>(kind: RecordKind<T>): RecordFiles<T> {
  const { directory, uid, ending, parse, listsReadable } = kind;
  const fileOf = (id: string): string => join(directory, `${id}${ending}`);
  const trusted = { uid, what: 'the login', code: 'LOGIN', again: 'log in again', closes: 0o077 };
  const read = async (id: string): Promise<T | undefined> => {
    await checkTrusted([directory, fileOf(id)], trusted);
    return readRecord(fileOf(id), (value) => (isObject(value) ? parse(value, id) : undefined), mostBytes);
  };
  const ids = async (): Promise<readonly string[]> => {
    const names = await readdir(directory).catch(() => []);
    return names
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length))
      .sort();
  };
  return {
    read,
    ids,
    async list() {
      const listed = listsReadable ? (id: string) => read(id).catch(() => undefined) : read;
      const records = await Promise.all((await ids()).map(listed));
      return records.filter((record) => record !== undefined);
    },
    async write({ id, ...record }) {
      await checkTrusted([directory], trusted);
      await writeRecord(fileOf(id), record);
    },
    remove: (id) => rm(fileOf(id), { force: true }),
    async locked(id, signal, work) {
      await using _lock = await lockIfWritable(fileOf(id), signal);
      return await work();
    },
  };
}

/** Records of this process only, for a machine without a directory for them. */
export function recordsInMemory<T extends StoredRecord>(): RecordFiles<T> {
  const records = new Map<string, T>();
  return {
    read: async (id) => records.get(id),
    ids: async () => [...records.keys()],
    list: async () => [...records.values()],
    write: async (record) => void records.set(record.id, record),
    remove: async (id) => void records.delete(id),
    locked: (_id, _signal, work) => work(),
  };
}

/** Reads a stored token; undefined for anything else. */
export function storedToken(value: unknown): StoredToken | undefined {
  const { text, issuedAt, expiresAt } = fieldsOf(value);
  if (typeof text !== 'string' || typeof issuedAt !== 'number' || typeof expiresAt !== 'number') return undefined;
  if (!isTokenText(text) || !isTime(issuedAt) || !isTime(expiresAt)) return undefined;
  return { text, issuedAt, expiresAt };
}

/** A record with a token. */
export interface TokenHolder extends StoredRecord {
  readonly token?: StoredToken | undefined;
}

/** How a token is found in a record, or else asked for. */
export interface CachedToken<T extends TokenHolder> {
  readonly files: RecordFiles<T>;
  readonly id: string;
  readonly signal: AbortSignal;
  isGood(token: StoredToken | undefined): token is StoredToken;
  /** Asks for a token, and returns the record with it; `stored` is what is kept so far. */
  ask(stored: T | undefined): Promise<T & { readonly token: StoredToken }>;
  readonly warn: (line: string) => void;
}

/** Returns the stored token if it is good, or asks for another one; commands that start together ask once. */
export async function cachedToken<T extends TokenHolder>(given: CachedToken<T>): Promise<StoredToken> {
  const { files, id, signal, isGood } = given;
  const kept = (await files.read(id))?.token;
  if (isGood(kept)) return kept;
  return await files.locked(id, signal, async () => {
    // Another command may have requested a token in the meantime.
    const stored = await files.read(id);
    if (isGood(stored?.token)) return stored.token;
    const record = await given.ask(stored);
    await keep(given, record);
    return record.token;
  });
}

/** Stores a record for later commands; if that fails, warns and continues. */
async function keep<T extends TokenHolder>({ files, warn }: CachedToken<T>, record: T): Promise<void> {
  try {
    await files.write(record);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    warn(`unable to store the token for later commands: ${error.message}`);
  }
}
