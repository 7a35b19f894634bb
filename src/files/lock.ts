import { randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, exitCodes } from '../errors.ts';
import { codeOf, faultOf } from './fault.ts';
import { hidden, lookUp, ownProcess } from './process-id.ts';
import { createWhole, makeDirectory, removeLeftovers, temporaryBeside } from './replace.ts';

/*
 * Lock libraries detect a dead owner only by age, so after a `kill -9` other processes wait for ten seconds. Here the
 * lock names its owner (process id and start time), so a dead owner is detected immediately. Age counts only if the
 * owner cannot be looked up.
 */

/** A lock held by this process; `await using` releases it. */
export interface FileLock extends AsyncDisposable {
  /** Whether this process still holds the lock; false if another process took it because it looked abandoned. */
  isOurs(): Promise<boolean>;
  /** Removes the lock if this process still holds it. */
  release(): Promise<void>;
}

/** The holder of a lock, as written in the lock file. */
interface Owner {
  readonly id: string;
  /** Where the process id is valid: one boot of one machine and a pid namespace; '' if unknown. */
  readonly space: string;
  readonly pid: number;
  readonly startedAt: string;
  /** The host name, for messages only. */
  readonly host: string;
  readonly command: string;
  /** RFC 3339. */
  readonly since: string;
}

/** How long to wait for a lock, and whom to notify. */
export interface LockPatience {
  /** The maximum wait in milliseconds (default 30 s); `Infinity` waits until the signal is aborted. */
  readonly patienceMs?: number;
  /** The command that takes the lock, shown to processes that wait for it, for example `weir profile create`. */
  readonly command?: string;
  /** Called once if another process holds the lock, with a description of it; returns a callback for the wait's end. */
  readonly onWait?: (holder: string) => (() => void) | undefined;
}

/** How a command waits for locks: until it times out or a signal stops it. */
export interface LockWait extends LockPatience {
  readonly signal: AbortSignal;
}

/** A holder touches its lock this often. A holder that cannot be looked up counts as dead after `abandonedMs`. */
const touchMs = 1_000;
const abandonedMs = 10_000;
const longestPauseMs = 100;

/**
 * Takes the lock file at `path`, waiting until other processes release it.
 * @throws CliError (exit 6, `LOCK_HELD`) naming the holder if the lock is not released in time; CliError if the file
 * cannot be written; the signal's reason if the signal is aborted first
 */
export async function lockFile(path: string, signal?: AbortSignal, patience: LockPatience = {}): Promise<FileLock> {
  const { patienceMs = 30_000, command = '', onWait } = patience;
  const here = await describeSelf(command);
  let waited: (() => void) | undefined;
  const onHeld = (lock: LockState) => {
    waited = onWait?.(describeHolder(lock, here));
  };
  try {
    return await takeLock(path, here, { patienceMs, onHeld, ...(signal && { signal }) });
  } finally {
    waited?.();
  }
}

/**
 * Takes the lock of the file at `path`, whose directory is created if it is missing, and removes what killed writers left.
 * @throws CliError as `lockFile`
 */
export async function lockBeside(path: string, wait: Partial<LockWait>): Promise<FileLock> {
  await makeDirectory(path);
  const lock = await lockFile(`${path}.lock`, wait.signal, wait);
  await removeLeftovers(path);
  return lock;
}

/** Like `lockBeside`; undefined if the file system is not writable, as in a container with a read-only home directory. */
export async function lockIfWritable(path: string, signal: AbortSignal): Promise<FileLock | undefined> {
  try {
    return await lockBeside(path, { signal });
  } catch (error) {
    if (error instanceof CliError && error.exitCode === exitCodes.failure) return undefined;
    throw error;
  }
}

interface Terms {
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
  onHeld(lock: LockState): void;
}

async function takeLock(path: string, here: Owner, { patienceMs, signal, onHeld }: Terms): Promise<FileLock> {
  const text = JSON.stringify(here);
  const giveUpAt = performance.now() + patienceMs;
  const wait = { path, here, skewMs: undefined };
  for (let attempt = 0, waits = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    const lock = await look(path);
    const file = lock === undefined ? await createWhole(path, text) : undefined;
    if (file !== undefined) return holdLock(path, text, file);
    const holder = await holderOf(lock, wait);
    if (holder !== undefined && waits++ === 0) onHeld(holder);
    // A lock that is repeatedly released is taken by another process each time, so attempts are limited too.
    if (performance.now() > giveUpAt && (holder !== undefined || attempt >= 100)) throw heldError(path, lock, here);
    const pauseMs = holder === undefined ? 1 : 2 + Math.random() * Math.min(longestPauseMs, 4 * (attempt + 1));
    await pause(pauseMs, signal);
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, { ...(signal && { signal }) }).catch(() => signal?.throwIfAborted());
}

/** The lock, if its owner is alive; otherwise it is removed. */
async function holderOf(lock: LockState | undefined, wait: Wait): Promise<LockState | undefined> {
  if (lock === undefined || !(await isAbandoned(lock, wait))) return lock;
  await removeLock(wait.path, lock);
  return undefined;
}

function holdLock(path: string, text: string, file: FileHandle): FileLock {
  const touching = setInterval(() => touch(file, text), touchMs).unref();
  const isOurs = async (): Promise<boolean> => (await readText(path)) === text;
  const release = async (): Promise<void> => {
    clearInterval(touching);
    await file.close().catch(() => undefined);
    if (await isOurs()) await rm(path, { force: true });
  };
  return { isOurs, release, [Symbol.asyncDispose]: release };
}

/** Touches the lock through its open file, so that another process's lock at the same path is not changed. */
function touch(file: FileHandle, text: string): void {
  file
    .write(text, 0)
    .then(() => file.datasync())
    .catch(() => undefined); // a lost lock is detected by `isOurs`
}

function notLock(path: string): CliError {
  return new CliError(exitCodes.failure, `unable to lock ${path}: it is not a regular file`, {
    target: path,
    hints: ['remove it: weir did not create it'],
  });
}

/** A lock as it was found. */
interface LockState {
  /** The content; undefined if this user cannot read it. */
  readonly text: string | undefined;
  readonly inode: number;
  readonly touchedMs: number;
  readonly userId: number;
}

/** Reads the lock file; undefined if it does not exist (any more). */
async function look(path: string): Promise<LockState | undefined> {
  try {
    const file = await lstat(path);
    // Reading a pipe would block, and following a link to nothing would wait for an owner that does not exist.
    if (!file.isFile()) throw notLock(path);
    const text = await readText(path);
    return { text, inode: file.ino, touchedMs: file.mtimeMs, userId: file.uid };
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new CliError(exitCodes.failure, `unable to read ${path}: ${faultOf(error)}`, { cause: error });
  }
}

/** The state of one wait. */
interface Wait {
  readonly path: string;
  readonly here: Owner;
  /** The file system's clock minus this machine's clock, in milliseconds; undefined until needed. */
  skewMs: number | undefined;
}

async function isAbandoned(lock: LockState, wait: Wait): Promise<boolean> {
  const owner = parseOwner(lock.text);
  const isHere = owner !== undefined && owner.space !== '' && owner.space === wait.here.space;
  const verdict = isHere ? judge(owner.startedAt, await lookUp(owner.pid)) : 'unknown';
  if (verdict !== 'unknown') return verdict === 'gone';
  wait.skewMs ??= await clockSkew(wait.path);
  return Date.now() + wait.skewMs - lock.touchedMs > abandonedMs;
}

/**
 * Decides whether the owner of a lock is alive. `startedAt` is the start time in the lock; `now` is the start time of
 * the process that has the pid now (`hidden` if it cannot be inspected, undefined if there is none).
 */
export function judge(startedAt: string, now: string | undefined): 'alive' | 'gone' | 'unknown' {
  if (now === hidden) return 'unknown';
  return now === startedAt ? 'alive' : 'gone';
}

/** How far the file system's clock is ahead of this machine's, in milliseconds; on NFS it is the server's clock. */
async function clockSkew(path: string): Promise<number> {
  const probe = temporaryBeside(path);
  try {
    await using file = await open(probe, 'wx', 0o600);
    return (await file.stat()).mtimeMs - Date.now();
  } catch {
    return 0;
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

/** Removes an abandoned lock. If several processes try this, the first rename wins. */
async function removeLock(path: string, lock: LockState): Promise<void> {
  const aside = temporaryBeside(path);
  try {
    await rename(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return; // another process was faster
    throw new CliError(exitCodes.failure, `unable to remove the abandoned lock ${path}: ${faultOf(error)}`, {
      cause: error,
      hints: ['remove the file'],
    });
  }
  // If a new owner took the lock in the meantime, its lock is put back.
  if (!isSame(lock, await look(aside).catch(() => undefined))) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

function isSame(one: LockState, other: LockState | undefined): boolean {
  if (other === undefined || one.inode !== other.inode || one.text !== other.text) return false;
  return one.text !== undefined || one.touchedMs === other.touchedMs;
}

function heldError(path: string, lock: LockState | undefined, here: Owner): CliError {
  return new CliError(exitCodes.conflict, `unable to lock ${path}: held by ${describeHolder(lock, here)}`, {
    code: 'LOCK_HELD',
    target: path,
    retryable: true,
    hints: ['repeat the command, or remove the file if no other weir is running'],
  });
}

function describeHolder(lock: LockState | undefined, here: Owner): string {
  const owner = parseOwner(lock?.text);
  if (owner === undefined || owner.since === '') {
    return lock?.text === undefined && lock !== undefined ? `a process of user ${lock.userId}` : 'another weir';
  }
  const { pid, host, command, since } = owner;
  const name = pid > 0 ? `process ${pid}` : 'a process';
  const where = host === '' || host === here.host ? '' : ` on ${host}`;
  return `${name}${where} (${command === '' ? 'weir' : command}, since ${since})`;
}

function parseOwner(text: string | undefined): Owner | undefined {
  try {
    const owner: Readonly<Record<string, unknown>> = JSON.parse(text ?? '');
    const word = (name: keyof Owner): string => printable(owner[name]);
    const pid = Number.isSafeInteger(owner.pid) ? Number(owner.pid) : 0;
    const [id, space, startedAt] = [word('id'), word('space'), word('startedAt')];
    return { id, space, pid, startedAt, host: word('host'), command: word('command'), since: word('since') };
  } catch {
    return undefined; // still being written, or not written by weir
  }
}

/** Replaces control characters, because another user may have written the file. */
function printable(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\p{C}/gu, '?').slice(0, 100) : '';
}

/** Describes this process; without `/proc`, the description has only a unique id. */
async function describeSelf(command: string): Promise<Owner> {
  const { pid = 0, space = '', startedAt = '' } = (await ownProcess()) ?? {};
  const since = `${new Date().toISOString().slice(0, 19)}Z`;
  return { id: randomUUID(), space, pid, startedAt, host: hostname(), command, since };
}

async function readText(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined);
}
