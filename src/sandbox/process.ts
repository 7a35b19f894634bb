import { spawn } from 'node:child_process';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { kill } from 'node:process'; // the sandbox owns processes that outlive the command which started them
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';

/** A process of ours, recognizable after its pid was given to another. */
export interface ProcessId {
  readonly pid: number;
  /** An opaque word that changes whenever the pid is used anew. */
  readonly startedAt: string;
}

/** How a process is started that outlives this one. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file that its standard output and error are appended to. */
  readonly log: string;
}

/**
 * Starts a process that outlives this one, in a session of its own: a Ctrl-C in the terminal does not reach it.
 * @throws Error when it cannot be started or ends at once
 */
export async function launch({ file, args, cwd, env, log }: Launch): Promise<ProcessId> {
  await mkdir(dirname(log), { recursive: true, mode: 0o700 });
  const output = await open(log, 'a', 0o600);
  try {
    const child = spawn(file, args, {
      cwd,
      env: { ...env },
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    child.on('error', () => undefined); // told by the missing pid
    child.unref();
    const startedAt = child.pid === undefined ? undefined : await startOf(child.pid);
    if (child.pid === undefined || startedAt === undefined) throw new Error(`unable to start ${file}`);
    return { pid: child.pid, startedAt };
  } finally {
    await output.close();
  }
}

/** Whether this very process, not another with its pid, is running. */
export async function isRunning(id: ProcessId): Promise<boolean> {
  return (await startOf(id.pid)) === id.startedAt;
}

/** How a process is stopped. */
export interface StopOptions {
  /** How long it may take to end by itself, in milliseconds; 0 kills it at once. */
  readonly graceMs: number;
}

/** Ends a process of ours: asks, waits, then kills. Does nothing when it has ended or its pid is another's now. */
export async function stop(id: ProcessId, { graceMs }: StopOptions): Promise<void> {
  if (graceMs > 0) {
    await send(id, 'SIGTERM');
    if (await ends(id, graceMs)) return;
  }
  await send(id, 'SIGKILL');
  if (!(await ends(id, 10_000))) throw new Error(`the process ${id.pid} does not end`);
}

async function send(id: ProcessId, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (!(await isRunning(id))) return;
  try {
    kill(id.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function ends(id: ProcessId, withinMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + withinMs;
  while (await isRunning(id)) {
    if (performance.now() > giveUpAt) return false;
    await delay(25);
  }
  return true;
}

/** The start of the process that has this pid now; undefined when there is none (or only its zombie). */
export async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  if (stat !== undefined) return startInStat(stat, await bootId());
  return (await hasProc()) ? undefined : startFromPs(pid);
}

/**
 * Reads the start out of /proc/PID/stat (proc_pid_stat(5): field 3 is the state, 20 the threads, 22 the start in ticks).
 * A zombie counts as ended once its last thread is gone: until then its ports are taken.
 */
export function startInStat(stat: string, boot: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, threads, ticks] = [fields[0], Number(fields[17]), fields[19]];
  const hasEnded = (state === 'Z' || state === 'X') && threads <= 1;
  return hasEnded || ticks === undefined ? undefined : `${ticks}@${boot}`;
}

let boot: Promise<string> | undefined;

async function bootId(): Promise<string> {
  boot ??= readFile('/proc/sys/kernel/random/boot_id', 'latin1').then(
    (text) => text.trim(),
    () => 'boot',
  );
  return boot;
}

async function startFromPs(pid: number): Promise<string | undefined> {
  const { stdout } = await execa('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    env: { LC_ALL: 'C' },
    reject: false,
  });
  return startInPs(stdout);
}

/** Reads the start out of what `ps -o stat=,lstart=` prints; undefined for no process, or a zombie. */
export function startInPs(text: string): string | undefined {
  const [, state, start] = /^\s*(\S+)\s+(\S.*?)\s*$/.exec(text) ?? [];
  return state === undefined || state.startsWith('Z') ? undefined : start;
}

async function hasProc(): Promise<boolean> {
  return (await readFile('/proc/self/stat').catch(() => undefined)) !== undefined;
}
