import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Contender } from './measure.ts';

/** What one run took. */
export interface Usage {
  readonly wallMs: number;
  /** User and system time. */
  readonly cpuMs: number;
  /** Peak memory; undefined without /proc. */
  readonly peakBytes: number | undefined;
}

// The shell's own accounting of its children needs no program and counts only them.
const accounted = '"$@"; code=$?; times >&3; exit $code';
const everyMs = 20;

/** Runs a contender with its output thrown away; its input is the file `input`, or nothing. */
export async function runUsed({ name, file, args, env }: Contender, input: string | undefined): Promise<Usage> {
  const stdin = input === undefined ? 'ignore' : openSync(input, 'r');
  const startedAt = performance.now();
  const shell = spawn('sh', ['-c', accounted, 'sh', file, ...args], {
    env: env ?? process.env,
    stdio: [stdin, 'ignore', 'pipe', 'pipe'],
  });
  if (typeof stdin === 'number') closeSync(stdin);
  let peakBytes: number | undefined;
  const look = setInterval(() => {
    peakBytes = largest([peakBytes, peakOf(shell)]);
  }, everyMs);
  const [complaints, times, [code, wallMs]] = await Promise.all([
    text(shell.stderr as NodeJS.ReadableStream),
    text(shell.stdio[3] as NodeJS.ReadableStream),
    new Promise<[number | null, number]>((done, failed) => {
      shell.once('error', failed);
      shell.once('exit', (status) => done([status, performance.now() - startedAt]));
    }),
  ]).finally(() => clearInterval(look));
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${complaints.trim().slice(0, 300)}`);
  return { wallMs, cpuMs: cpuOf(times), peakBytes };
}

/** The high-water mark of the largest process that the shell began, directly or through other shells. */
function peakOf(shell: ChildProcess): number | undefined {
  return largest(childrenOf(String(shell.pid)).map(peakWithin));
}

function peakWithin(id: string): number | undefined {
  const found = /^VmHWM:\s+(\d+) kB/m.exec(readIfThere(`/proc/${id}/status`));
  const own = found === null ? undefined : Number(found[1]) * 1024;
  return largest([own, ...childrenOf(id).map(peakWithin)]);
}

function childrenOf(id: string): readonly string[] {
  return readIfThere(`/proc/${id}/task/${id}/children`).split(' ').filter(Boolean);
}

/** Empty when the process has not begun, or is over already. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function largest(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** The second line of `times`: what the children took, for example `0m1.23s 0m0.45s`. */
function cpuOf(times: string): number {
  const spans = (times.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g);
  return [...spans].reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0);
}
