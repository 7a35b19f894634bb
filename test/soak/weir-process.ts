import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Weir as a separate process, as people run it. */
export interface WeirProcess {
  readonly child: ChildProcess;
  /** When it has ended. */
  readonly done: Promise<WeirOutcome>;
}

/** How weir ended. */
export interface WeirOutcome {
  readonly exitCode: number | null;
  readonly stderr: string;
  /** Peak memory (VmHWM), in MB. */
  readonly peakMb: number;
  readonly seconds: number;
}

/** Where the streams of weir come from and go to; stderr is kept. */
export interface WeirStreams {
  readonly stdin?: 'pipe' | 'ignore' | Readable;
  readonly stdout?: 'pipe' | 'ignore';
  /** More variables of the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the built weir. */
export function startWeir(brokers: string, words: readonly string[], streams: WeirStreams = {}): WeirProcess {
  const { stdin = 'ignore', stdout = 'ignore', env } = streams;
  const startedAt = performance.now();
  const args = [resolve('bin/weir.js'), ...words, '-X', `brokers=${brokers}`];
  const child = spawn(resolve('node_modules/node/bin/node'), args, {
    stdio: [stdin, stdout, 'pipe'],
    // Without the user's own configuration.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      XDG_CONFIG_HOME: join(tmpdir(), 'weir-soak-no-config'),
      ...env,
    },
  });
  let peakMb = 0;
  const look = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
  }, 20);
  const ended = new Promise<number | null>((done, failed) => {
    child.once('error', failed);
    child.once('exit', (code) => done(code));
  });
  const done = Promise.all([ended, text(child.stderr as Readable)])
    .then(([exitCode, stderr]) => {
      return { exitCode, stderr, peakMb: Math.round(peakMb), seconds: (performance.now() - startedAt) / 1000 };
    })
    .finally(() => clearInterval(look));
  return { child, done };
}

function peakOf(pid: number | undefined): number {
  try {
    const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found === null ? 0 : Number(found[1]) / 1000;
  } catch {
    return 0; // over already
  }
}

/** Waits for weir to succeed, and returns its resource use. */
export async function finish(name: string, { done }: WeirProcess): Promise<string> {
  const { exitCode, stderr, peakMb, seconds } = await done;
  if (exitCode !== 0) throw new Error(`${name} ended with ${exitCode}: ${stderr.slice(0, 1000)}`);
  return `${name}: ${seconds.toFixed(1)} s, at most ${peakMb} MB${stderr === '' ? '' : ` (${stderr.trim().split('\n').at(-1)})`}`;
}

/** Writes all pieces to a process, no faster than it reads, and ends its input. */
export async function feed({ child }: WeirProcess, pieces: Iterable<string | Buffer>): Promise<void> {
  const { stdin } = child;
  if (stdin === null) throw new Error('stdin is no pipe');
  for (const piece of pieces) {
    if (child.exitCode !== null) return;
    if (!stdin.write(piece)) await drained(stdin);
  }
  stdin.end();
}

/** Waits until a stream accepts more, or is closed. */
export function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stream.off('drain', end).off('close', end);
      resolve();
    };
    stream.once('drain', end).once('close', end);
  });
}

/** The lines of a stream; only `\n` ends a line (Node's readline accepts more line ends than JSON lines). */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const end = chunk.subarray(from, at);
      yield begun.length === 0 ? end.toString() : Buffer.concat([...begun, end]).toString();
      begun = [];
      from = at + 1;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  }
  if (begun.length > 0) yield Buffer.concat(begun).toString();
}
