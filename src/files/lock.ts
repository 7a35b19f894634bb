import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, exitCodes } from '../errors.ts';
import { codeOf, faultOf } from './fault.ts';
import { hidden, lookUp, ownProcess } from './process-id.ts';
import { temporaryBeside } from './replace.ts';

/*
 * A lock of our own instead of a library's: those tell a dead owner by age alone, so that after a
 * `kill -9` everybody waits ten seconds. Here the lock names its owner (process id and start time), a
 * dead one is seen at once, and age counts only where the owner cannot be looked up.
 */

/** A lock that is held. */
export interface FileLock {
  /** Whether it is still ours; false when another process took it for abandoned. */
  isOurs(): Promise<boolean>;
  /** Removes the lock if it is still ours. */
  release(): Promise<void>;
}

/** Who holds a lock, as written into it. */
interface Owner {
  readonly id: string;
  /** Where the process id is valid: one boot of one machine, and its pid namespace; '' where unknown. */
  readonly space: string;
  readonly pid: number;
  readonly startedAt: string;
  /** For people. */
  readonly host: string;
  readonly command: string;
  /** RFC 3339. */
  readonly since: string;
}

/** How a lock is waited for. */
export interface LockPatience {
  /** Milliseconds (default 30 s); `Infinity` waits until the signal stops it. */
  readonly patienceMs?: number;
  /** The command that takes the lock, for whoever has to wait for it, for example `weir profile create`. */
  readonly command?: string;
  /** Called once with a description of the holder, when another process holds it; what it returns when that is over. */
  readonly onWait?: (holder: string) => (() => void) | undefined;
}

/** How a command waits for its locks: until its time is over or a signal stops it. */
export interface LockWait extends LockPatience {
  readonly signal: AbortSignal;
}

/** A holder touches its lock this often; one that cannot be looked up and did not for `abandonedMs` is gone. */
const touchMs = 1_000;
const abandonedMs = 10_000;
const longestPauseMs = 100;

/**
 * Takes the lock file at `path`, waiting for another process to let go of it.
 * @throws CliError (exit 6, `LOCK_HELD`) naming the holder when it is not free in time; CliError when it cannot be
 * written; the reason of the signal when that is aborted first
 */
export async function lockFile(path: string, signal?: AbortSignal, patience: LockPatience = {}): Promise<FileLock> {
  const { patienceMs = 30_000, command = '', onWait } = patience;
  const here = await describeSelf(command);
  let waited: (() => void) | undefined;
  const onHeld = (found: Found) => {
    waited = onWait?.(describeHolder(found, here));
  };
  try {
    return await takeLock(path, here, { patienceMs, onHeld, ...(signal && { signal }) });
  } finally {
    waited?.();
  }
}

interface Terms {
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
  onHeld(found: Found): void;
}

async function takeLock(path: string, here: Owner, { patienceMs, signal, onHeld }: Terms): Promise<FileLock> {
  const text = JSON.stringify(here);
  const giveUpAt = performance.now() + patienceMs;
  const wait = { path, here, skewMs: undefined };
  for (let attempt = 0, waits = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    const file = await create(path, text);
    if (file !== undefined) return holdLock(path, text, file);
    const found = await look(path);
    const isHeld = found !== undefined && !(await isAbandoned(found, wait));
    if (found !== undefined && !isHeld) await removeLock(path, found);
    if (isHeld && waits++ === 0) onHeld(found);
    // One that is free again and again belongs to others each time.
    if (performance.now() > giveUpAt && (isHeld || attempt >= 100)) throw held(path, found, here);
    const pauseMs = isHeld ? 2 + Math.random() * Math.min(longestPauseMs, 4 * (attempt + 1)) : 1;
    await sleep(pauseMs, undefined, { ...(signal && { signal }) }).catch(() => signal?.throwIfAborted());
  }
}

function holdLock(path: string, text: string, file: FileHandle): FileLock {
  const touching = setInterval(() => touch(file, text), touchMs).unref();
  return {
    isOurs: async () => (await readText(path)) === text,
    async release() {
      clearInterval(touching);
      await file.close().catch(() => undefined);
      if ((await readText(path)) === text) await rm(path, { force: true });
    },
  };
}

/** Through the open file: a lock of another process at the same path is left alone. The server sets the time. */
function touch(file: FileHandle, text: string): void {
  file
    .write(text, 0)
    .then(() => file.datasync())
    .catch(() => undefined); // taken for abandoned: `isOurs` tells
}

/** Undefined when there is such a file already. */
async function create(path: string, text: string): Promise<FileHandle | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'wx', 0o600);
    await file.writeFile(text);
    return file;
  } catch (error) {
    if (file !== undefined) {
      await file.close().catch(() => undefined);
      await rm(path, { force: true }).catch(() => undefined);
    } else if (codeOf(error) === 'EEXIST' && !(await isDirectory(path))) return undefined;
    throw new CliError(exitCodes.failure, `unable to write ${path}: ${faultOf(error)}`, { cause: error });
  }
}

/** A directory in the lock's place would never go away. */
async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** A lock as it was found. */
interface Found {
  /** Undefined when this user may not read it. */
  readonly text: string | undefined;
  readonly inode: number;
  readonly touchedMs: number;
  readonly userId: number;
}

/** Undefined when there is no lock (any more). */
async function look(path: string): Promise<Found | undefined> {
  const text = await readText(path);
  try {
    const { ino, mtimeMs, uid } = await stat(path);
    return { text, inode: ino, touchedMs: mtimeMs, userId: uid };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new CliError(exitCodes.failure, `unable to read ${path}: ${faultOf(error)}`, { cause: error });
  }
}

/** What one wait knows. */
interface Wait {
  readonly path: string;
  readonly here: Owner;
  /** The file system's clock less this machine's; undefined until it was needed. */
  skewMs: number | undefined;
}

async function isAbandoned(found: Found, wait: Wait): Promise<boolean> {
  const owner = parseOwner(found.text);
  const isHere = owner !== undefined && owner.space !== '' && owner.space === wait.here.space;
  const verdict = isHere ? judge(owner.startedAt, await lookUp(owner.pid)) : 'unknown';
  if (verdict !== 'unknown') return verdict === 'gone';
  wait.skewMs ??= await clockSkew(wait.path);
  return Date.now() + wait.skewMs - found.touchedMs > abandonedMs;
}

/**
 * What a look at a lock's process says: `startedAt` is what its owner wrote, `now` what the process with its pid has
 * (`hidden`: one that may not be looked at; undefined: none).
 */
export function judge(startedAt: string, now: string | undefined): 'alive' | 'gone' | 'unknown' {
  if (now === hidden) return 'unknown';
  return now === startedAt ? 'alive' : 'gone';
}

/** How far the clock of the lock's file system is ahead of this machine's, in milliseconds: it may be a server's. */
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

/** Removes a lock as it was found. Whoever renames it away first has removed it. */
async function removeLock(path: string, found: Found): Promise<void> {
  const aside = temporaryBeside(path);
  try {
    await rename(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return; // another process was faster
    throw new CliError(exitCodes.failure, `unable to remove the abandoned lock ${path}: ${faultOf(error)}`, {
      cause: error,
      hints: ['remove that file'],
    });
  }
  // In between, a new owner may have taken it: its lock is put back.
  if (!isSame(found, await look(aside).catch(() => undefined))) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

function isSame(one: Found, other: Found | undefined): boolean {
  if (other === undefined || one.inode !== other.inode || one.text !== other.text) return false;
  return one.text !== undefined || one.touchedMs === other.touchedMs;
}

function held(path: string, found: Found | undefined, here: Owner): CliError {
  return new CliError(exitCodes.conflict, `unable to lock ${path}: held by ${describeHolder(found, here)}`, {
    code: 'LOCK_HELD',
    target: path,
    retryable: true,
    hints: ['repeat the command; if no other weir runs, remove that file'],
  });
}

function describeHolder(found: Found | undefined, here: Owner): string {
  const owner = parseOwner(found?.text);
  if (owner === undefined || owner.since === '') {
    return found?.text === undefined && found !== undefined ? `a process of user ${found.userId}` : 'another weir';
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
    return undefined; // being written right now, or not ours
  }
}

/** Another user may have written it. */
function printable(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\p{C}/gu, '?').slice(0, 100) : '';
}

/** This process, where `/proc` tells of it; elsewhere only a unique id. */
async function describeSelf(command: string): Promise<Owner> {
  const { pid = 0, space = '', startedAt = '' } = (await ownProcess()) ?? {};
  const since = `${new Date().toISOString().slice(0, 19)}Z`;
  return { id: randomUUID(), space, pid, startedAt, host: hostname(), command, since };
}

async function readText(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined);
}
