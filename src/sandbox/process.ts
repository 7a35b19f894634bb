import { spawn } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { kill } from 'node:process'; // sandbox processes outlive the command that starts them
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, type ProcessId, startOf } from '../files/process-id.ts';

/** How to start a process that outlives this one. */
interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file that its standard output and error are appended to. */
  readonly log: string;
}

/** The start time of a process that exited before it could be looked up; no process has it. */
const exited = 'exited';

/**
 * Starts a process that outlives this one, in its own session so that Ctrl-C in the terminal does not reach it. A
 * process that exits immediately is returned like any other: how it ended is in its log.
 * @throws Error when it cannot be started
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
    child.on('error', () => undefined); // reported below: the pid is missing
    child.unref();
    if (child.pid === undefined) throw new Error(`unable to start ${file}`);
    return { pid: child.pid, startedAt: (await startOf(child.pid)) ?? exited };
  } finally {
    await output.close();
  }
}

/** How to stop a process. */
interface StopOptions {
  /** How long the process may take to exit after SIGTERM, in milliseconds; 0 kills it immediately. */
  readonly graceMs: number;
}

/** Stops a process with SIGTERM, then SIGKILL. Does nothing when it has exited, even if its pid is in use again. */
export async function stop(id: ProcessId, { graceMs }: StopOptions): Promise<void> {
  if (graceMs > 0) {
    await send(id, 'SIGTERM');
    if (await ends(id, graceMs)) return;
  }
  await send(id, 'SIGKILL');
  if (!(await ends(id, 10_000))) throw new Error(`unable to stop process ${id.pid}: it does not exit`);
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
