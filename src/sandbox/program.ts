import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process'; // such programs are run by the Node that runs weir
import { setTimeout as delay } from 'node:timers/promises';
import { CliError, exitCodes, unreachableError } from '../errors.ts';
import { isRunning, type ProcessId } from '../files/process-id.ts';
import type { Machine } from './machine.ts';
import { checkPorts, portInUseError } from './port-in-use.ts';
import { launch, stop } from './process.ts';

const startLimitMs = 30_000;
const graceMs = 2_000;
const pollMs = 5;

/** A program of weir's own that runs a part of a sandbox in the background. */
export interface Program {
  /** What it runs, for messages, for example `the control plane`. */
  readonly name: string;
  /** The sandbox's name, for messages. */
  readonly sandbox: string;
  /** Its working directory, which belongs to the part. */
  readonly directory: string;
  /** Its file: `entry.ts` or its bundle. It gets the path of its options. */
  readonly entry: string;
  /** The ports that it listens on. */
  readonly ports: readonly number[];
  /** The file that its output is appended to. */
  readonly log: string;
  /** Whether it answers on all its ports. */
  isReady(): Promise<boolean>;
}

/** What is kept of a program. */
export interface ProgramRun {
  /** Its process, if it has been started; it may have exited since. */
  readonly kept: ProcessId | null;
  readonly machine: Machine;
  /** Called with the process before it is ready, so that an interrupted start can be cleaned up; null: it is stopped. */
  save(process: ProcessId | null): Promise<void>;
}

/** Returns the file that a program creates when it listens on all its ports. */
export function listeningOf({ directory }: Pick<Program, 'directory'>): string {
  return join(directory, 'listening');
}

/**
 * Starts a program with `options`, which it reads as JSON, unless it is running, and waits until it is ready.
 * @throws CliError when a port is in use (exit 6), when it exits, or when it is not ready within 30 s (exit 5)
 */
export async function startProgram(program: Program, options: unknown, run: ProgramRun): Promise<void> {
  const { kept, machine, save } = run;
  if (kept !== null && (await isRunning(kept))) return untilReady(program, { running: kept, machine });
  const { name, sandbox, directory, entry, ports, log } = program;
  await checkPorts(sandbox, ports);
  machine.progress(`starting ${name} at ${ports.map((port) => `127.0.0.1:${port}`).join(',')}`);
  const file = join(directory, 'options.json');
  await writeFile(file, JSON.stringify(options), { mode: 0o600 });
  await rm(listeningOf(program), { force: true });
  const running = await launch({ file: execPath, args: [entry, file], cwd: directory, env: machine.env, log });
  try {
    await save(running);
    await untilReady(program, { running, machine, listening: listeningOf(program) });
  } catch (error) {
    await stop(running, { graceMs: 0 });
    await save(null);
    throw error;
  }
}

/** Stops a program, by default after it has had two seconds to end by itself. */
export async function stopProgram(
  { kept, save }: Omit<ProgramRun, 'machine'>,
  how: 'gently' | 'atOnce',
): Promise<void> {
  if (kept !== null) await stop(kept, { graceMs: how === 'gently' ? graceMs : 0 });
  await save(null);
}

/** A running program to wait for. */
interface Launched {
  readonly running: ProcessId;
  readonly machine: Machine;
  /** The file that tells its answers from those of another program on the same port; not for one that ran before. */
  readonly listening?: string;
}

async function untilReady(program: Program, { running, machine, listening }: Launched): Promise<void> {
  const giveUpAt = performance.now() + startLimitMs;
  while (!((listening === undefined || existsSync(listening)) && (await program.isReady()))) {
    machine.signal.throwIfAborted();
    if (!(await isRunning(running))) throw await exited(program);
    if (performance.now() > giveUpAt)
      throw unreachableError(`started ${program.name}, but it did not answer within ${startLimitMs / 1000}s`, {
        hints: hintsOf(program),
      });
    await delay(pollMs, undefined, { signal: machine.signal });
  }
}

async function exited(program: Program): Promise<CliError> {
  const lines = (await readFile(program.log, 'utf8').catch(() => '')).trim().split('\n');
  const telling = lines.findLast((line) => /Error\b.*:/.test(line)) ?? lines.at(-1) ?? '';
  const taken = /EADDRINUSE.*:(\d+)$/.exec(telling)?.[1];
  if (taken !== undefined) return portInUseError(program.sandbox, Number(taken));
  const message = `unable to start ${program.name}: the program exited: ${telling.trim()}`;
  return new CliError(exitCodes.failure, message, { hints: hintsOf(program) });
}

function hintsOf({ log }: Program): readonly string[] {
  return [`read its log: ${log}`];
}
