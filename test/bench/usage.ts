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

// The accounting of the shell needs no program, counts only its children, and in bash shows milliseconds.
const accounted = 'start=$EPOCHREALTIME; "$@"; code=$?; echo "$start $EPOCHREALTIME" >&3; times >&3; exit $code';
const everyMs = 20;

/** Runs a contender with its output thrown away; its input is the file `input`, or nothing. */
export async function runUsed({ name, file, args, env }: Contender, input: string | undefined): Promise<Usage> {
  const stdin = input === undefined ? 'ignore' : openSync(input, 'r');
  const shell = spawn('bash', ['-c', accounted, 'bash', file, ...args], {
    env: env ?? process.env,
    stdio: [stdin, 'ignore', 'pipe', 'pipe'],
  });
  if (typeof stdin === 'number') closeSync(stdin);
  let peakBytes: number | undefined;
  const look = setInterval(() => {
    peakBytes = largest([peakBytes, peakOf(shell)]);
  }, everyMs);
  const [complaints, account, code] = await Promise.all([
    text(shell.stderr as NodeJS.ReadableStream),
    text(shell.stdio[3] as NodeJS.ReadableStream),
    new Promise<number | null>((done, failed) => {
      shell.once('error', failed);
      shell.once('exit', done);
    }),
  ]).finally(() => clearInterval(look));
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${complaints.trim().slice(0, 300)}`);
  const [clock = '', , children = ''] = account.split('\n');
  return { wallMs: wallOf(clock), cpuMs: cpuMsOf(children), peakBytes };
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

/** The time between two clock readings, for example `1795690000.123456 1795690000.150000`. */
function wallOf(clock: string): number {
  // A locale may write the decimal point as a comma.
  const [start = Number.NaN, end = Number.NaN] = clock.split(' ').map((seconds) => Number(seconds.replace(',', '.')));
  return (end - start) * 1000;
}

/** What `times` says of the children, for example `0m1.234s 0m0.456s`: user and system time together, in milliseconds. */
function cpuMsOf(times: string): number {
  const parts = [...times.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0);
}
