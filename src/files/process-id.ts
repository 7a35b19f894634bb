import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { kill } from 'node:process'; // signal 0 asks whether a process exists; nothing is sent

/** The identity of a process, valid even after its pid is reused. */
export interface ProcessId {
  readonly pid: number;
  /** An opaque text that changes whenever the pid is reused, also after a restart of the machine. */
  readonly startedAt: string;
}

/** The start of a process that exists but that this user cannot inspect (`/proc` mounted with `hidepid`). */
export const hidden = 'hidden';

/** Whether this process is running, and not another one with the same pid. */
export async function isRunning(id: ProcessId): Promise<boolean> {
  return (await startOf(id.pid)) === id.startedAt;
}

/** The start of the process that has this pid now; undefined if there is none, or it is hidden or a zombie. */
export async function startOf(pid: number): Promise<string | undefined> {
  const found = await lookUp(pid);
  return found === hidden ? undefined : found;
}

/** The start of the process that has this pid now; `hidden` if it cannot be inspected, undefined if there is none. */
export async function lookUp(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  if (stat !== undefined) return startInStat(stat, await bootId());
  if (await hasProc()) return exists(pid) ? hidden : undefined;
  return await startFromPs(pid);
}

/**
 * Parses the start time in /proc/PID/stat (proc_pid_stat(5): field 3 is the state, 20 the number of threads, 22 the
 * start in ticks). A zombie counts as ended only when its last thread has ended, because its ports are in use until
 * then.
 */
export function startInStat(stat: string, boot: string): string | undefined {
  // The second field is the program's name in parentheses; it can contain spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, threads, ticks] = [fields[0], Number(fields[17]), fields[19]];
  const hasEnded = (state === 'Z' || state === 'X') && threads <= 1;
  return hasEnded || ticks === undefined ? undefined : `${ticks}@${boot}`;
}

/** Parses the start time in the output of `ps -o stat=,lstart=`; undefined for no process or a zombie. */
export function startInPs(text: string): string | undefined {
  const [, state, start] = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(text) ?? [];
  return state === undefined || state.startsWith('Z') ? undefined : start;
}

/** This process and the space in which its pid is valid: one boot of a machine and a pid namespace. */
export interface OwnProcess extends ProcessId {
  readonly space: string;
}

/** The identity by which other processes on this machine can look up this one; undefined without `/proc`. */
export async function ownProcess(): Promise<OwnProcess | undefined> {
  const pid = Number(await readlink('/proc/self').catch(() => Number.NaN));
  const namespace = await readlink('/proc/self/ns/pid').catch(() => undefined);
  const startedAt = Number.isInteger(pid) ? await startOf(pid) : undefined;
  if (startedAt === undefined || namespace === undefined || (await bootId()) === unknownBoot) return undefined;
  // The host name is not used: two machines that share a directory can have the same one.
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
