import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Entry } from '../src/cli/command.ts';
import { runLine } from '../src/cli/program.ts';
import { commands as weirCommands } from '../src/commands/index.ts';
import { openContext } from '../src/context.ts';
import type { Host, Signal, SpawnOptions, SpawnResult } from '../src/host/host.ts';
import { main } from '../src/main.ts';
import { atEndOfFile } from './at-end.ts';
import { executable } from './built.ts';
import { checkRecorded } from './json-schema.ts';
import { asOneRun } from './one-run.ts';
import { canBeProcess, runProcess } from './process-run.ts';
import { noting } from './tried/record.ts';

/** The outside world of one command line, by default an empty machine without a terminal. */
export interface World {
  /** The environment variables; the real environment is not visible. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The home directory (default: a new temporary directory). */
  readonly home?: string;
  readonly cwd?: string;
  readonly platform?: NodeJS.Platform;
  /** The content of standard input (default: empty). */
  readonly stdin?: string | Uint8Array | Readable;
  /**
   * The streams that have a terminal; a number is its width in columns. Without one, standard output has 80, and standard
   * error as many as no message needs, so that tests of other things compare whole lines.
   */
  readonly terminal?: {
    readonly stdin?: boolean;
    readonly stdout?: boolean | number;
    readonly stderr?: boolean | number;
    /** The input on the controlling terminal when standard input is not that terminal; a function is for one question. */
    readonly typed?: string | Readable | (() => Readable);
  };
  readonly now?: number;
  /** How long the process has been running (default: 0 ms). */
  readonly uptimeMs?: number;
  /** The id of the user that weir runs as (default: the user of the test). */
  readonly uid?: number;
  /** Runs child processes (default: fails). */
  readonly spawn?: Host['spawn'];
  /** Called when weir would start itself in the background. */
  readonly onSpawnSelf?: Host['spawnSelf'];
  /** Receives a function that sends signals to the command, which get to it as soon as it listens. */
  readonly onStart?: (kill: (signal: Signal) => void) => void;
  /** A command tree to use instead of weir's own, for tests of the framework. */
  readonly commands?: readonly Entry[];
  /** Called for everything written to stdout while the command is running; the reader takes it when a promise resolves. */
  readonly onStdout?: (text: string) => unknown;
  /** Called when weir would end soon, whatever becomes of its output. */
  readonly onAbandon?: Host['abandonOutput'];
  /** Called for everything written to stderr while the command is running. */
  readonly onStderr?: (text: string) => void;
}

/** The outcome of a command line. */
export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Creates an empty directory that is removed after the test file. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'weir-test-'));
  // A process that weir has started in the background may still write there, such as one that renews completions.
  atEndOfFile(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }));
  return directory;
}

let homes: { readonly root: string; count: number } | undefined;

/** The path of a home directory that a command creates when it writes there; most do not. */
function homeToCreate(): string {
  if (homes === undefined) {
    homes = { root: temporaryDirectory(), count: 0 };
    atEndOfFile(() => {
      homes = undefined;
    });
  }
  homes.count += 1;
  return join(homes.root, `home-${homes.count}`);
}

/** Runs one command line in-process: `run('topic list')` or, for words with spaces, `run(['topic', 'list'])`. */
export async function run(line: string | readonly string[], world: World = {}): Promise<Outcome> {
  if (executable !== undefined && canBeProcess(world)) {
    const words = typeof line === 'string' ? splitLine(line) : line;
    const home = world.home ?? temporaryDirectory();
    return await runProcess(words, world, { cwd: world.cwd ?? world.home ?? temporaryDirectory(), home });
  }
  const stdout = collector(world.onStdout);
  const stderr = collector(world.onStderr);
  const stdin = input(world.stdin);
  const listeners = new Set<(signal: Signal) => void>();
  const early: Signal[] = [];
  // Few commands look there.
  let cwd = world.cwd ?? world.home;
  const host: Host = {
    argv: typeof line === 'string' ? splitLine(line) : line,
    env: world.env ?? {},
    get cwd() {
      cwd ??= temporaryDirectory();
      return cwd;
    },
    home: world.home ?? homeToCreate(),
    platform: world.platform ?? 'linux',
    runtime: { name: 'Node.js 24.0.0', arch: 'x64', uid: world.uid ?? process.getuid?.() ?? 0 },
    stdin: { stream: stdin, chunks: stdin, isTerminal: world.terminal?.stdin ?? false },
    stdout: { stream: stdout.stream, ...terminalOf(world.terminal?.stdout, 80) },
    stderr: { stream: stderr.stream, ...terminalOf(world.terminal?.stderr, 10_000) },
    openTerminal() {
      const { typed, stdin: hasTerminal } = world.terminal ?? {};
      if (typed === undefined && hasTerminal !== true) return undefined;
      return {
        input: typed === undefined ? stdin : input(typeof typed === 'function' ? typed() : typed),
        // There is only one screen, so prompts appear among the messages.
        write: (text) => void stderr.stream.write(text),
        close() {},
      };
    },
    now: () => world.now ?? Date.now(),
    uptimeMs: () => world.uptimeMs ?? 0,
    onTerminalChange: () => () => undefined,
    suspend: () => undefined,
    favorMemory: () => undefined,
    onSignal(listener) {
      listeners.add(listener);
      for (const signal of early.splice(0)) queueMicrotask(() => listener(signal));
      return () => listeners.delete(listener);
    },
    raise(signal) {
      for (const listener of listeners) listener(signal);
    },
    abandonOutput: (exitCode, afterMs) => world.onAbandon?.(exitCode, afterMs),
    spawn: world.spawn ?? noChild,
    spawnSelf: (args, typed) => world.onSpawnSelf?.(args, typed),
    dispose() {},
  };
  world.onStart?.((signal) => {
    if (listeners.size === 0) early.push(signal);
    for (const listener of listeners) listener(signal);
  });
  const { commands } = world;
  const runCommand = () =>
    commands === undefined ? main(host) : runLine(host, { commands, openContext, version: '0.0.0' });
  const exitCode = await asOneRun(() => noting(commands ?? weirCommands, host.argv, runCommand));
  await checkRecorded(commands ?? weirCommands, host.argv, stdout.text());
  return { stdout: stdout.text(), stderr: stderr.text(), exitCode };
}

function terminalOf(
  terminal: boolean | number | undefined,
  usual: number,
): { isTerminal: boolean; columns: number | undefined; rows: number | undefined } {
  if (typeof terminal === 'number') return { isTerminal: true, columns: terminal, rows: 24 };
  const isTerminal = terminal ?? false;
  return { isTerminal, columns: isTerminal ? usual : undefined, rows: isTerminal ? 24 : undefined };
}

function input(stdin: World['stdin']): Readable {
  if (stdin instanceof Readable) return stdin;
  return Readable.from(stdin === undefined || stdin.length === 0 ? [] : [Buffer.from(stdin)]);
}

function collector(listener?: World['onStdout']): { stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, callback) {
      chunks.push(Buffer.from(chunk));
      const taken = listener?.(chunk.toString());
      if (taken instanceof Promise) void taken.then(() => callback());
      else callback();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

async function noChild(file: string, _: readonly string[], __: SpawnOptions): Promise<SpawnResult> {
  throw new Error(`this world has no ${file}`);
}

/** Splits a line like a shell: at spaces, with single and double quotes and backslashes. */
export function splitLine(line: string): readonly string[] {
  const words: string[] = [];
  for (const [whole] of line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gs)) {
    words.push(
      whole.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs, (_, single, double, escaped) => {
        return single ?? (double === undefined ? escaped : double.replace(/\\(["\\$`])/g, '$1'));
      }),
    );
  }
  return words;
}
