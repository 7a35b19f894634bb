// biome-ignore-all lint/style/noRestrictedGlobals: this file is where the process becomes the Host
import { closeSync, existsSync, fstatSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Readable, Writable } from 'node:stream';
import { CliError, exitCodes } from '../errors.ts';
import { isEmbedded } from './program-file.ts';
import { type InputChunks, isBun, openChunks, setEngineFlag } from './standard-input.ts';
import { type DirectWrite, directWriteTo, isNull } from './standard-output.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** Standard output or standard error, with its terminal properties. */
export interface OutputStream {
  readonly stream: Writable;
  /** Writes before the stream is opened; without it, and once the stream is open, the stream writes everything. */
  readonly writeDirect?: DirectWrite;
  /** Whether the stream is connected to a terminal. */
  readonly isTerminal: boolean;
  /** The width of the terminal in columns; undefined without a terminal, and where it is not known. */
  readonly columns: number | undefined;
  /** The height of the terminal in lines; undefined like `columns`. */
  readonly rows?: number | undefined;
}

/** Standard input. */
export interface InputStream {
  readonly stream: Readable;
  /** The input in chunks, for bulk reads instead of `stream`; a chunk is valid until the next one is requested. */
  readonly chunks: AsyncIterable<Uint8Array | string>;
  readonly isTerminal: boolean;
}

/** A signal that weir handles. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** How to start a child process; a subset of execa's options. */
export interface SpawnOptions {
  readonly cwd?: string;
  /** Variables added to this process's environment; undefined removes a variable, for example one with a secret. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * `inherit`: the child uses this process's terminal; `capture`: its output is returned; `ask`: only its standard output
   * is returned, and it may use the terminal to ask the person. Without a terminal, its messages are returned.
   */
  readonly stdio: 'inherit' | 'capture' | 'ask';
  /** Its standard input, instead of that of this process. */
  readonly input?: string;
  /** The most that it may print, in bytes of UTF-8 text; then it is ended. */
  readonly mostBytes?: number;
  /** Sends the standard output of an inheriting child to standard error, to keep standard output for results. */
  readonly outputToError?: boolean;
  /** Called when the child has started, with a function that sends it a signal. */
  readonly onStart?: (send: (signal: Signal) => void) => void;
  readonly signal?: AbortSignal;
  /** Whether the child ends with `signal`, whatever it and what it has started do; without a terminal, all of it does. */
  readonly endsWhole?: boolean;
}

/** How a child process ended. */
export interface SpawnResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether it was ended because it printed more than `mostBytes`. */
  readonly isTooLong?: boolean;
}

/**
 * The outside world, passed in as a parameter. Nothing else in `src/` uses `process` or `console`, so a test
 * can run any command in a world of its own.
 */
export interface Host {
  /** The arguments after the program name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The user's home directory, if there is one. */
  readonly home: string | undefined;
  readonly platform: NodeJS.Platform;
  /** What runs weir, with its version (`Node.js 24.21.0`), the processor architecture and the user id (none on Windows). */
  readonly runtime: { readonly name: string; readonly arch: string; readonly uid?: number };
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Opens the controlling terminal for a prompt; undefined if there is none. Close it after the answer. */
  openTerminal(): Terminal | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
  /** How long the process has been running, in milliseconds. */
  uptimeMs(): number;
  /**
   * Calls `listener` until the returned function is called: when the terminal has got another size, and when the process
   * goes on after a stop, during which the terminal was used by others.
   */
  onTerminalChange(listener: (change: 'resized' | 'continued') => void): () => void;
  /** Stops the processes of this command line, as the terminal does on Ctrl-Z, until somebody continues them. */
  suspend(): void;
  /**
   * Keeps the memory of this process close to what it uses, for commands that go on for hours; JavaScript engines
   * otherwise let it grow to several times that.
   */
  favorMemory(): void;
  /** Calls `listener` on each signal until the returned function is called. */
  onSignal(listener: (signal: Signal) => void): () => void;
  /** Sends a signal to this process, as the terminal does on Ctrl-C. */
  raise(signal: Signal): void;
  /** Ends the process soon, or after `afterMs`, even if its output has no reader or something cannot be canceled. */
  abandonOutput(exitCode: number, afterMs?: number): void;
  /** Runs a child process until it ends. Rejects if it cannot be started. */
  spawn(file: string, args: readonly string[], options: SpawnOptions): Promise<SpawnResult>;
  /**
   * Starts weir in the background, without a terminal and without output. It outlives this process.
   * @param input its standard input: other users can see the arguments
   */
  spawnSelf(args: readonly string[], input: string): void;
  /** Releases standard input so that the process can end. */
  dispose(): void;
}

const load = createRequire(import.meta.url);

/** Whether the descriptor is a terminal. Checks for files, pipes and /dev/null first: loading node:tty takes 3 ms. */
function isatty(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isCharacterDevice() || isNull(stats)) return false;
  } catch {
    return false; // closed
  }
  return (load('node:tty') as typeof import('node:tty')).isatty(descriptor);
}

/** @throws Error if the descriptor is closed */
function isPipe(descriptor: number): boolean {
  const stats = fstatSync(descriptor);
  return stats.isFIFO() || stats.isSocket();
}

/** A reader that is only slow gets what it reads in this time. */
const abandonAfterMs = 40;
/** A process that has nothing left to do ends before. */
const endsAfterMs = 100;

const shell = '/bin/sh';

const signals: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** The signals that exit codes stand for. */
const signalOf: Readonly<Record<number, Signal>> = { 129: 'SIGHUP', 130: 'SIGINT', 143: 'SIGTERM' };

/**
 * Ends the process at once. `process.exit` of Node.js waits for its threads, and one that looks up a name cannot be
 * stopped for ten seconds; a shell in the place of the process has none. Bun does not wait.
 */
function exit(exitCode: number): void {
  if (!isBun && existsSync(shell)) {
    process.execve?.(shell, ['sh', '-c', `exit ${exitCode}`], {});
  }
  process.exit(exitCode);
}

/** Ends what must not outlive this process: a second signal leaves no time for it. */
const endings = new Set<() => void>();

function endChildren(): void {
  for (const end of endings) end();
}

/** Ends the process although its output is not written; by the signal itself, as shells expect, if one has ended the command. */
function leave(exitCode: number): void {
  endChildren();
  const signal = process.platform === 'win32' ? undefined : signalOf[exitCode];
  if (signal === undefined) exit(exitCode);
  process.kill(process.pid, signal);
  // In case that something ignores it.
  setTimeout(() => exit(exitCode), 100);
}

/**
 * Ends the process once its output is written, with an exit code, or by the signal that the code stands for: a shell
 * that runs weir in a loop ends the loop only if weir was ended by the signal itself.
 */
export function endProcess(exitCode: number): void {
  endChildren();
  process.exitCode = exitCode;
  const signal = process.platform === 'win32' ? undefined : signalOf[exitCode];
  if (signal !== undefined) process.kill(process.pid, signal);
  setTimeout(leaveWhenWritten, endsAfterMs).unref();
}

/** A pending DNS lookup or read cannot be canceled and would keep the process alive for seconds. */
function leaveWhenWritten(): void {
  let open = 2;
  const ended = (): void => {
    open -= 1;
    if (open === 0) exit(Number(process.exitCode ?? 0));
  };
  for (const stream of [process.stdout, process.stderr]) {
    // A stream of Bun does not say what it holds, but ends only when all of it is written. That of Node.js would close
    // a socket, such as a program in Node.js gives its children, for every process that shares it.
    if (isBun) stream.end(ended);
    else stream.write('', ended);
  }
}

/** The Host of this process. Standard streams are opened on first use, because opening them slows the start. */
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
    runtime: { name: runtimeName(), arch: process.arch, ...ownUser() },
    stdin: {
      get stream() {
        return stream();
      },
      get chunks() {
        // On Windows, only Node's own streams can read the descriptors.
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
    uptimeMs: () => performance.now(),
    onTerminalChange,
    // 0: everything that the shell has started for the line.
    suspend: () => void process.kill(0, 'SIGTSTP'),
    favorMemory: () => setEngineFlag('--optimize-for-size'),
    onSignal,
    raise: (signal) => void process.kill(process.pid, signal),
    abandonOutput: (exitCode, afterMs = abandonAfterMs) =>
      void setTimeout(() => leave(exitCode), Math.max(1, afterMs)).unref(),
    spawn: runChild,
    spawnSelf,
    dispose() {
      // A pending read would keep the process alive.
      stdin?.destroy();
      chunks?.destroy();
    },
  };
}

/** @throws CliError if the working directory was deleted */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new CliError(exitCodes.failure, 'the working directory no longer exists', {
      hints: ['change to another directory, or use absolute paths'],
      cause,
    });
  }
}

/** Windows has no /dev/tty: uses the standard streams if both are terminals. */
function standardTerminal(): Terminal | undefined {
  if (!isatty(0) || !isatty(2)) return undefined;
  return {
    input: process.stdin,
    write: (text) => void process.stderr.write(text),
    close: () => void process.stdin.pause(),
  };
}

function runtimeName(): string {
  return isBun ? `Bun ${process.versions.bun}` : `Node.js ${process.versions.node}`;
}

function ownUser(): { readonly uid?: number } {
  const uid = process.geteuid?.();
  return uid === undefined ? {} : { uid };
}

/** Undefined if standard input is closed or needs a stream. */
function inputChunks(): InputChunks | undefined {
  try {
    // execa opens this stream when it is loaded, which fails if something reads the same pipe by then.
    if (!isBun && isPipe(0)) void process.stdin;
    return openChunks(0);
  } catch {
    return undefined;
  }
}

function standardStream(name: 'stdout' | 'stderr', descriptor: number): OutputStream {
  return {
    writeDirect: directWriteTo(descriptor),
    get stream() {
      return process[name];
    },
    get isTerminal() {
      return isatty(descriptor);
    },
    get columns() {
      // A terminal whose size was never set, such as one of a CI runner, has 0 columns.
      return isatty(descriptor) ? process[name].columns || undefined : undefined;
    },
    get rows() {
      return isatty(descriptor) ? process[name].rows || undefined : undefined;
    },
  };
}

function onSignal(listener: (signal: Signal) => void): () => void {
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

function onTerminalChange(listener: (change: 'resized' | 'continued') => void): () => void {
  const resized = (): void => listener('resized');
  const continued = (): void => {
    // The size may have changed during the stop, of which only this signal informs Node.js.
    process.kill(process.pid, 'SIGWINCH');
    listener('continued');
  };
  process.stdout.on('resize', resized);
  if (process.platform !== 'win32') process.on('SIGCONT', continued);
  return () => {
    process.stdout.off('resize', resized);
    process.off('SIGCONT', continued);
  };
}

/** How long a child may take to end by itself: less than weir has to end. */
const childEndsAfterMs = 100;

async function runChild(file: string, args: readonly string[], options: SpawnOptions): Promise<SpawnResult> {
  const { execa } = await import('execa');
  const { signal, endsWhole = false } = options;
  // A group of its own is outside of the terminal, where the child could not ask the person.
  const isGroup = endsWhole && process.platform !== 'win32' && !hasTerminal();
  const child = execa(file, args, { ...execaOptions(options), detached: isGroup });
  options.onStart?.((sent) => child.kill(sent));
  const kill = (sent: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      if (isGroup) process.kill(-child.pid, sent);
      else child.kill(sent);
    } catch {
      // It has ended.
    }
  };
  const end = (): void => kill('SIGKILL');
  if (endsWhole) endings.add(end);
  const result = await (endsWhole && signal !== undefined ? endingWith(signal, child, kill) : child).finally(() =>
    endings.delete(end),
  );
  if (result.isMaxBuffer) {
    kill('SIGKILL');
    return { exitCode: 0, stdout: '', stderr: '', isTooLong: true };
  }
  if (result.exitCode === undefined && result.signal === undefined) throw result;
  return {
    exitCode: result.exitCode ?? signalCode(result.signal),
    stdout: result.stdout ?? '',
    stderr: result.stderr ?? '',
  };
}

function execaOptions(options: SpawnOptions) {
  const { signal, endsWhole, stdio, mostBytes, input, cwd, env } = options;
  return {
    reject: false,
    // Each reader decides about the end of a line.
    stripFinalNewline: stdio !== 'ask',
    ...(mostBytes !== undefined && { maxBuffer: mostBytes }),
    ...(input !== undefined && { input }),
    ...streamsOf(options),
    ...(cwd !== undefined && { cwd }),
    env,
    ...(signal !== undefined && !endsWhole && { cancelSignal: signal }),
  } as const;
}

/**
 * Waits for a child, and ends it when the signal is aborted: politely, then for good. Nothing waits for its output then,
 * which something that it has started may keep open.
 * @throws the reason of the abort
 */
async function endingWith<T>(signal: AbortSignal, child: Promise<T>, kill: (sent: NodeJS.Signals) => void): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    kill('SIGTERM');
    timer = setTimeout(() => reject(signal.reason), childEndsAfterMs);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const result = await Promise.race([child, ended]);
    signal.throwIfAborted();
    return result;
  } finally {
    // What a child has started may go on after its end.
    if (signal.aborted) kill('SIGKILL');
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Where the streams of a child lead. */
function streamsOf({ stdio, input, outputToError = false }: SpawnOptions) {
  const modes = { inherit: 'inherit', capture: 'ignore', ask: isatty(0) ? 'inherit' : 'ignore' } as const;
  return {
    ...(input === undefined ? { stdin: modes[stdio] } : {}),
    stdout: stdio !== 'inherit' ? 'pipe' : outputToError ? 2 : 'inherit',
    stderr: { inherit: 'inherit', capture: 'pipe', ask: isatty(2) ? 'inherit' : 'pipe' }[stdio] as 'inherit' | 'pipe',
  } as const;
}

function spawnSelf(args: readonly string[], input: string): void {
  const { spawn } = load('node:child_process') as typeof import('node:child_process');
  const { execArgv, argv, execPath } = process;
  const [, script = ''] = argv;
  const child = spawn(execPath, isEmbedded(script) ? args : [...execArgv, script, ...args], {
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => undefined); // there is nobody to tell
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  child.unref();
}

/** The exit code that a shell reports for a child ended by a signal: 128 plus the signal number. */
function signalCode(signal: NodeJS.Signals | undefined): number {
  const { constants } = load('node:os') as typeof import('node:os');
  return 128 + (signal === undefined ? 0 : constants.signals[signal]);
}
