import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { kill } from 'node:process'; // signal 0 asks whether a process exists; nothing is sent

/** A process, recognizable after its pid was given to another. */
export interface ProcessId {
  readonly pid: number;
  /** An opaque word that changes whenever the pid is used anew, also by a restart of the machine. */
  readonly startedAt: string;
}

/** The start of a process that exists but that this user may not look at (`/proc` mounted with `hidepid`). */
export const hidden = 'hidden';

/** Whether this very process, not another with its pid, is running. */
export async function isRunning(id: ProcessId): Promise<boolean> {
  return (await startOf(id.pid)) === id.startedAt;
}

/** The start of the process that has this pid now; undefined when there is none (or only its zombie), or it is hidden. */
export async function startOf(pid: number): Promise<string | undefined> {
  const found = await lookUp(pid);
  return found === hidden ? undefined : found;
}

/** The start of the process that has this pid now; `hidden` when it exists unseen, undefined when it does not. */
export async function lookUp(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  if (stat !== undefined) return startInStat(stat, await bootId());
  if (await hasProc()) return exists(pid) ? hidden : undefined;
  return await startFromPs(pid);
}

/**
 * Reads the start out of /proc/PID/stat (proc_pid_stat(5): field 3 is the state, 20 the threads, 22 the start in ticks).
 * A zombie counts as ended once its last thread is gone: until then its ports are taken.
 */
export function startInStat(stat: string, boot: string): string | undefined {
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, threads, ticks] = [fields[0], Number(fields[17]), fields[19]];
  const hasEnded = (state === 'Z' || state === 'X') && threads <= 1;
  return hasEnded || ticks === undefined ? undefined : `${ticks}@${boot}`;
}

/** Reads the start out of what `ps -o stat=,lstart=` prints; undefined for no process, or a zombie. */
export function startInPs(text: string): string | undefined {
  const [, state, start] = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(text) ?? [];
  return state === undefined || state.startsWith('Z') ? undefined : start;
}

/** This process, and where its pid is valid: the boot of a machine, and the pid namespace in it. */
export interface OwnProcess extends ProcessId {
  readonly space: string;
}

/** This process as others on the same machine can look it up; undefined where `/proc` does not tell. */
export async function ownProcess(): Promise<OwnProcess | undefined> {
  const pid = Number(await readlink('/proc/self').catch(() => Number.NaN));
  const namespace = await readlink('/proc/self/ns/pid').catch(() => undefined);
  const startedAt = Number.isInteger(pid) ? await startOf(pid) : undefined;
  if (startedAt === undefined || namespace === undefined || (await bootId()) === unknownBoot) return undefined;
  // Not the host name: two machines that share a directory may have the same one.
  return { pid, startedAt, space: `${await bootId()} ${namespace}` };
}

const unknownBoot = 'boot';

let boot: Promise<string> | undefined;

async function bootId(): Promise<string> {
  boot ??= readFile('/proc/sys/kernel/random/boot_id', 'latin1').then(
    (text) => text.trim(),
    () => unknownBoot,
  );
  return boot;
}

function exists(pid: number): boolean {
  try {
    return kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function startFromPs(pid: number): Promise<string | undefined> {
  const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C' };
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env }, (_, stdout) => resolve(startInPs(stdout)));
  });
}

async function hasProc(): Promise<boolean> {
  return (await readFile('/proc/self/stat').catch(() => undefined)) !== undefined;
}
