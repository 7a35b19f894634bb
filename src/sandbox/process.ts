import { spawn } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { kill } from 'node:process'; // the sandbox owns processes that outlive the command which started them
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, type ProcessId, startOf } from '../files/process-id.ts';

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
