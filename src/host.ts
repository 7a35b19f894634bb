// biome-ignore-all lint/style/noRestrictedGlobals: this file is where the process becomes the Host
import { fstatSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Readable, Writable } from 'node:stream';
import { CliError, exitCodes } from './errors.ts';
import { type InputChunks, openChunks } from './standard-input.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** Standard output or error, with what a renderer must know about it. */
export interface OutputStream {
  readonly stream: Writable;
  /** Whether a terminal is on the other end. */
  readonly isTerminal: boolean;
  /** Columns of that terminal; undefined when there is none. */
  readonly columns: number | undefined;
}

/** Standard input. */
export interface InputStream {
  readonly stream: Readable;
  /** The same in pieces for bulk input, instead of `stream`; a piece's memory is valid until the next is asked for. */
  readonly chunks: AsyncIterable<Uint8Array | string>;
  readonly isTerminal: boolean;
}

/** A signal that a command may be told of. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** How a child process is started; a thin view of execa's options. */
export interface SpawnOptions {
  readonly cwd?: string;
  /** Added to this process's environment; undefined takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `inherit`: the child has this process's terminal; `capture`: its output is returned. */
  readonly stdio: 'inherit' | 'capture';
  /** An inheriting child writes its standard output to this process's standard error: the output is for results. */
  readonly outputToError?: boolean;
  /** Receives, once the child was started, a function that sends it a signal. */
  readonly onStart?: (send: (signal: Signal) => void) => void;
  readonly signal?: AbortSignal;
}

/** How a child process ended. */
export interface SpawnResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The outside world, handed in. Nothing else in `src/` names `process` or `console`, so that a test
 * can run any command with a world of its own.
 */
export interface Host {
  /** The words after the program name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The user's home directory; undefined when there is none. */
  readonly home: string | undefined;
  readonly platform: NodeJS.Platform;
  /** What runs weir: the version of Node.js, the processor, and the user; no user id on Windows. */
  readonly runtime: { readonly node: string; readonly arch: string; readonly uid?: number };
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Opens the controlling terminal for a question; undefined where there is none. Close it after the answer. */
  openTerminal(): Terminal | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back on each signal until the returned function is called. */
  onSignal(listener: (signal: Signal) => void): () => void;
  /** Sends this process a signal, as the terminal does for Ctrl-C. */
  raise(signal: Signal): void;
  /** Runs a child process to its end. Rejects when it cannot be started. */
  spawn(file: string, args: readonly string[], options: SpawnOptions): Promise<SpawnResult>;
  /** Lets go of standard input, so that the process can end. */
  dispose(): void;
}

const load = createRequire(import.meta.url);

/** Whether a terminal is behind the descriptor. Files, pipes and /dev/null are told without node:tty, 3 ms to load. */
function isatty(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    if (!found.isCharacterDevice()) return false;
    if (found.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev) return false;
  } catch {
    return false; // closed
  }
  return (load('node:tty') as typeof import('node:tty')).isatty(descriptor);
}

const signals: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The process as it is. Standard streams are opened when first touched: that costs time at start. */
export function realHost(): Host {
  let stdin: Readable | undefined;
  let chunks: InputChunks | undefined;
  const stream = (): Readable => {
    stdin ??= process.stdin;
    return stdin;
  };
  return {
    argv: process.argv.slice(2),
    env: process.env,
    get cwd() {
      return workingDirectory();
    },
    home: process.env.HOME || process.env.USERPROFILE || undefined,
    platform: process.platform,
    runtime: { node: process.versions.node, arch: process.arch, ...ownUser() },
    stdin: {
      get stream() {
        return stream();
      },
      get chunks() {
        // Of Windows only the streams of Node.js know what its descriptors are.
        if (process.platform !== 'win32') chunks ??= inputChunks();
        return chunks ?? stream();
      },
      get isTerminal() {
        return isatty(0);
      },
    },
    stdout: standardStream('stdout', 1),
    stderr: standardStream('stderr', 2),
    openTerminal: () => (process.platform === 'win32' ? standardTerminal() : openTerminal()),
    now: Date.now,
    onSignal,
    raise: (signal) => void process.kill(process.pid, signal),
    spawn: runChild,
    dispose() {
      // A read that nobody waits for any more would keep the process alive.
      stdin?.destroy();
      chunks?.destroy();
    },
  };
}

/** @throws CliError when the working directory was deleted */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new CliError(exitCodes.failure, 'the working directory does not exist any more', {
      hints: ['change to another directory, or give absolute paths'],
      cause,
    });
  }
}

/** Windows has no /dev/tty: the standard streams, where a person is at both of them. */
function standardTerminal(): Terminal | undefined {
  if (!isatty(0) || !isatty(2)) return undefined;
  return {
    input: process.stdin,
    write: (text) => void process.stderr.write(text),
    close: () => void process.stdin.pause(),
  };
}

function ownUser(): { readonly uid?: number } {
  const uid = process.geteuid?.();
  return uid === undefined ? {} : { uid };
}

/** Undefined: standard input is closed, or something that a stream has to read. */
function inputChunks(): InputChunks | undefined {
  try {
    return openChunks(0);
  } catch {
    return undefined;
  }
}

function standardStream(name: 'stdout' | 'stderr', descriptor: number): OutputStream {
  return {
    get stream() {
      return process[name];
    },
    get isTerminal() {
      return isatty(descriptor);
    },
    get columns() {
      return isatty(descriptor) ? process[name].columns : undefined;
    },
  };
}

function onSignal(listener: (signal: Signal) => void): () => void {
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

async function runChild(file: string, args: readonly string[], options: SpawnOptions): Promise<SpawnResult> {
  const { execa } = await import('execa');
  const captured = options.stdio === 'capture';
  const child = execa(file, args, {
    reject: false,
    stdin: captured ? 'ignore' : 'inherit',
    stdout: captured ? 'pipe' : options.outputToError === true ? 2 : 'inherit',
    stderr: captured ? 'pipe' : 'inherit',
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.signal === undefined ? {} : { cancelSignal: options.signal }),
  });
  options.onStart?.((signal) => child.kill(signal));
  const result = await child;
  if (result.exitCode === undefined && result.signal === undefined) throw result;
  return {
    exitCode: result.exitCode ?? signalCode(result.signal),
    stdout: result.stdout ?? '',
    stderr: result.stderr ?? '',
  };
}

/** What a shell makes of a child that a signal ended: 128 and the signal's number. */
function signalCode(signal: NodeJS.Signals | undefined): number {
  const { constants } = load('node:os') as typeof import('node:os');
  return 128 + (signal === undefined ? 0 : constants.signals[signal]);
}
