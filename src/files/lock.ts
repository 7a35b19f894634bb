import { randomUUID } from 'node:crypto';
import { link, open, readFile, readlink, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, exitCodes } from '../errors.ts';
import { codeOf, faultOf } from './fault.ts';

/*
 * A lock of our own instead of a library's: those tell a dead owner by age alone, so that after a
 * `kill -9` everybody waits ten seconds. Here the lock names its owner (process id and start time), a
 * dead one is seen at once, and age counts only where the owner cannot be looked up.
 */

/** A lock that is held. */
export interface FileLock {
  /** Whether it is still ours; false when another process took it for abandoned. */
  isOurs(): Promise<boolean>;
  release(): Promise<void>;
}

/** Who holds a lock, as written into it. */
interface Owner {
  readonly id: string;
  /** Where the process id is valid: the machine and its process id namespace; '' where unknown. */
  readonly space: string;
  readonly pid: string;
  readonly started: string;
}

/** How long a lock is waited for. */
export interface LockPatience {
  /** Milliseconds; `Infinity` waits until the signal says stop. */
  readonly patienceMs?: number;
  /** Called once, when another process holds it. */
  readonly onWait?: () => void;
}

/** A holder touches its lock this often; one that cannot be looked up and did not for `abandonedMs` is gone. */
const touchMs = 1_000;
const abandonedMs = 5_000;

/**
 * Takes the lock file at `path`, waiting for another process to let go of it, or until the signal says stop.
 * @throws CliError when it is not free within 30 seconds (unless told otherwise), or cannot be written
 */
export async function lockFile(
  path: string,
  signal?: AbortSignal,
  { patienceMs = 30_000, onWait }: LockPatience = {},
): Promise<FileLock> {
  const text = JSON.stringify(await describeSelf());
  const giveUpAt = performance.now() + patienceMs;
  for (let attempt = 0, waits = 0; !(await create(path, text)); attempt += 1) {
    signal?.throwIfAborted();
    if (await removeAbandoned(path)) continue;
    waits += 1;
    if (waits === 1) onWait?.();
    if (performance.now() > giveUpAt)
      throw new CliError(exitCodes.conflict, `unable to lock ${path}: another weir holds it`, {
        retryable: true,
        hints: ['repeat the command; if no other weir runs, remove that file'],
      });
    await sleep(2 + Math.random() * Math.min(40, 4 * (attempt + 1)));
  }
  const isOurs = async () => (await readText(path)) === text;
  const touching = setInterval(() => touch(path), touchMs).unref();
  return {
    isOurs,
    async release() {
      clearInterval(touching);
      if (await isOurs()) await rm(path, { force: true });
    },
  };
}

function touch(path: string): void {
  const now = new Date();
  utimes(path, now, now).catch(() => undefined); // taken for abandoned: `isOurs` tells
}

async function create(path: string, text: string): Promise<boolean> {
  try {
    await using file = await open(path, 'wx', 0o600);
    await file.writeFile(text);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && !(await isDirectory(path))) return false;
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

/** Removes the lock of an owner that is gone. Whoever renames it away first has removed it. */
async function removeAbandoned(path: string): Promise<boolean> {
  const text = await readText(path);
  if (text === undefined) return true;
  if (!(await isAbandoned(path, text))) return false;
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return true; // another process was faster
  }
  // In between, a new owner may have taken it: its lock is put back.
  if ((await readText(aside)) !== text) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
  return true;
}

async function isAbandoned(path: string, text: string): Promise<boolean> {
  const owner = parseOwner(text);
  const self = await describeSelf();
  if (owner !== undefined && owner.space !== '' && owner.space === self.space)
    return (await startTime(owner.pid)) !== owner.started;
  const age = await stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  return age > abandonedMs;
}

function parseOwner(text: string): Owner | undefined {
  try {
    const owner: Partial<Owner> = JSON.parse(text);
    const { id = '', space = '', pid = '', started = '' } = owner;
    return { id, space, pid, started };
  } catch {
    return undefined; // being written right now, or not ours
  }
}

/** This process, where `/proc` tells of it; elsewhere only a unique id. */
async function describeSelf(): Promise<Owner> {
  const id = randomUUID();
  const pid = await readlink('/proc/self').catch(() => '');
  const started = pid === '' ? undefined : await startTime(pid);
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  if (started === undefined || namespace === '') return { id, space: '', pid: '', started: '' };
  return { id, space: `${hostname()} ${namespace}`, pid, started };
}

/** Clock ticks between boot and the start of a process (`proc(5)`, field 22); undefined when it is gone. */
async function startTime(pid: string): Promise<string | undefined> {
  const line = await readText(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  return line?.slice(line.lastIndexOf(')') + 2).split(' ')[19];
}

async function readText(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined);
}
